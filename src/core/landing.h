// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <utility>

#include <ucs/type/status.h>

#include "core/device_copies.h"

namespace ucxx::core {

class EndpointState;
class Loop;
struct Announcement;
struct Message;
struct Operation;

/// Memory of the host for `size` bytes, not none, that are to land in memory of a device.
/// `is_from_far`: they come from another machine, and may be less. Throws `std::bad_alloc`.
std::shared_ptr<std::byte> landingMemory(std::size_t size, bool is_from_far);

/// What a receive takes into memory of a device. The processor does not reach that: what comes is
/// written to memory of the host first, and lands when all of it is there, by copies that the loop
/// starts and does not wait for. Until then the receive is as one into memory of the host: it can
/// be cancelled, and its message given back. While it lands (`Stage::Landing`) it ends by itself.
class Landing {
 public:
  Landing() = default;
  Landing(const Landing&) = delete;
  Landing& operator=(const Landing&) = delete;

  /// What lands does so behind it.
  void setGate(std::shared_ptr<CopyGate> gate) noexcept { gate_ = std::move(gate); }
  const std::shared_ptr<CopyGate>& gate() const noexcept { return gate_; }
  /// Memory as above for bytes that are to land at `place`. Throws `std::bad_alloc`.
  std::byte* where(void* place, std::size_t size, bool is_from_far);
  /// The same of bytes that are in memory already, which is held.
  void add(void* place, const std::byte* bytes, std::size_t size, std::shared_ptr<void> held);
  /// Nothing is to land.
  bool isEmpty() const noexcept { return parts_.empty(); }
  /// What was to land does not.
  void drop() noexcept { parts_.clear(); }
  /// All bytes are there. `op` goes on by `landed(op, status)` when the last one has landed,
  /// perhaps inside this call.
  void start(Operation& op) noexcept;
  /// What was received is in memory of a device, or comes there: its message cannot go back.
  bool hasStarted() const noexcept { return op_ != nullptr; }

 private:
  struct Part final : DeviceCopy {
    std::shared_ptr<void> memory;
    Landing* landing = nullptr;
  };
  void ended(ucs_status_t status) noexcept;

  std::list<Part> parts_;  // of which each stays in its place
  std::shared_ptr<CopyGate> gate_;
  std::size_t coming_ = 0;
  ucs_status_t status_ = UCS_OK;
  Operation* op_ = nullptr;
};

/// What was received by `op` is in its places; or cannot get there.
void landed(Operation& op, ucs_status_t status);

/// Whoever writes the payload of `announcement` reaches memory of devices: UCX, if it knows CUDA;
/// what the channel brings is copied there; where there is no driver all memory is the host's.
bool reachesDevices(const Loop& loop, const Announcement& announcement) noexcept;

/// What a receive into memory of a device comes behind; null: nothing.
std::shared_ptr<CopyGate> gateOf(const Operation& op) noexcept;

/// `op` gets bytes of `sender`, of the own worker, and the processor does not reach both.
bool needsCopies(const Operation& sender, std::size_t size, const Operation& op) noexcept;
/// The sender of a piece of a stream is in memory of a device.
bool needsCopies(const Message& piece) noexcept;

/// `size` bytes of `sender`, a send of the own worker's, which lie at `from`, unless it has several
/// blocks: some of them, or `to`, are in memory of a device. They are a part of each of the two,
/// which ends when they are there.
void copyFromSender(Operation& sender, const void* from, std::size_t size, Operation& op,
                    void* to) noexcept;
/// The same for the oldest piece of a stream.
void copyPieceFromSender(EndpointState& endpoint, Operation& sender, std::size_t size,
                         void* to) noexcept;

}  // namespace ucxx::core
