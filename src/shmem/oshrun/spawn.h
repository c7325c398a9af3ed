// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/types.h>

#include "base/file_descriptor.h"
#include "shmem/oshrun/options.h"
#include "shmem/oshrun/signals.h"

namespace ucxx::shmem::oshrun {

/// A process that has become a PE, and oshrun's ends of what it was given.
struct Started {
  pid_t pid = 0;
  base::FileDescriptor socket;
  base::FileDescriptor output, errors;  ///< empty without `--tag-output`
};

/// Starts the PEs. A PE is in oshrun's process group, so that a terminal is one for all of them,
/// and the kernel kills it when oshrun is no more.
class Spawner {
 public:
  /// Throws `Refusal` where the program cannot be started.
  Spawner(const Options& options, const Signals& signals);
  /// Throws `Refusal`; no process is left then.
  Started start(int pe);

  const std::vector<int>& processors() const noexcept { return processors_; }

 private:
  struct Handed;
  [[noreturn]] void become(int pe, const Handed& handed, pid_t parent) const;
  void setUp(int pe, const Handed& handed) const;
  void execute(int pe, int socket) const;

  const Options& options_;
  const Signals& signals_;
  std::string program_;
  std::vector<std::string> environment_;
  std::vector<int> processors_;  ///< with `--bind core`
  rlimit files_{};               ///< as oshrun has found it
};

}  // namespace ucxx::shmem::oshrun
