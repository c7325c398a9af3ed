// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>

#include <ucs/type/status.h>

namespace ucxx::core {

class Port;
struct Fetch;

/// The receiving half of the library's own rendezvous: buffers into which payloads of the peer come
/// in pieces, each payload in its order. Part of a link.
class Grants {
 public:
  explicit Grants(Port& port) noexcept : port_(port) {}
  Grants(const Grants&) = delete;
  Grants& operator=(const Grants&) = delete;

  /// An announcement of the peer has come, in its turn: what both sides call it.
  std::uint64_t nextNumber() noexcept { return ++last_number_; }
  /// The payload of announcement `number` comes into `buffer`; `fetch` is told when all of it,
  /// which is not nothing, is there.
  void add(std::uint64_t number, void* buffer, std::size_t size, Fetch& fetch);
  /// The next bytes of `number`. False: there is no room granted for them.
  [[nodiscard]] bool take(std::uint64_t number, const void* bytes, std::size_t size) noexcept;
  /// Nothing of `number` comes: its fetch ends with `status`. False: it is not granted, or
  /// some of it has come.
  [[nodiscard]] bool refuse(std::uint64_t number, ucs_status_t status) noexcept;
  /// What comes for these fetches, which end with `status`, goes nowhere from now on.
  void revoke(const std::function<bool(const Fetch&)>& chosen, ucs_status_t status);
  /// Nothing more comes.
  void end(ucs_status_t status) noexcept;

 private:
  struct Grant {
    std::byte* next = nullptr;
    std::size_t size = 0;
    std::size_t left = 0;
    bool has_begun = false;
    Fetch* fetch = nullptr;  // null: revoked
  };

  /// So many more come through the link, or less.
  void count(std::ptrdiff_t difference) const noexcept;

  Port& port_;
  std::map<std::uint64_t, Grant> grants_;  // by the number of their announcement
  std::uint64_t last_number_ = 0;
};

}  // namespace ucxx::core
