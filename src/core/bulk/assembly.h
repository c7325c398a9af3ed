// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>

#include <ucxx/typedefs.h>

#include "local/way.h"

namespace ucxx::core {

class EndpointState;
class Port;
class Ways;
struct Incoming;
struct Message;
struct Operation;

/// The transfer whose fragments come next, and where they go: into a receive, into a message that
/// waits for one, or nowhere. Part of a link.
class Assembly {
 public:
  Assembly(Port& port, Ways& ways) noexcept : port_(port), ways_(ways) {}
  Assembly(const Assembly&) = delete;
  Assembly& operator=(const Assembly&) = delete;

  /// Fragments are missing.
  bool isActive() const noexcept { return offset_ != length_; }
  /// The rest of `first` goes to `receiver` or `kept` (none: nowhere).
  void begin(const Incoming& first, Operation* receiver, Message* kept) noexcept;
  /// What is still to come goes to `receiver`.
  void handTo(Operation& receiver) noexcept;
  /// What is still to come goes nowhere, if it went to `kept`.
  void forget(const Message& kept) noexcept;
  /// The next fragment. False: it is not.
  [[nodiscard]] bool take(std::uint64_t offset, const void* bytes, std::size_t size);
  /// What is still to come goes nowhere, if it went to a receive of `endpoint`, which ends with
  /// `status`.
  void revoke(const EndpointState& endpoint, ucs_status_t status) noexcept;
  /// Nothing more comes: a receive that had begun ends.
  void end(ucs_status_t status) noexcept;

 private:
  std::byte* target() const noexcept;
  void stopTiming(bool whole) noexcept;

  Port& port_;
  Ways& ways_;
  Message* message_ = nullptr;
  Operation* receiver_ = nullptr;
  std::uint64_t offset_ = 0;
  std::uint64_t length_ = 0;
  bool is_timed_ = false;
  local::Way way_ = local::Way::Cached;
};

}  // namespace ucxx::core
