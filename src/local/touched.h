// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/shared_memory.h"

namespace ucxx::local {

/// Which parts of a peer's library memory this process has touched: their pages count as its own
/// (RSS), too, until it lets go of them; the peer keeps them. A part is a whole MiB of addresses:
/// what the kernel maps around a page lies in one. One thread.
class Touched {
 public:
  static constexpr std::size_t kPartBytes = std::size_t{1} << 20;
  static constexpr std::size_t kMostParts = 128;

  /// `memory` must outlive this. Throws `std::bad_alloc`.
  explicit Touched(const base::SharedMemory& memory);

  /// This is about to be written, or read. Of more than `most` parts (1 to `kMostParts`) those that
  /// were touched first are let go.
  void touch(std::size_t offset, std::size_t bytes, bool is_written, std::size_t most) noexcept;
  /// Lets go of all if nothing was touched since the last call. True: there is still some.
  bool keepIfUsed() noexcept;
  bool empty() const noexcept { return count_ == 0; }
  std::size_t bytes() const noexcept { return count_ * kPartBytes; }

 private:
  /// What of the memory lies in a part.
  std::size_t beginOf(std::size_t part) const noexcept;
  void add(std::size_t part, std::size_t most) noexcept;
  void letGoOfFirst() noexcept;

  const base::SharedMemory& memory_;
  const std::size_t before_;                       // bytes of the first part before the memory
  std::vector<bool> is_touched_;                   // of each part
  std::array<std::uint32_t, kMostParts> parts_{};  // a ring: those, the first one at `first_`
  std::size_t first_ = 0, count_ = 0;
  bool was_used_ = false;  // since the last look
};

}  // namespace ucxx::local
