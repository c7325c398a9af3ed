// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// How two workers of one machine find each other and agree on a local channel. Whatever fails on
// the way leads to TCP and UCX.

#include <algorithm>

#include <fmt/format.h>

#include <ucxx/exception.h>

#include "base/clock.h"
#include "base/file_descriptor.h"
#include "base/id128.h"
#include "base/id128_format.h"
#include "base/log.h"
#include "base/phase.h"
#include "base/phases.h"
#include "core/channel/channels.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/link/calling.h"
#include "core/link/link.h"
#include "core/loop/loop.h"
#include "core/meet/links.h"
#include "core/meet/worker_address.h"
#include "door/door.h"
#include "door/hello.h"
#include "door/machine_id.h"
#include "local/channel.h"
#include "ucp/library.h"

namespace ucxx::core {
namespace {

/// A welcome whose connection has not come for so long never comes: the door's own limit.
constexpr auto kLongestAnswer = std::chrono::milliseconds(door::Limits().handshake_ms);

/// The local channel has been tried: from now on `link` is called by its addresses.
void giveUpLocally(Link& link, std::string why_not) noexcept {
  link.local.reset();
  link.calling.route = {.name = {}, .listener = 0, .may_be = false, .why_not = std::move(why_not)};
  link.calling.knocks = false;
}

/// Whether a local refusal says all there is to say; else there may be another way.
bool isAnswer(const door::Refused* refused) noexcept {
  return refused != nullptr &&
         (refused->reason == door::Refusal::Existing || refused->reason == door::Refusal::Crossing);
}

std::string whyNot(ucs_status_t status, const door::Refused* refused, bool is_local_only) {
  using door::Refusal;
  const bool seen_here = refused == nullptr && status == UCS_ERR_INVALID_ADDR;
  const Refusal reason = refused != nullptr ? refused->reason : Refusal{};
  if (seen_here || reason == Refusal::OtherUser) return std::string(toString(Refusal::OtherUser));
  if (reason == Refusal::Authentication) return std::string(toString(reason));
  // Else the peer may be in another network namespace, and is called by its addresses.
  if (is_local_only && refused == nullptr && status == UCS_ERR_UNREACHABLE)
    return "nobody on this machine listens there";
  return fmt::format("local channel failed: {}",
                     refused != nullptr ? toString(refused->reason) : ucp::statusText(status));
}

}  // namespace

/// The caller can use the local channel, and so can this worker.
bool Links::isNearer(const door::Hello& from) {
  return from.may_be_local && from.machine == door::machineId() && localName();
}

base::Id128 Links::localName() {
  if (local_name_ || channelsOf(loop_).hub() == nullptr) return local_name_;
  const base::Id128 name = base::randomId128();
  try {
    door_->listenLocally(name, 0);
    local_name_ = name;
  } catch (const Error& error) {
    if (channelsOf(loop_).isLocalOnly()) throw;
    base::log(LogLevel::Warn, "link", "no local channel: {}", error.what());
  }
  return local_name_;
}

void Links::requireWay(const std::string& host,
                       const std::vector<door::SocketAddress>& addresses) const {
  if (!channelsOf(loop_).isLocalOnly() ||
      std::any_of(addresses.begin(), addresses.end(), door::isOwn))
    return;
  throw UnreachableError(fmt::format("UCXX_LOCAL=only: host \"{}\" is not this machine", host));
}

void Links::requireWay(const WorkerAddress& address) const {
  if (!channelsOf(loop_).isLocalOnly() || address.worker == loop_.id()) return;
  const bool is_here = address.machine == door::machineId();
  if (is_here && address.local_name) return;
  throw UnreachableError(fmt::format("UCXX_LOCAL=only: worker {} {}", toString(address.worker),
                                     is_here ? "has no local channel" : "is on another machine"));
}

/// Whoever answers at a port of this machine may be near. Without TCP, its name is called.
void Links::routeByName(Link& link) {
  if (channelsOf(loop_).hub() == nullptr) return;
  if (channelsOf(loop_).isLocalOnly())
    link.calling.route.name = door::nameOfPort(link.calling.addresses.front().port());
  else
    link.calling.knocks =
        std::all_of(link.calling.addresses.begin(), link.calling.addresses.end(), door::isOwn);
}

void Links::routeByAddress(Link& link, const WorkerAddress& address) {
  if (channelsOf(loop_).hub() != nullptr && address.machine == door::machineId())
    link.calling.route.name = address.local_name;
}

/// The local end of what the caller proposes, or why there is none.
door::Answer Links::answerLocally(const door::Hello& from, door::Descriptors descriptors,
                                  std::uint64_t listener) {
  try {
    auto channel =
        local::Channel::answer(*channelsOf(loop_).hub(), from.local_terms, std::move(descriptors));
    door::Welcome welcome{hello(nameFor(from)), channel->descriptors()};
    welcome.hello.listener = listener;
    welcome.hello.local_terms = channel->terms();
    const base::TimePoint until = base::Clock::now() + kLongestAnswer;
    answered_[welcome.hello.link] = {std::move(channel), until};
    loop_.needsTimeAt(until);
    return welcome;
  } catch (const Error& error) {
    base::log(LogLevel::Warn, "link", "worker {} cannot be met locally: {}", from.worker,
              error.what());
    const bool makes_no_sense = error.status() == UCS_ERR_INVALID_PARAM;
    return refused(makes_no_sense ? door::Refusal::Malformed : door::Refusal::LocalFailed,
                   listener);
  }
}

void Links::forgetAnswered() {
  std::erase_if(answered_, [&](const auto& one) { return one.second.until <= loop_.now(); });
  for (const auto& [name, one] : answered_) loop_.needsTimeAt(one.until);
}

/// Null: it has waited for too long.
std::unique_ptr<local::Channel> Links::takeAnswered(std::uint64_t own_name) {
  const auto found = answered_.find(own_name);
  if (found == answered_.end()) return nullptr;
  auto channel = std::move(found->second.channel);
  answered_.erase(found);
  return channel;
}

/// False: that fails, it goes another way or has failed.
bool Links::introduceLocally(Link& link, door::Hello& introduction,
                             door::Descriptors& descriptors) {
  link.local.reset();
  try {
    link.local = local::Channel::call(*channelsOf(loop_).hub());
    for (const int each : link.local->descriptors()) descriptors.push_back(base::duplicate(each));
  } catch (const Error& error) {
    goByAddress(link, error.status(), fmt::format("local channel failed: {}", error.what()));
    return false;
  }
  introduction.local_terms = link.local->terms();
  introduction.listener = link.calling.route.listener;
  return true;
}

/// A call has ended; true: it goes on in another way, or has failed for good.
bool Links::tryAnotherWay(Link& link, ucs_status_t status, const door::Refused* refused) {
  if (link.local != nullptr) {
    if (isAnswer(refused)) return false;
    if (refused != nullptr) status = statusOf(refused->reason);
    return goByAddress(link, status, whyNot(status, refused, channelsOf(loop_).isLocalOnly())),
           true;
  }
  if (refused == nullptr) return false;
  if (refused->reason == door::Refusal::Nearer && link.calling.route.may_be &&
      channelsOf(loop_).hub() != nullptr) {
    link.calling.route.name = refused->local_name;
    link.calling.route.listener = refused->listener;
    return call(link), true;
  }
  if (refused->reason == door::Refusal::NeedsUcx && std::exchange(link.calling.knocks, false))
    return call(link), true;
  return false;
}

/// Not locally, then.
void Links::goByAddress(Link& link, ucs_status_t status, std::string why_not_local) {
  base::log(LogLevel::Info, "link", "not by the local channel: {}", why_not_local);
  giveUpLocally(link, std::move(why_not_local));
  if (!channelsOf(loop_).isLocalOnly()) return call(link);
  failCalling(link, status, fmt::format("UCXX_LOCAL=only, {}", link.calling.route.why_not));
}

/// False: that fails, it goes another way or has failed.
bool Links::joinLocally(Link& link, const door::Hello& from, door::Descriptors descriptors) {
  try {
    link.local->join(from.local_terms, std::move(descriptors));
    base::reached(base::Phase::Joined);
    return true;
  } catch (const Error& error) {
    goByAddress(link, error.status(), fmt::format("local channel failed: {}", error.what()));
    return false;
  }
}

}  // namespace ucxx::core
