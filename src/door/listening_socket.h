// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "base/file_descriptor.h"
#include "base/poller.h"
#include "base/rare_line.h"
#include "door/door.h"

namespace ucxx::door {

struct DoorState;

/// One bound address. Nothing that goes wrong with a caller, or for want of descriptors, ends it.
class ListeningSocket final : base::PollHandler {
 public:
  ListeningSocket(DoorState& door, std::uint64_t id, const SocketAddress& address, int backlog);
  ~ListeningSocket();
  ListeningSocket(const ListeningSocket&) = delete;
  ListeningSocket& operator=(const ListeningSocket&) = delete;

  std::uint64_t id() const noexcept { return id_; }
  SocketAddress address() const noexcept;

  /// When it accepts again; `max()` while it does.
  base::TimePoint pausedUntil() const noexcept { return paused_until_; }
  void onTime(base::TimePoint now);

 private:
  void onReady(std::uint32_t events) override;
  bool acceptOne();
  bool onAcceptError(int error);
  void reportDrought();
  void sendOneAway();
  void pause();

  DoorState& door_;
  const std::uint64_t id_;
  base::FileDescriptor socket_;
  base::TimePoint paused_until_ = base::TimePoint::max();
  base::RareLine drought_;
};

}  // namespace ucxx::door
