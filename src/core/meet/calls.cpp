// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/meet/calls.h"

// The calls of links: when one is made, made again, or given up.

#include <algorithm>

#include <fmt/ranges.h>

#include "base/clock.h"
#include "base/id128.h"
#include "core/channel/channels.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/link/calling.h"
#include "core/link/endpoint_end.h"
#include "core/link/link.h"
#include "core/loop/deadlines.h"
#include "core/loop/loop.h"
#include "core/match/endpoint_state.h"
#include "core/meet/links.h"
#include "door/door.h"
#include "door/hello.h"

namespace ucxx::core {
namespace {

/// When the peer said to wait for its call, or named a link that is just ending: the first time,
/// then twice as long each time, up to the last.
constexpr base::Duration kFirstRetry = std::chrono::milliseconds(3);
constexpr base::Duration kLastRetry = std::chrono::milliseconds(50);
/// What a call without a limit is given; it must not overflow the clock.
constexpr auto kLongestCall = std::chrono::hours(24 * 365);

/// No call is on its way that has a limit of its own.
bool isWaiting(const Link& link) noexcept {
  return link.state == Link::State::Connecting ? link.calling.call == nullptr : !link.isHeard();
}

}  // namespace

std::vector<std::string> routesOf(const std::vector<door::SocketAddress>& addresses) {
  std::vector<std::string> routes;
  for (const auto& address : addresses) routes.push_back(address.toString());
  return routes;
}

void Links::startCalling(Link& link, base::TimePoint until) {
  link.calling.give_up_at = until;
  if (!askByLink(link)) call(link);
}

void setCallDeadline(Link& link) noexcept {
  link.calling.next_step.set(isWaiting(link)
                                 ? std::min(link.calling.give_up_at, link.calling.retry_at)
                                 : base::TimePoint::max());
}

void Links::goOnCalling(Link& link) {
  if (link.state == Link::State::Ended || !isWaiting(link)) return;
  orFail(link, [&] {
    if (link.calling.give_up_at <= loop_.now())
      failCalling(link, UCS_ERR_TIMED_OUT, "no answer in time");
    else
      call(link);
  });
}

void Links::extend(Link& link, base::TimePoint until) noexcept {
  if (link.calling.give_up_at >= until) return;
  link.calling.give_up_at = until;
  setCallDeadline(link);
  if (link.calling.call != nullptr) door_->extend(*link.calling.call, until);
}

void Links::giveUpConnecting(EndpointState& endpoint) noexcept {
  Link& link = *linkOf(endpoint);
  if (link.failing != UCS_OK || link.state != Link::State::Connecting) return;
  const std::string before = std::exchange(link.failure, {});
  // The call would end at the same time, with what has put it off.
  const auto put_off =
      link.calling.call != nullptr ? door::whyPutOff(*link.calling.call) : std::nullopt;
  try {
    link.failure = put_off ? fmt::format(" ({})", whatWasSaidTo(*link.calling.call))
                           : fmt::format(" ({}: no answer within {} ms)",
                                         fmt::join(routesOf(link.calling.addresses), ", "),
                                         endpoint.connect.timeout.count());
  } catch (const std::bad_alloc&) {  // the status has to do
  }
  endEndpoint(endpoint, put_off ? statusOf(*put_off) : UCS_ERR_TIMED_OUT);
  link.failure = before;
}

void Links::call(Link& link) {
  endAsking(link);
  link.calling.called_at = base::Clock::now();
  const auto left =
      std::min<base::Duration>(link.calling.give_up_at - link.calling.called_at, kLongestCall);
  link.calling.retry_at = base::TimePoint::max();
  setCallDeadline(link);
  by_name_.erase(link.own_name);
  link.rename(base::randomU64());
  by_name_[link.own_name] = &link;
  door::Hello introduction = hello(link.own_name);
  if (link.calling.is_target_known) introduction.wanted = link.peer;
  door::Descriptors descriptors;
  introduction.may_be_local = link.calling.route.may_be && channelsOf(loop_).hub() != nullptr;
  const bool is_local = bool(link.calling.route.name);
  const bool is_introduced = is_local ? introduceLocally(link, introduction, descriptors)
                                      : introduceByUcx(link, introduction);
  if (!is_introduced) return;
  link.calling.call = &door_->call(
      is_local ? std::vector{door::unixAddress(link.calling.route.name)} : link.calling.addresses,
      std::move(introduction), std::move(descriptors), &link,
      std::chrono::ceil<std::chrono::milliseconds>(left));
  setCallDeadline(link);
  loop_.lookOften();
}

/// No call of it has come to anything, nor will; `why` is for people.
void Links::failCalling(Link& link, ucs_status_t status, std::string_view why) {
  const std::string routes = fmt::format("{}", fmt::join(routesOf(link.calling.addresses), ", "));
  const char* const between = routes.empty() || why.empty() ? "" : ": ";
  link.failure = fmt::format(" ({}{}{})", routes, between, why);
  link.fail(status);
}

/// As the addresses answered.
ucs_status_t Links::statusOf(door::Refusal reason) noexcept {
  switch (reason) {
    case door::Refusal::Busy:
      return UCS_ERR_BUSY;
    case door::Refusal::NoDescriptors:
    case door::Refusal::OutOfDescriptors:
      return UCS_ERR_NO_RESOURCE;
    default:
      return UCS_ERR_REJECTED;
  }
}

void Links::failAsAnswered(Link& link, const door::Call& call, ucs_status_t status) {
  link.failure = fmt::format(" ({})", whatWasSaidTo(call));
  link.fail(status);
}

/// Soon.
void Links::callAgain(Link& link) {
  link.calling.retry_after = std::clamp(2 * link.calling.retry_after, kFirstRetry, kLastRetry);
  link.calling.retry_at = loop_.now() + link.calling.retry_after;
  setCallDeadline(link);
}

}  // namespace ucxx::core
