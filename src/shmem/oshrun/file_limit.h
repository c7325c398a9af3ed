// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <sys/resource.h>

#include "shmem/oshrun/options.h"

namespace ucxx::shmem::oshrun {

/// How many files a process may have open: several for each PE may be more than the usual 1024, so
/// oshrun raises its own limit as far as it may. PEs get the limit that oshrun has found.
class FileLimit {
 public:
  FileLimit();

  /// Throws `Refusal`, with the limit and how many are needed, where the job does not fit.
  void require(const Options& options) const;
  /// In a child.
  void restore() const noexcept { ::setrlimit(RLIMIT_NOFILE, &found_); }

 private:
  rlimit found_{}, raised_{};
};

}  // namespace ucxx::shmem::oshrun
