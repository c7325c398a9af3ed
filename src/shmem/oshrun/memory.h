// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/shared_memory.h"
#include "shmem/memory/control.h"
#include "shmem/memory/layout.h"

namespace ucxx::shmem::oshrun {

/// A long wait of a PE.
struct Wait {
  std::string call;  ///< the function
  int awaited = -1;  ///< the PE that it waits for, or -1
  std::uint32_t number = 0;
  bool operator==(const Wait&) const = default;
};

/// The memory that the PEs share, as oshrun sees it. What the PEs have written there is looked at
/// and never believed.
class JobMemory {
 public:
  /// For so many PEs, with so many bytes each. Throws `Refusal`, with the sizes and the limits of
  /// the system, where there is not enough.
  void make(int pes, std::uint64_t heap_bytes, std::uint64_t statics_bytes);

  bool isMade() const noexcept { return static_cast<bool>(memory_); }
  int descriptor() const noexcept { return memory_.descriptor(); }
  const Layout& layout() const noexcept { return layout_; }

  PeState stateOf(int pe) const noexcept;
  std::optional<Wait> waitOf(int pe) const;
  /// The status of the first shmem_global_exit, from 0 to 255.
  std::optional<int> exitStatus() const noexcept;

 private:
  void reserve(const Layout& layout);
  const Control& control(int pe) const noexcept;

  Layout layout_;
  base::SharedMemory memory_;
};

/// No more than `most` characters, without any that a terminal obeys.
std::string printable(const char* text, std::size_t most);

}  // namespace ucxx::shmem::oshrun
