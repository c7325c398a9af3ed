// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/poller.h"
#include "door/calls.h"
#include "door/descriptor_reserve.h"
#include "door/door.h"
#include "door/half_opens.h"
#include "door/heartbeats.h"
#include "door/listening_socket.h"

namespace ucxx::door {

/// What the parts of one door share, and the parts.
struct DoorState {
  DoorState(base::Poller& poller, const Events& events, const Limits& limits, SharedSecret secret,
            const Patience& patience)
      : poller(poller),
        events(events),
        limits(limits),
        secret(std::move(secret)),
        patience(patience) {}

  /// Whether `listener` is still one of this door's; it may be a stale pointer.
  bool isListening(const ListeningSocket* listener) const noexcept;
  /// Makes an introduced socket, known to the poller, a connection.
  std::unique_ptr<Connection> establish(base::FileDescriptor socket, const SocketAddress& peer);

  base::Poller& poller;
  const Events events;
  const Limits limits;
  const SharedSecret secret;
  const Patience patience;
  Counters counters;
  std::shared_ptr<DescriptorReserve> reserve;  // once it listens
  std::vector<std::unique_ptr<ListeningSocket>> listeners;
  HalfOpens half_opens{*this};
  Calls calls{*this};
  Heartbeats heartbeats;
};

struct Door::Impl : DoorState {
  using DoorState::DoorState;
};

}  // namespace ucxx::door
