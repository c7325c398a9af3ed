// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "core/remote.h"

namespace ucxx::core::test {

/// A buffer of whoever it is: memory of the library, which local peers map, or the program's.
class Memory {
 public:
  Memory(const std::shared_ptr<Context>& context, Owner owner, std::size_t size)
      : own_(owner == Owner::User ? size + 1 : 0), size_(size) {
    if (owner == Owner::Library) handle_ = createMemoryHandle(context, size);
    clear();
  }
  std::byte* data() {
    return handle_ != nullptr ? reinterpret_cast<std::byte*>(handle_->getBaseAddress())
                              : own_.data();
  }
  std::size_t size() const { return size_; }
  void clear() {
    if (size_ != 0) std::memset(data(), 0, size_);
  }
  void fill(unsigned seed) {
    if (size_ != 0) std::memcpy(data(), bytes(size_, seed).data(), size_);
  }
  bool has(unsigned seed, std::size_t first, std::size_t count) {
    return std::memcmp(data() + first, bytes(size_, seed).data() + first, count) == 0;
  }
  bool has(unsigned seed) { return size_ == 0 || has(seed, 0, size_); }

 private:
  std::vector<std::byte> own_;
  std::shared_ptr<MemoryHandle> handle_;
  std::size_t size_;
};

}  // namespace ucxx::core::test
