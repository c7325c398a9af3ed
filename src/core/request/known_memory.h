// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <span>
#include <utility>

#include <ucxx/export.h>

namespace ucxx::core {

class CopyGate;

/// `Asked`: a device's, as the driver has said.
enum class MemoryOf : unsigned char { Unknown, Host, Device, Asked };

/// What a caller that is part of the library (the Python package) knows of the buffers of the one
/// call that it makes next, so that the driver of CUDA is not asked for the host's. Of this thread,
/// as long as this lives. Each address is believed once, in the order given: what a callback posts
/// inside that call is asked about as ever.
class KnownMemory {
 public:
  /// The buffers of one call, in the order of its arguments. The list has to live as long.
  KnownMemory(std::span<const void* const> buffers, MemoryOf whose) noexcept
      : buffers_(buffers), whose_(whose), outer_(std::exchange(innermost, this)) {}
  /// The buffers of a receive into memory of a device, which comes behind `gate`. `is_told`: the
  /// caller says by `Request::takeMessage` when it does not give the message back any more.
  KnownMemory(std::span<const void* const> buffers, MemoryOf whose,
              const std::shared_ptr<CopyGate>& gate, bool is_told = false) noexcept
      : KnownMemory(buffers, whose) {
    gate_ = &gate;
    is_told_ = is_told;
  }
  ~KnownMemory() { innermost = outer_; }
  KnownMemory(const KnownMemory&) = delete;
  KnownMemory& operator=(const KnownMemory&) = delete;

  /// Null: nothing is to be waited for.
  static std::shared_ptr<CopyGate> gate() noexcept {
    return innermost == nullptr || innermost->gate_ == nullptr ? nullptr : *innermost->gate_;
  }
  static bool isTold() noexcept { return innermost != nullptr && innermost->is_told_; }
  static MemoryOf of(const void* address) noexcept {
    KnownMemory* const known = innermost;
    if (known == nullptr || known->buffers_.empty() || known->buffers_.front() != address)
      return MemoryOf::Unknown;
    known->buffers_ = known->buffers_.subspan(1);
    return known->whose_;
  }

 private:
  // Set twice for each call: without a call for its place.
  [[gnu::tls_model(
      "initial-exec")]] static UCXX_PUBLIC constinit thread_local KnownMemory* innermost;

  std::span<const void* const> buffers_;  // those that nobody has asked about yet
  const MemoryOf whose_;
  const std::shared_ptr<CopyGate>* gate_ = nullptr;
  bool is_told_ = false;
  KnownMemory* const outer_;
};

/// The buffer of a receive that was found to be a device's: the call for blocks, which is made
/// next, need not ask again.
class KnownDevice {
 public:
  explicit KnownDevice(const void* buffer) noexcept : buffer_(buffer) {}
  KnownDevice(const KnownDevice&) = delete;
  KnownDevice& operator=(const KnownDevice&) = delete;

 private:
  const void* const buffer_;
  const std::shared_ptr<CopyGate> gate_ = KnownMemory::gate();
  const KnownMemory known_{{&buffer_, 1}, MemoryOf::Asked, gate_, KnownMemory::isTold()};
};

}  // namespace ucxx::core
