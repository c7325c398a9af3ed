// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/clock.h"
#include "base/file_descriptor.h"
#include "base/poller.h"
#include "local/bell.h"
#include "local/channel.h"
#include "local/choices.h"

namespace ucxx::local {

/// How the local channels of a worker call up: from inside `Hub::progress`, and `onDeath` from the
/// poller. None of them may destroy a channel that has begun.
struct Events {
  void* owner = nullptr;
  /// `context` is the channel's. Both lie in memory that a hostile peer may still change: copy what
  /// is parsed before it is checked. Returns how many bytes of it count for
  /// `choices::kBytesTakenAtOnce`.
  std::size_t (*onMessage)(void* owner, void* context, std::span<const std::byte> header,
                           std::span<const std::byte> payload) = nullptr;
  /// The peer wrote what no peer writes; told once, nothing more comes from it.
  void (*onBroken)(void* owner, void* context) = nullptr;
  /// The peer's process has ended; what it had sent before may still come. Told once.
  void (*onDeath)(void* owner, void* context) = nullptr;
  /// Whether a thread sleeps on the poller: then the rings of peers are left to it.
  bool (*hasSleepers)(void* owner) = nullptr;
};

/// All local channels of a worker: which of them are polled, and how the worker sleeps. Touched by
/// its loop.
class Hub final : private base::PollHandler {
 public:
  Hub(base::Poller& poller, const Events& events);
  ~Hub();
  Hub(const Hub&) = delete;
  Hub& operator=(const Hub&) = delete;

  /// True: something has come or gone.
  bool progress();
  /// A message has come by a ring that is polled ...
  bool hasCome() const noexcept {
    for (const Channel* channel : hot_) {
      if (channel->hasCome()) return true;
    }
    return false;
  }
  /// ... and is taken: a part of `progress`.
  bool takeSeen();
  /// Nothing else is to be done but now and then: few rings are polled, and nothing waits for room.
  bool hasFewRings() const noexcept { return stuck_.empty() && hot_.size() <= choices::kAlwaysHot; }
  /// From now on peers ring, until `endSleep`. False: there is work, do not sleep.
  bool announceSleep();
  void endSleep() noexcept;
  /// When the owner, who has announced a sleep, ends it even if nobody rings: the fence may have
  /// missed a peer (base/foreign_fence.h). The pauses grow when looks find nothing.
  base::TimePoint nextLook(base::TimePoint now) noexcept;
  /// Sends of what waits for room what there is room for; a part of `progress`.
  bool sendWaiting();
  bool isHoldingBack() const noexcept { return !stuck_.empty(); }
  /// Something has come or gone in the last rounds.
  bool isBusy() const noexcept { return idle_rounds_ < kBusyRounds; }

 private:
  friend class Channel;

  /// @name For channels
  /// @{
  std::uint32_t enter(Channel& channel);
  void leave(Channel& channel) noexcept;
  /// What each peer is given: board, bell, process.
  std::vector<int> descriptors() const;
  /// Its process, of which is told from `begin` on.
  void watch(Channel& channel);
  void begin(Channel& channel);
  void processEnded(Channel& channel);
  /// Its ring is polled from now on.
  void warm(Channel& channel) noexcept;
  /// It has sends that wait for room.
  void stick(Channel& channel) noexcept;
  /// @}

  /// About 20 us.
  static constexpr std::uint32_t kBusyRounds = 1024;
  /// Rounds in which something has come, of which one looks at the board.
  static constexpr std::uint32_t kLookAfter = 16;
  static constexpr base::Duration kFirstPause = std::chrono::milliseconds(1);
  static constexpr base::Duration kLongestPause = std::chrono::seconds(1);

  void onReady(std::uint32_t events) override;
  bool poll(Channel& channel);
  void stopWatching(Channel& channel) noexcept;
  void noteMove() noexcept;
  void checkWhole(Channel& channel);
  bool takeRaised();
  void coolIdle();

  base::Poller& poller_;
  const Events events_;
  Board board_;
  base::FileDescriptor own_process_;
  std::vector<Channel*> slots_;  // null: free
  std::vector<Channel*> hot_;    // polled in each round
  std::vector<Channel*> stuck_;
  std::uint32_t idle_rounds_ = kBusyRounds;
  std::uint32_t busy_rounds_ = 0;
  base::Duration pause_ = kFirstPause;                  // until the next look
  base::TimePoint next_look_ = base::TimePoint::max();  // none since something has moved
};

}  // namespace ucxx::local
