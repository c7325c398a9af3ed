// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// What a person wants to know about a worker: peers, channels, what is pending since when.

#include "core/insight/describe.h"

#include <fmt/format.h>

#include <ucxx/context.h>

#include "base/clock.h"
#include "base/id128.h"
#include "base/list.h"
#include "core/channel/channels.h"
#include "core/channel/credit.h"
#include "core/channel/link_types.h"
#include "core/channel/port.h"
#include "core/condition/armed.h"
#include "core/condition/triggered_condition.h"
#include "core/link/calling.h"
#include "core/link/endpoints.h"
#include "core/link/pairs.h"
#include "core/loop/counters.h"
#include "core/loop/loop.h"
#include "core/match/ahead.h"
#include "core/match/endpoint_plans.h"
#include "core/match/endpoint_state.h"
#include "core/match/inbox.h"
#include "core/match/inlet.h"
#include "core/match/matcher.h"
#include "core/meet/links.h"
#include "core/plan/plan.h"
#include "core/request/context_state.h"
#include "core/request/endpoint_core.h"
#include "core/request/operation_kind.h"
#include "core/request/posted_receive.h"
#include "core/request/requests.h"
#include "core/worker/worker_state.h"
#include "door/door.h"
#include "local/channel.h"
#include "local/peer_memory.h"
#include "ucp/library.h"

namespace ucxx::core {
namespace {

constexpr std::size_t kMaxShown = 10;  // operations per endpoint

void describePending(std::string& out, const PendingList& pending) {
  std::size_t shown = 0;
  for (const Operation* op = pending.front(); op != nullptr; op = pending.after(*op)) {
    if (shown++ == kMaxShown) {
      out += fmt::format("      ... and {} more\n", pending.size() - kMaxShown);
      return;
    }
    out += fmt::format("      {}\n", describeOperation(*op));
  }
}

void describePlans(std::string& out, const EndpointPlans& plans) {
  std::size_t shown = 0;
  for (const auto& plan : plans.all) {
    if (shown++ == kMaxShown) {
      out += fmt::format("      ... and {} more plans\n", plans.all.size() - kMaxShown);
      break;
    }
    out += fmt::format("      {}\n", plan->describe());
  }
  if (!plans.offers.empty())
    out +=
        fmt::format("      {} prepared sends of the peer without a receive\n", plans.offers.size());
}

std::string receivedAheadOf(const EndpointState& endpoint) {
  if (endpoint.standing == nullptr) return "";
  return fmt::format(", {} of {} bytes received ahead", endpoint.standing->held,
                     endpoint.standing->limit);
}

void describeEndpoint(std::string& out, const EndpointState& endpoint) {
  const ucs_status_t error = endpoint.error;
  out +=
      fmt::format("    endpoint {:#x}: {}{}{}, {} pending, {} active messages waiting{}\n",
                  endpoint.key, toString(endpoint.phase.load()), error == UCS_OK ? "" : ": ",
                  error == UCS_OK ? "" : ucp::statusText(error), endpoint.pendingCount(),
                  endpoint.am_messages.size() + endpoint.am_held.size(), receivedAheadOf(endpoint));
  describePending(out, endpoint.armed);
  describePending(out, endpoint.sends);
  describePending(out, endpoint.others);
  describePlans(out, endpoint.plans);
}

const char* besideOf(const Link& link) noexcept {
  return link.local != nullptr && link.ucp != nullptr ? ", device memory by UCX" : "";
}

/// Why it is this channel, or what that one does without.
std::string remarkOn(const Link& link) {
  const bool is_refused =
      link.local != nullptr && link.local->hasJoined() && !link.local->memory().isOpen();
  if (is_refused) return " (the kernel copies nothing between the two)";
  return link.calling.route.why_not.empty() ? "" : " (" + link.calling.route.why_not + ")";
}

/// What of it is here before its receives.
std::string fetchedOf(const Link& link) {
  const std::size_t bytes = link.ahead().bytes();
  return bytes == 0 ? "" : fmt::format(", {} bytes fetched ahead", bytes);
}

void describeLink(std::string& out, const Link& link) {
  const std::string place = placeOf(link);
  const char* const preposition = place.empty()                        ? ""
                                  : link.channel == ChannelKind::Local ? " in "
                                                                       : " at ";
  out += fmt::format(
      "  peer {}{}{}: {} channel{}{}, {}, {} endpoints, {} operations, {} announcements{}\n",
      toString(link.peer), preposition, place, toString(link.channel), besideOf(link),
      remarkOn(link), stateOf(link), link.pairs().count(), link.pending_parts,
      link.sendCredit().announced(), fetchedOf(link));
  for (const EndpointState* endpoint : link.pairs().all()) describeEndpoint(out, *endpoint);
}

}  // namespace

const char* stateOf(const Link& link) noexcept {
  switch (link.state) {
    case Link::State::Connecting:
      return "connecting";
    case Link::State::Up:
      return "up";
    case Link::State::Ended:
      return "ended";
  }
  return "?";
}

const char* toString(ChannelKind channel) noexcept {
  switch (channel) {
    case ChannelKind::Self:
      return "self";
    case ChannelKind::Local:
      return "local";
    case ChannelKind::Ucp:
      return "UCX";
  }
  return "?";
}

const char* toString(EndpointPhase phase) noexcept {
  switch (phase) {
    case EndpointPhase::Connecting:
      return "connecting";
    case EndpointPhase::Open:
      return "open";
    case EndpointPhase::Closing:
      return "closing";
    case EndpointPhase::Closed:
      return "closed";
    case EndpointPhase::Failed:
      return "failed";
  }
  return "?";
}

const char* toString(Stage stage) noexcept {
  switch (stage) {
    case Stage::Queued:
      return "queued";
    case Stage::Armed:
      return "armed";
    case Stage::Waiting:
      return "waiting";
    case Stage::Moving:
      return "moving";
    case Stage::Landing:
      return "being copied to its device";
    case Stage::Ended:
      return "ended";
  }
  return "?";
}

std::string placeOf(const Link& link) {
  if (link.connection == nullptr) return {};
  return link.channel == ChannelKind::Local
             ? "process " + std::to_string(link.connection->peerProcess())
             : link.connection->peerAddress().toString();
}

std::string describeOperation(const Operation& op) {
  const double age = std::chrono::duration<double>(base::Clock::now() - op.since).count();
  const std::string what = describeTransfer(op.kind, op.length, op.tag);
  std::string text = fmt::format("{}, {} for {:.3f} s", what, toString(op.stage), age);
  if (op.stage == Stage::Armed) text += ": " + armedOf(op).condition().describe();
  return text;
}

WorkerStats WorkerState::stats() const {
  const Counters& c = counters;
  WorkerStats stats;
  stats.messages_sent = c.messages_sent.value();
  stats.messages_received = c.messages_received.value();
  stats.bytes_sent = c.bytes_sent.value();
  stats.bytes_received = c.bytes_received.value();
  stats.inline_completions = c.inline_completions.value();
  stats.unexpected_messages = c.unexpected_messages.value();
  stats.wake_ups = c.wake_ups.value();
  stats.queued_posts = c.queued_posts.load(std::memory_order_relaxed);
  const std::uint64_t unqueued = c.unqueued_posts.value();
  stats.queue_depth = stats.queued_posts > unqueued ? stats.queued_posts - unqueued : 0;
  const std::uint64_t ended = c.ended.value();
  const std::uint64_t started = c.started.value();
  stats.pending_requests = started > ended ? started - ended : 0;
  const std::uint64_t disarmed = c.disarmed.value();  // before the other, which only grows
  stats.armed_requests = c.armed.value() - disarmed;
  stats.stalled_requests = c.stalled_requests.value();
  stats.reordered_messages = c.reordered_messages.value();
  stats.dropped_messages = c.dropped_messages.value();
  stats.fetched_ahead = c.fetched_ahead.value();
  const std::uint64_t ended_plans = c.ended_plans.value();  // before the other, as above
  stats.prepared_transfers = c.plans.value() - ended_plans;
  return stats;
}

std::string WorkerState::describe() {
  std::string out =
      fmt::format("worker {}: {} peers, {} endpoints, {} requests pending, UCX {}, secret: {}\n",
                  toString(id()), links->all().size(), endpoints.size(), stats().pending_requests,
                  channels.hasUcp() ? "started" : "not started",
                  channels.context().state().secret != nullptr ? "yes" : "no");
  out +=
      fmt::format("  unexpected: {} tag messages, {} multi-buffer messages; posted receives: {}\n",
                  inbox.tags.arrivedCount(), inbox.multis.arrivedCount(),
                  inbox.tags.postedCount() + inbox.multis.postedCount());
  if (!requests.pending.empty() || !requests.armed.empty()) out += "  without an endpoint:\n";
  describePending(out, requests.armed);
  describePending(out, requests.pending);
  for (const auto& link : links->all()) describeLink(out, *link);
  std::string ended;
  for (const EndpointState* endpoint : endpoints.all()) {
    if (endpoint->isOver()) describeEndpoint(ended, *endpoint);
  }
  if (!ended.empty()) out += "  ended:\n" + ended;
  return out;
}

}  // namespace ucxx::core
