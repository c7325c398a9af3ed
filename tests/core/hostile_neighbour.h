// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/file_descriptor.h"
#include "base/poller.h"
#include "base/shared_memory.h"
#include "core/bulk/help_terms.h"
#include "core/wire/wire.h"
#include "door/door.h"
#include "local/channel.h"
#include "local/hub.h"

namespace ucxx::core::test {

/// Before each copy between processes that this program makes (`process_vm_readv`, `..._writev`);
/// its argument counts them, from 1. Both sides are in this process, so a peer can do here what it
/// does between two steps of a copy.
struct CopyHooks {
  std::function<void(int)> on_read, on_write;
  int reads = 0, writes = 0;
};
CopyHooks& copyHooks();

/// A peer of this machine that passes the Unix door of a worker as all do, and then says anything
/// and writes anything to the memory that the two share.
class HostileNeighbour {
 public:
  static constexpr base::Id128 kName{5, 6};
  static constexpr std::uint32_t kAnnouncements = 64;  ///< that it lets the worker have

  struct Said {
    WireHeader header;
    std::vector<std::byte> payload;
  };

  /// Makes the pidfd that it gives away for its own.
  using MakeProcess = std::function<base::FileDescriptor()>;

  /// Calls the door where `local_name` is.
  explicit HostileNeighbour(const base::Id128& local_name, const MakeProcess& process = {});
  HostileNeighbour(const HostileNeighbour&) = delete;
  HostileNeighbour& operator=(const HostileNeighbour&) = delete;

  bool hasMet() const noexcept { return connection_ != nullptr; }
  void progress();
  /// What the worker has said so far.
  std::vector<Said> heard;
  /// It reads its ring.
  bool reads = true;
  /// Its door's socket ends; the shared memory stays.
  void hangUp() { connection_ = nullptr; }

  /// What the worker calls the link, which messages by UCX must name.
  std::uint64_t linkName() const noexcept { return link_; }
  /// The header of its next message.
  WireHeader next(MessageKind kind) noexcept;
  void send(const WireHeader& header, std::span<const std::byte> payload = {});
  void sendBytes(std::span<const std::byte> header, std::span<const std::byte> payload = {});
  /// False: the ring is full.
  bool trySendBytes(std::span<const std::byte> header) noexcept {
    return channel_->trySend(header, nullptr, 0);
  }
  /// A message without payload.
  void say(MessageKind kind, std::uint64_t argument = 0);
  void help(std::uint64_t number, const HelpTerms& terms);
  /// Announces `length` bytes at `address`.
  void announce(WireHeader header, std::uint64_t length, std::uint64_t address);

  /// @name The memory it shares with the worker
  /// @{
  local::EndMemory& ownEnd() const noexcept { return channel_->ownEnd(); }
  local::EndMemory& workersEnd() const noexcept { return channel_->peerEnd(); }
  /// All of the segment, as src/local/channel.cpp lays it out.
  std::span<std::byte> segment() const noexcept { return segment_.bytes(); }
  /// The ring that this peer writes.
  std::span<std::byte> ownRing() const noexcept;
  local::RingMemory& workersRing() const noexcept;
  local::BoardMemory& workersBoard() const noexcept;
  int workersBell() const noexcept { return bell_.get(); }
  /// @}

 private:
  door::Events doorEvents();
  local::Events hubEvents();
  void onWelcome(const door::Hello& hello, door::Descriptors descriptors,
                 std::unique_ptr<door::Connection> connection);

  base::Poller poller_;
  local::Hub hub_{poller_, hubEvents()};
  door::Door door_{poller_, doorEvents()};
  std::unique_ptr<local::Channel> channel_ = local::Channel::call(hub_);
  base::SharedMemory segment_, board_;
  base::FileDescriptor bell_;
  std::unique_ptr<door::Connection> connection_;
  std::uint64_t link_ = 0;
  std::uint32_t sequence_ = 0;
};

/// @name What stands in chunk words (local/chunks.h)
/// @{
constexpr std::uint64_t claimsOf(std::uint64_t round, std::uint64_t front, std::uint64_t back) {
  return round << 48 | front << 24 | back;
}
constexpr std::uint64_t doneOf(std::uint64_t round, std::uint64_t chunks, bool failed = false) {
  return round << 48 | std::uint64_t{failed} << 24 | chunks;
}
/// @}

}  // namespace ucxx::core::test
