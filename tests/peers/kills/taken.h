// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <ucxx/api.h>

namespace ucxx::kills {

/// Library memory that somebody takes just now, for himself: what was given back before is this.
class Taken {
 public:
  /// Blocks as small as those of words, and of `size`.
  Taken(const std::shared_ptr<Context>& context, std::size_t size) {
    for (int i = 0; i < 32; ++i) take(context, kPage);
    for (int i = 0; i < 2; ++i) take(context, size);
  }
  bool isUntouched() const {
    return std::all_of(handles_.begin(), handles_.end(), [](const auto& handle) {
      const auto bytes = bytesOf(*handle);
      return std::all_of(bytes.begin(), bytes.end(), [](std::byte one) { return one == kOwn; });
    });
  }

 private:
  static constexpr std::size_t kPage = 4096;
  static constexpr std::byte kOwn{0x3a};

  static std::span<std::byte> bytesOf(MemoryHandle& handle) {
    return {reinterpret_cast<std::byte*>(handle.getBaseAddress()), handle.getSize()};
  }
  void take(const std::shared_ptr<Context>& context, std::size_t size) {
    handles_.push_back(createMemoryHandle(context, size));
    std::ranges::fill(bytesOf(*handles_.back()), kOwn);
  }

  std::vector<std::shared_ptr<MemoryHandle>> handles_;
};

}  // namespace ucxx::kills
