// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <memory>

#include "core/onesided/memory_key.h"

namespace ucxx::core {

/// The library's half of a `ucxx::MemoryHandle`: memory of this process that peers may reach, from
/// here on until the end.
class RegisteredMemory {
 public:
  /// `buffer`, or memory of the library when that is null. Throws `std::bad_alloc`.
  RegisteredMemory(std::size_t size, void* buffer);
  ~RegisteredMemory();
  RegisteredMemory(const RegisteredMemory&) = delete;
  RegisteredMemory& operator=(const RegisteredMemory&) = delete;

  /// What peers are told.
  const MemoryKey& key() const noexcept { return key_; }

 private:
  std::shared_ptr<void> own_;  // the memory, if it is the library's
  MemoryKey key_;
};

}  // namespace ucxx::core
