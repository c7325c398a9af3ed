// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "tools/perftest/cuda_memory.h"
#include "tools/perftest/session.h"
#include "tools/perftest/traffic.h"

namespace ucxx::tools {

/// A block of zeroes, at first. Its alignment is the same in every run: whole pages of the host,
/// or what CUDA's driver gives.
class Memory {
 public:
  Memory(std::size_t size_bytes, bool is_librarys);
  Memory(std::size_t size_bytes, const Cuda& cuda) : block_(cuda.allocate(size_bytes)) {}
  unsigned char* data() const noexcept { return static_cast<unsigned char*>(block_.get()); }

 private:
  std::shared_ptr<void> block_;
};

/// What one side sends and receives, in the kinds of memory that its session says.
class Buffers {
 public:
  Buffers(const Session& session, const Plan& plan);

  /// The kind of memory in which the `size` bytes at `came` are, if they are those that were sent.
  std::optional<MemoryKind> look(const void* came, MemoryKind kind) const;

  const std::size_t size;
  const Memory out, in;

 private:
  const MemoryKind sent_from_;
  const std::shared_ptr<const Cuda> cuda_;
};

}  // namespace ucxx::tools
