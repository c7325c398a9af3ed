// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <utility>

#include <ucs/type/status.h>

#include "core/request/device_copies.h"

namespace ucxx::core {

class Loop;
struct Announcement;
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

  /// Takes from the call that posts the receive (known_memory.h) what must be done before the bytes
  /// land, and until when the memory that they come through must stay.
  void setCaller() noexcept;
  const std::shared_ptr<CopyGate>& gate() const noexcept { return gate_; }
  /// That memory stays when it has landed, so that the message can be given back: the caller says
  /// when it has taken it.
  bool isTold() const noexcept { return is_told_; }
  /// Memory as above for bytes that are to land at `place`. Throws `std::bad_alloc`.
  std::byte* where(void* place, std::size_t size, bool is_from_far);
  /// Bytes that are in memory already, which is held, are to land at `place`.
  void add(void* place, const std::byte* bytes, std::size_t size, std::shared_ptr<void> held);
  /// Nothing is to land.
  bool isEmpty() const noexcept { return parts_.empty(); }
  /// What was to land does not.
  void drop() noexcept { parts_.clear(); }
  /// All of it waits for the gate.
  bool isAtGate() const noexcept;
  /// What waits for the gate does not land after all.
  void withdraw(DeviceCopies& copies) noexcept;
  /// The bytes have landed, and the memory from where goes: nothing can be given back.
  void letGo() noexcept { is_let_go_ = true; }
  bool isLetGo() const noexcept { return is_let_go_; }
  /// All bytes are there. `op` goes on by `landed(op, status)` when the last one has landed,
  /// perhaps inside this call.
  void start(Operation& op) noexcept;

 private:
  struct Part final : DeviceCopy {
    Landing* landing = nullptr;
  };
  void ended(ucs_status_t status) noexcept;

  std::list<Part> parts_;  // of which each stays in its place
  std::shared_ptr<CopyGate> gate_;
  std::size_t coming_ = 0;
  ucs_status_t status_ = UCS_OK;
  bool is_told_ = false;
  bool is_let_go_ = false;
  Operation* op_ = nullptr;
};

/// What was received by `op` is in its places; or cannot get there.
void landed(Operation& op, ucs_status_t status);

/// Whoever brings the payload of `announcement` brings it to memory of devices as well: UCX, if it
/// knows CUDA; what the channel brings is copied there (device_fetches.h); where there is no driver
/// all memory is the host's.
bool comesToDevices(const Loop& loop, const Announcement& announcement) noexcept;

/// `op` takes what comes to `place` straight into memory of a device, as it was known when it was
/// posted, or its buffer was made.
bool isOnDevice(const Operation& op, const void* place) noexcept;

/// What a receive into memory of a device comes behind; null: nothing.
std::shared_ptr<CopyGate> gateOf(const Operation& op) noexcept;

/// The bytes of `op`, which has ended, have landed, and are nowhere else.
bool isLetGo(const Operation& op) noexcept;
/// `op` has ended with success, and is not given back any more.
void letMessageGo(Operation& op) noexcept;

/// Nobody wants the message of `op` any more. As long as the gate is shut it comes no further than
/// into memory of the host, from where it goes back. That may end `op`.
void turnBack(Operation& op) noexcept;
/// Where the `size` bytes of such a tag message come instead; null: there is no memory.
void* placeOnHost(Operation& op, std::size_t size) noexcept;

}  // namespace ucxx::core
