// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <span>

#include <ucs/type/status.h>

#include "base/clock.h"
#include "base/file_descriptor.h"
#include "base/poller.h"
#include "door/door.h"

namespace ucxx::door {

struct DoorState;

/// What established peers send each other: a beat now and then, and one answer to all the beats
/// that were read together.
inline constexpr std::byte kBeat{0xb1};
inline constexpr std::byte kBeatAnswer{0xb2};
inline constexpr int kMaxUnanswered = 4096;

struct Connection::Impl final : base::PollHandler {
  Impl(DoorState& door, base::FileDescriptor socket, const SocketAddress& peer);
  ~Impl();

  /// The door is going away: no events from now on.
  void forgetDoor() noexcept;
  void sendBeat() noexcept;
  /// While beats are under way.
  void setTense(bool tense) noexcept;

  Connection* self = nullptr;
  DoorState* door;  // null when the door is gone
  base::FileDescriptor socket;
  const SocketAddress local;
  const SocketAddress peer;
  const bool same_kernel;  // by the addresses; containers of one machine differ
  const Patience patience;
  bool expecting = false;
  bool expected = false;  // at some time since the last beat
  bool lost = false;
  int unanswered = 0;

  // Of `Heartbeats`.
  std::list<Impl*>::iterator place{};
  bool beating = false;
  base::TimePoint due{};

 private:
  void onReady(std::uint32_t events) override;
  ucs_status_t read() noexcept;
  ucs_status_t understand(std::span<const std::byte> bytes) noexcept;
  void lose(ucs_status_t status);

  bool tense_ = false;
};

}  // namespace ucxx::door
