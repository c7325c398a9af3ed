// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

// Back-pressure between two workers, one class for each end of a direction: they share no number,
// and learn of each other by messages alone. Bytes are counted as costOf says (wire.h);
// announcements, whose payloads stay with their sender, are counted by themselves.

namespace ucxx::core {

/// The sender's end: what it may send eagerly to a peer that may have no receive for it yet, and
/// announce. The peer says how much of both in its hello, and what it gives back: whatever it says,
/// no number wraps. The link of a worker with itself gets no grant, and nobody asks its credit:
/// what is sent there is handed over in the call, or stays with its sender.
class SendCredit {
 public:
  /// The peer takes so many bytes, and so many announcements; one at least, or nothing would ever
  /// go.
  void grant(std::uint64_t bytes, std::uint32_t announcements) noexcept {
    granted_ = left_ = bytes;
    announcements_granted_ = std::max<std::uint32_t>(announcements, 1);
  }

  bool covers(std::size_t cost) const noexcept { return left_ >= cost; }
  /// What costs that much goes eagerly; it is covered.
  void spend(std::size_t cost) noexcept { left_ -= cost; }
  /// The peer gives back so many bytes. More than it was sent is nonsense, and gives nothing.
  void restore(std::uint64_t bytes) noexcept { left_ += std::min(bytes, granted_ - left_); }

  /// One more message may be announced. Its frames may be, too, however many they are.
  bool mayAnnounce() const noexcept { return announced_ < announcements_granted_; }
  void announce() noexcept { ++announced_; }
  /// The peer has fetched or dropped the payload of an announcement, or never will.
  void announcementEnded() noexcept { --announced_; }

  std::uint64_t left() const noexcept { return left_; }
  std::uint64_t granted() const noexcept { return granted_; }
  std::size_t announced() const noexcept { return announced_; }
  std::uint32_t announcementsGranted() const noexcept { return announcements_granted_; }

 private:
  std::uint64_t granted_ = 0;
  std::uint64_t left_ = 0;  // of these
  std::size_t announced_ = 0;
  std::uint32_t announcements_granted_ = 0;
};

/// The receiver's end: what it holds of a peer whose messages have no receive yet, against what it
/// has granted, and what it owes the peer. What is given back collects, so that few messages are
/// needed to say so.
class ReceiveCredit {
 public:
  /// Granted to each peer, by the options of the worker (`WorkerOptions::unexpected_bytes`;
  /// inlet.cpp).
  struct Limits {
    std::size_t bytes = 0;
    std::size_t announcements = 0;
    std::size_t frames = 0;  // of one message, announced on top of these
  };

  explicit ReceiveCredit(const Limits& limits) noexcept
      : limits_(limits), returned_at_(limits.bytes / kReturns) {}
  const Limits& limits() const noexcept { return limits_; }

  /// A message has come that costs so much, until that is given back. False, and it is not counted:
  /// the peer has sent more than it may.
  [[nodiscard]] bool take(std::size_t cost) noexcept {
    if (!hasRoomFor(cost)) return false;
    held_bytes_ += cost;
    return true;
  }
  /// What was taken is consumed, and owed to the peer. Returns what is to be given back to the peer
  /// now; 0: nothing yet.
  std::uint64_t giveBack(std::size_t cost) noexcept {
    held_bytes_ -= std::min(cost, held_bytes_);
    owed_bytes_ += cost;
    return owed_bytes_ < returned_at_ ? 0 : std::exchange(owed_bytes_, 0);
  }

  /// A message of this cost may be taken and given back in one step, for nothing has to be said to
  /// the peer then.
  bool mayPass(std::size_t cost) const noexcept {
    return hasRoomFor(cost) && owed_bytes_ + cost < returned_at_;
  }
  void pass(std::size_t cost) noexcept { owed_bytes_ += cost; }

  /// The peer has announced a message, or a frame of one. False, and it is not counted: there are
  /// too many.
  [[nodiscard]] bool takeAnnouncement(bool is_frame) noexcept {
    const bool has_room =
        held_announcements_ < limits_.announcements ||
        (is_frame && held_announcements_ - limits_.announcements < limits_.frames);
    if (has_room) ++held_announcements_;
    return has_room;
  }
  /// The payload of an announcement is asked for, or dropped.
  void giveBackAnnouncement() noexcept {
    if (held_announcements_ != 0) --held_announcements_;
  }

 private:
  /// So many times the credit goes back before all of it is used up.
  static constexpr std::size_t kReturns = 4;

  bool hasRoomFor(std::size_t cost) const noexcept { return cost <= limits_.bytes - held_bytes_; }

  const Limits limits_;
  const std::size_t returned_at_;       // so many bytes are owed: they go back
  std::size_t held_bytes_ = 0;          // taken, not consumed; never above the limit
  std::size_t owed_bytes_ = 0;          // consumed, not given back
  std::size_t held_announcements_ = 0;  // neither asked for nor dropped
};

}  // namespace ucxx::core
