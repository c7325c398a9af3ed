// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <ucs/type/status.h>

#include "core/bulk/copies.h"
#include "core/bulk/device_fetches.h"
#include "core/bulk/fetch.h"
#include "core/bulk/grants.h"
#include "core/bulk/ways.h"
#include "core/channel/incoming.h"
#include "local/way.h"

namespace ucxx::core {

class EndpointState;
class Port;
class CopyGate;
struct Operation;

/// The payloads that a peer has announced: each is fetched into a buffer, by UCX, through the
/// channel in pieces, or copied by both processes; or it is dropped. Part of a link.
class IncomingPayloads {
 public:
  explicit IncomingPayloads(Port& port) noexcept;
  IncomingPayloads(const IncomingPayloads&) = delete;
  IncomingPayloads& operator=(const IncomingPayloads&) = delete;

  /// Gets the bytes of an announcement into `buffer`, as a part of `op`.
  void fetch(Operation& op, const Announcement& announcement, void* buffer, std::size_t size);
  /// Gets the bytes of the oldest piece of the stream of `endpoint`.
  void fetchPiece(EndpointState& endpoint, const Announcement& announcement, void* buffer,
                  std::size_t size);
  /// Gets the bytes of an announcement; `fetch` says for whom.
  void start(Fetch& fetch, const Announcement& announcement, void* buffer, std::size_t size);
  /// Nobody wants the bytes of an announcement.
  void drop(const Announcement& announcement) noexcept;

  /// Payloads are on their way.
  bool isFetching() const noexcept { return fetches_ != 0; }
  /// Receives wait for some of them.
  bool isFetchingForReceives() const noexcept { return fetches_ != ahead_fetches_; }

  /// Receives of `endpoint` end with `status`: what still comes for them goes nowhere. Those that
  /// UCX writes to end by themselves.
  void revoke(const EndpointState& endpoint, ucs_status_t status);
  /// The link has ended.
  void end(ucs_status_t status) noexcept;

  /// @name What the ways of a payload tell
  /// @{
  /// Asks the peer for the bytes of an announcement that is fetched, now.
  void ask(Fetch& fetch, const Announcement& announcement, void* buffer, std::size_t size);
  /// Asks the peer for the bytes of an announcement in pieces, through the channel.
  void askForPieces(std::uint64_t number, void* buffer, std::size_t size, Fetch& fetch);
  /// A copy is not possible any more: it comes in pieces, from the beginning.
  void copyFailed(std::uint64_t number, void* buffer, std::size_t size, Fetch& fetch);
  /// Bytes of a fetch have come through the channel.
  void came(const Fetch& fetch, const void* bytes, std::size_t size) noexcept;
  /// Returns what is told to whom it was for.
  ucs_status_t ended(const Fetch& fetch, ucs_status_t status) noexcept;
  /// Nobody wants the bytes of an announcement for which a fetch has begun.
  void dropBegun(const Announcement& announcement) noexcept;
  /// @}

  /// @name What is possible
  /// @{
  /// The processor of this side can copy memory of the peer that is `address`, and `size` bytes.
  bool canRead(std::uint64_t address, std::size_t size) const noexcept;
  /// The processor of this side can copy what the peer has staged for it.
  bool canReadStaged() const noexcept;
  /// From device to device, of this process and the peer's.
  bool mayFetchByUcx() const noexcept;
  /// @}

  /// @name The parts, each with a rule of its own: what concerns one alone is said to it
  /// @{
  /// Which way is measured, and chosen.
  Ways ways;
  /// In pieces, through the channel.
  Grants grants;
  /// Copied by both processes.
  Copies copies;
  /// Where one of the memories is a device's.
  DeviceFetches device_fetches;
  /// @}

 private:
  void askBehind(std::shared_ptr<CopyGate> gate, Fetch& fetch, const Announcement& announcement,
                 void* buffer, std::size_t size);
  ucs_status_t askFor(const Announcement& announcement, void* buffer, std::size_t size,
                      Fetch& fetch);
  local::Way chooseWay(const Announcement& announcement, void* buffer, std::size_t size,
                       Fetch& fetch) noexcept;
  bool mayCopy() const noexcept;
  bool isOfAnotherProcess() const noexcept;

  Port& port_;
  std::size_t fetches_ = 0;        // payloads on their way
  std::size_t ahead_fetches_ = 0;  // of those, without a receive
};

}  // namespace ucxx::core
