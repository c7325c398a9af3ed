// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "base/file_descriptor.h"
#include "shmem/oshrun/file_limit.h"
#include "shmem/oshrun/options.h"
#include "shmem/oshrun/processors.h"
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
  Spawner(const Options& options, const Signals& signals, const FileLimit& files);
  /// Throws `Refusal`; no process is left then.
  Started start(int pe);

  const std::string& program() const noexcept { return program_; }
  /// Where PEs run (`placesOf`).
  const std::vector<Processors>& places() const noexcept { return places_; }

 private:
  struct Handed;
  [[noreturn]] void become(int pe, const Handed& handed, pid_t parent) const;
  void setUp(int pe, const Handed& handed) const;
  void execute(int pe, int socket) const;

  const Options& options_;
  const Signals& signals_;
  const FileLimit& files_;
  std::string program_;
  std::vector<std::string> environment_;
  std::vector<Processors> places_;
};

}  // namespace ucxx::shmem::oshrun
