// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include <ucs/type/status.h>

namespace ucxx::core {

class EndpointState;
class Port;

/// Announced active messages for registered receivers. They need no receive, so nothing of the
/// user's bounds their memory: as many bytes of them come at a time as a peer may send unexpectedly
/// (or one message). The others wait in the queues of their endpoints, their payload with its
/// sender; here is only in which order they are begun. Part of a link.
class Intake {
 public:
  explicit Intake(Port& port) : port_(port) {}
  Intake(const Intake&) = delete;
  Intake& operator=(const Intake&) = delete;

  /// One of `size` bytes that comes now would have to wait.
  bool mustWait(std::size_t size) const noexcept { return !order_.empty() || !hasRoomFor(size); }
  /// One that is to be in the queue of `endpoint` waits. Throws `std::bad_alloc`.
  void waits(const EndpointState& endpoint);
  void begins(std::size_t size) noexcept;
  /// One that began is over, and its receiver has been called: others may come.
  void ends(std::size_t size) noexcept;
  /// What waits for `from` waits for `to` now.
  void moves(const EndpointState& from, const EndpointState& to) noexcept;
  /// The link has ended: the receivers of what waits are told so.
  void end(ucs_status_t status) noexcept;

 private:
  /// Operations at a time: the smallest message has one, too.
  static constexpr std::size_t kMostAtOnce = 1024;

  bool hasRoomFor(std::size_t size) const noexcept;
  EndpointState* next() noexcept;

  Port& port_;
  std::deque<std::uint64_t> order_;  // keys of endpoints, once for each message; they may be gone
  std::size_t coming_ = 0;
  std::size_t coming_bytes_ = 0;
  bool is_starting_ = false;  // one that ends inside starts none
};

}  // namespace ucxx::core
