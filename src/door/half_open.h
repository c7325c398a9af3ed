// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "base/file_descriptor.h"
#include "base/poller.h"
#include "door/door.h"
#include "door/handshake.h"

namespace ucxx::door {

struct DoorState;

/// Somebody who was accepted and is not introduced yet. Owned by `HalfOpens`.
class HalfOpen final : base::PollHandler {
 public:
  HalfOpen(DoorState& door, std::uint64_t listener, base::FileDescriptor socket,
           const SocketAddress& from, base::TimePoint deadline, bool is_held);
  ~HalfOpen();
  HalfOpen(const HalfOpen&) = delete;
  HalfOpen& operator=(const HalfOpen&) = delete;

  std::uint64_t listener() const noexcept { return listener_; }
  const SocketAddress& from() const noexcept { return from_; }
  base::TimePoint deadline() const noexcept { return deadline_; }

  /// Not looked at before `release`.
  bool isHeld() const noexcept { return is_held_; }
  void release();
  /// Something has come that was not looked at.
  bool hasUnread() const noexcept;
  /// Goes as far as the bytes that are there allow. May destroy this object.
  void advance();
  /// Ends it now, or, if the owner is just deciding about it, when that is done.
  void abandon();
  /// Its place is another's: it is told to come again. Destroys this object, unless the owner is
  /// just deciding about it.
  void makeRoom();

 private:
  void onReady(std::uint32_t events) override;
  void goOn();
  bool decide();
  void askOwner();
  int speak();
  void settle();
  void watch();
  void becomeConnection();
  void end();
  void count();

  DoorState& door_;
  const std::uint64_t listener_;
  base::FileDescriptor socket_;
  const SocketAddress from_;
  const base::TimePoint deadline_;
  Handshake handshake_;
  bool is_held_;
  bool gone_ = false;  ///< it hung up, though some of its bytes may still be unread
  bool deciding_ = false;
  bool abandoned_ = false;
};

}  // namespace ucxx::door
