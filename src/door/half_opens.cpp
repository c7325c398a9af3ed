// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "door/half_opens.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include <ucxx/exception.h>

#include "base/id128.h"
#include "base/log.h"
#include "door/door_state.h"
#include "door/socket.h"

namespace ucxx::door {
namespace {

// Short, for a friend may have the address of a stranger. Still, with the places of one address,
// that makes fewer than 100 guesses a second.
constexpr auto kHold = std::chrono::milliseconds(100);

}  // namespace

void sayNo(int socket, Refusal reason) noexcept try {
  sendSome(socket, encode(Refused{.reason = reason}));
} catch (const std::bad_alloc&) {  // the hang-up has to do
}

/// A hello that is here already, unread, is worth its place; if all have something unread, the
/// oldest goes.
template <class Matches>
HalfOpen* HalfOpens::oldestOf(Matches matches) const {
  HalfOpen* oldest = nullptr;
  for (const auto& each : all_) {
    if (!matches(*each)) continue;
    if (!each->hasUnread()) return each.get();
    if (oldest == nullptr) oldest = each.get();
  }
  return oldest;
}

// The limit of one address keeps places free for others. All who come over a Unix socket are of
// the user of this process, which can stop it anyhow: one may have all the places. Were the last
// one sent away, strangers who say nothing would keep all friends out. Who is held waits because of
// this door: it keeps its place before others of its address, but not before those of other
// addresses.
HalfOpen* HalfOpens::inTheWayOf(const SocketAddress& from, bool is_held) const {
  const auto is_same = [&](const HalfOpen& each) {
    return !each.isHeld() && each.from().sameHost(from);
  };
  const auto same =
      std::count_if(all_.begin(), all_.end(), [&](const auto& each) { return is_same(*each); });
  const bool is_limited = !from.isUnix() && !is_held;
  if (is_limited && same > door_.limits.half_open_per_address) return oldestOf(is_same);
  if (std::ssize(all_) <= door_.limits.half_open) return nullptr;
  HalfOpen* const held = oldestOf([](const HalfOpen& each) { return each.isHeld(); });
  return held != nullptr ? held : oldestOf([](const HalfOpen&) { return true; });
}

// By chance, so that a friend has its share of the places. Were it the oldest who goes, one that
// calls without end would let none wait to the end; were it the newest, one that calls again at
// once would have all the places for ever.
bool HalfOpens::makePlaceToWait(const SocketAddress& from) {
  const auto origin = FailedProofs::originOf(from);
  std::vector<HalfOpen*> held;
  for (const auto& each : all_)
    if (each->isHeld() && FailedProofs::originOf(each->from()) == origin)
      held.push_back(each.get());
  if (std::ssize(held) < door_.limits.half_open_per_address) return true;
  const std::size_t one = base::randomU64() % (held.size() + 1);
  if (one == held.size()) return false;
  held[one]->makeRoom();
  return true;
}

void HalfOpens::admit(std::uint64_t listener, base::FileDescriptor socket,
                      const SocketAddress& from) {
  if (from.isUnix() && !isOurUser(socket.get())) {
    const ucred stranger = peerOf(socket.get());
    report(Refusal::OtherUser, fmt::format("process {} of user {}", stranger.pid, stranger.uid));
    return refuse(std::move(socket), Refusal::OtherUser);
  }
  const auto now = base::Clock::now();
  const auto deadline = now + std::chrono::milliseconds(door_.limits.handshake_ms);
  const bool is_held = failed_proofs_.areMany(from, now);
  if (is_held && !makePlaceToWait(from)) return refuse(std::move(socket), Refusal::Busy);
  try {
    all_.push_back(
        std::make_unique<HalfOpen>(door_, listener, std::move(socket), from, deadline, is_held));
  } catch (const Error&) {
    return;  // the kernel has no room to watch it: the caller sees a hang-up, the door lives on
  }
  // Its hello is often here already; then it never counts as half-open for the next in the queue.
  if (is_held)
    release_at_ = std::min(release_at_, now + kHold);
  else
    all_.back()->advance();
  if (HalfOpen* const other = inTheWayOf(from, is_held)) other->makeRoom();
}

void HalfOpens::refuse(base::FileDescriptor socket, Refusal reason) {
  ++door_.counters.refused;
  sayNo(socket.get(), reason);
  hangUp(socket);
}

void HalfOpens::report(Refusal reason, const std::string& stranger) {
  auto& line = reason == Refusal::OtherUser ? other_users_ : strangers_;
  line.log(LogLevel::Warn, "door", "{}: {}", toString(reason), stranger);
}

void HalfOpens::onWrongProof(const SocketAddress& stranger) {
  failed_proofs_.count(stranger, base::Clock::now());
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
  return all_.empty() ? release_at_ : std::min(all_.front()->deadline(), release_at_);
}

void HalfOpens::onTime(base::TimePoint now) {
  while (!all_.empty() && all_.front()->deadline() <= now) {
    ++door_.counters.timed_out;
    all_.pop_front();
  }
  if (now < release_at_) return;
  release_at_ = base::TimePoint::max();
  for (const auto& each : all_) {
    if (!each->isHeld()) continue;
    try {
      each->release();
    } catch (const Error&) {
      release_at_ = now + kHold;  // the kernel has no room to watch it now
    }
  }
}

}  // namespace ucxx::door
