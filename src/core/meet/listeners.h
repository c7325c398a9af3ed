// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include <ucxx/typedefs.h>

#include "base/id128.h"
#include "core/loop/loop.h"
#include "core/loop/rooms.h"
#include "door/door.h"

namespace ucxx::core {

class EndpointState;
class Loop;

/// A peer that asked a listener for an endpoint and waits for the answer.
struct ConnectionRequest {
  base::Id128 peer;
  EndpointState* endpoint = nullptr;  // passive until accepted
  std::uint64_t listener = 0;
};

/// A listener as the loop knows it.
struct ListenerState {
  std::uint64_t id = 0;
  ucp_listener_conn_callback_t callback = nullptr;
  void* argument = nullptr;
  door::SocketAddress bound;  // the first of its addresses
};

/// The listeners of a worker, who waits for their answer, and the worker's own door. Part of the
/// loop: whoever owns that calls this.
class Listeners {
 public:
  explicit Listeners(Loop& loop) : loop_(loop) {}

  door::SocketAddress listen(const std::vector<door::SocketAddress>& addresses, int backlog,
                             ListenerState listener);
  void stop(std::uint64_t listener) noexcept;
  /// Null when it has stopped.
  const ListenerState* find(std::uint64_t listener) const noexcept;
  /// Shows a request to its listener's user.
  void ask(ConnectionRequest request);
  /// The peer of a request has gone before the answer. What it has sent can still be received, but
  /// of many such requests the oldest are forgotten.
  void onGone(EndpointState& endpoint) noexcept;
  EndpointState& accept(ucp_conn_request_h request);
  void reject(ucp_conn_request_h request);
  /// Throws `std::invalid_argument` when it waits for no answer.
  const ConnectionRequest& request(ucp_conn_request_h handle) const;
  /// The address of the worker, which opens its own door at the first call.
  std::string address();

 private:
  struct Gone {
    std::uint64_t request = 0;
    std::size_t bytes = 0;  // that nobody has received
  };

  door::SocketAddress listenLocally(const door::SocketAddress& address, int backlog,
                                    std::uint64_t listener);
  /// The sockets of the worker's own door.
  std::vector<door::SocketAddress> openDoors();
  /// `request` has its answer, or gets none.
  EndpointState& take(const ConnectionRequest& request) noexcept;

  Loop& loop_;
  std::unordered_map<std::uint64_t, ListenerState> listeners_;
  std::unordered_map<std::uint64_t, ConnectionRequest> requests_;  // by the key of the endpoint
  std::deque<Gone> gone_;  // requests whose peer has, oldest first
  std::size_t gone_bytes_ = 0;
  std::string address_;
};

inline Listeners& listenersOf(const Loop& loop) noexcept { return *loop.rooms.listeners; }

}  // namespace ucxx::core
