// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// How two workers of one machine find each other and agree on a local channel. Whatever fails on
// the way leads to TCP and UCX.

#include <ucxx/exception.h>

#include "base/log.h"
#include "core/loop.h"
#include "door/machine_id.h"

namespace ucxx::core {
namespace {

/// A welcome whose connection has not come for so long never comes: the door's own limit.
constexpr auto kLongestAnswer = std::chrono::milliseconds(door::Limits().handshake_ms);

/// It has been tried: from now on `link` is called by its addresses.
void giveUpLocally(Link& link) noexcept {
  link.local.reset();
  link.local_name = {};
  link.may_be_local = false;
}

}  // namespace

/// The caller can use the local channel, as we can.
bool Links::isNearer(const door::Hello& from) {
  return from.may_be_local && from.machine == door::machineId() && localName();
}

base::Id128 Links::localName() {
  if (local_name_ || loop_.hub() == nullptr) return local_name_;
  const base::Id128 name = base::randomId128();
  try {
    door_->listenLocally(name, 0);
    local_name_ = name;
  } catch (const Error& error) {
    base::log(LogLevel::Warn, "link", "no local channel: {}", error.what());
  }
  return local_name_;
}

/// Our end of what the caller proposes. False: it makes no sense, or there is no room for it.
bool Links::answerLocally(const door::Hello& from, door::Descriptors descriptors,
                          door::Welcome& welcome) {
  try {
    auto channel = local::Channel::answer(*loop_.hub(), from.local_terms, std::move(descriptors));
    welcome.hello.local_terms = channel->terms();
    welcome.descriptors = channel->descriptors();
    const base::TimePoint until = base::Clock::now() + kLongestAnswer;
    answered_[welcome.hello.link] = {std::move(channel), until};
    loop_.needsTimeAt(until);
    return true;
  } catch (const Error& error) {
    base::log(LogLevel::Warn, "link", "worker {} cannot be met locally: {}", toString(from.worker),
              error.what());
    return false;
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

/// False: it is not to be called locally, or that has failed.
bool Links::proposeLocally(Link& link, door::Hello& introduction, door::Descriptors& descriptors) {
  link.local.reset();
  if (loop_.hub() == nullptr) link.local_name = {};
  if (!link.local_name) return false;
  try {
    link.local = local::Channel::call(*loop_.hub());
    for (const int each : link.local->descriptors()) descriptors.push_back(base::duplicate(each));
  } catch (const Error& error) {
    base::log(LogLevel::Warn, "link", "no local channel: {}", error.what());
    descriptors.clear();
    giveUpLocally(link);
    return false;
  }
  introduction.local_terms = link.local->terms();
  introduction.listener = link.local_listener;
  introduction.ucx_address.clear();
  return true;
}

/// Not locally, then.
void Links::goByAddress(Link& link) {
  giveUpLocally(link);
  call(link);
}

/// False: goes by the addresses.
bool Links::joinLocally(Link& link, const door::Hello& from, door::Descriptors descriptors) {
  try {
    link.local->join(from.local_terms, std::move(descriptors));
    return true;
  } catch (const Error& error) {
    base::log(LogLevel::Warn, "link", "worker {} cannot be met locally: {}", toString(from.worker),
              error.what());
  }
  goByAddress(link);
  return false;
}

}  // namespace ucxx::core
