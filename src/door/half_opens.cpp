// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "door/half_opens.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <ucxx/exception.h>

#include "base/log.h"
#include "door/door_state.h"
#include "door/socket.h"

namespace ucxx::door {
namespace {

constexpr auto kReportEvery = std::chrono::seconds(1);

}  // namespace

// The limit of one address keeps places free for others. All who come over a Unix socket are of
// our own user, which can stop us anyhow: one may have all the places. Were the last one sent away,
// strangers who say nothing would keep all friends out. A hello that is here already, unread, is
// worth its place; if all have something unread, the oldest goes.
HalfOpen* HalfOpens::inTheWayOf(const SocketAddress& from) const {
  const auto oldestOf = [&](auto matches) -> HalfOpen* {
    HalfOpen* oldest = nullptr;
    for (const auto& each : all_) {
      if (!matches(*each)) continue;
      if (!each->hasUnread()) return each.get();
      if (oldest == nullptr) oldest = each.get();
    }
    return oldest;
  };
  const auto isSame = [&](const HalfOpen& each) { return each.from().sameHost(from); };
  const auto same =
      std::count_if(all_.begin(), all_.end(), [&](const auto& each) { return isSame(*each); });
  if (!from.isUnix() && same > door_.limits.half_open_per_address) return oldestOf(isSame);
  if (std::ssize(all_) <= door_.limits.half_open) return nullptr;
  return oldestOf([](const HalfOpen&) { return true; });
}

void HalfOpens::admit(std::uint64_t listener, base::FileDescriptor socket,
                      const SocketAddress& from) {
  if (from.isUnix() && !isOurUser(socket.get())) {
    return refuse(std::move(socket), Refusal::Authentication);
  }
  const auto deadline = base::Clock::now() + std::chrono::milliseconds(door_.limits.handshake_ms);
  try {
    all_.push_back(std::make_unique<HalfOpen>(door_, listener, std::move(socket), from, deadline));
  } catch (const Error&) {
    return;  // the kernel has no room to watch it: the caller sees a hang-up, the door lives on
  }
  // Its hello is often here already; then it never counts as half-open for the next in the queue.
  all_.back()->advance();
  if (HalfOpen* const oldest = inTheWayOf(from)) oldest->makeRoom();
}

// One try to say why: a frame fits into a fresh socket, and nobody may cost us more than this.
void HalfOpens::refuse(base::FileDescriptor socket, Refusal reason) {
  ++door_.counters.refused;
  sendSome(socket.get(), encode(Refused{.reason = reason}));
  hangUp(socket);
}

// A stranger must not fill the log.
void HalfOpens::report(const SocketAddress& stranger) {
  ++unreported_;
  const auto now = base::Clock::now();
  if (now < next_report_) return;
  base::log(LogLevel::Warn, "door", "authentication failed: a caller at {}{}", stranger.toString(),
            unreported_ > 1 ? fmt::format(", and {} others since", unreported_ - 1) : "");
  next_report_ = now + kReportEvery;
  unreported_ = 0;
}

void HalfOpens::abandon(std::uint64_t listener) {
  for (auto next = all_.begin(); next != all_.end();) {
    HalfOpen& half_open = **next++;
    if (half_open.listener() == listener) half_open.abandon();
  }
}

std::unique_ptr<HalfOpen> HalfOpens::take(HalfOpen& half_open) {
  const auto found = std::find_if(all_.begin(), all_.end(),
                                  [&](const auto& each) { return each.get() == &half_open; });
  if (found == all_.end()) return nullptr;
  auto taken = std::move(*found);
  all_.erase(found);
  return taken;
}

base::TimePoint HalfOpens::nextDeadline() const noexcept {
  return all_.empty() ? base::TimePoint::max() : all_.front()->deadline();
}

void HalfOpens::onTime(base::TimePoint now) {
  while (nextDeadline() <= now) {
    ++door_.counters.timed_out;
    all_.pop_front();
  }
}

}  // namespace ucxx::door
