// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "shmem/joining/launch.h"
#include "shmem/oshrun/admission.h"
#include "shmem/oshrun/memory.h"
#include "shmem/oshrun/pe.h"

namespace ucxx::shmem::oshrun {

/// What a message of a PE means for the job.
struct News {
  enum class Kind { None, Closed, Attached, Refused, GlobalExit };
  Kind kind = Kind::None;
  std::string reason = {};  ///< of a refusal
  int status = 0;           ///< of a global exit
};

/// Reads what the PEs say at their sockets, admits them and hands out the memory.
class Reception {
 public:
  explicit Reception(int pes) : pes_(pes) {}

  /// Reads one message, if there is one. A PE that is refused has no answer yet.
  News read(Pe& pe);
  /// Tells it, once the job is being ended: else the PE would complain as well.
  static void refuse(const Pe& pe, const std::string& reason) noexcept;
  const JobMemory& memory() const noexcept { return memory_; }

 private:
  News take(Pe& pe, std::span<const std::byte> message);
  News greet(Pe& pe, const Hello& hello, std::size_t bytes);
  std::string admit(const Pe& pe, const Hello& hello, std::size_t bytes);

  int pes_;
  Admission admission_;
  JobMemory memory_;
};

}  // namespace ucxx::shmem::oshrun
