// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>

#include <sys/types.h>

#include "base/file_descriptor.h"

namespace ucxx::sim {

/// The processes that the workers of a schedule stand for, as others see them on their machine:
/// what each has mapped, and that it has ended. Number 0 is no one's.
class Processes {
 public:
  /// As long as it exists, it is this process's code that runs.
  class Running {
   public:
    Running(Processes& processes, pid_t pid) noexcept
        : processes_(processes), before_(processes.running_) {
      processes.running_ = pid;
    }
    ~Running() { processes_.running_ = before_; }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

   private:
    Processes& processes_;
    const pid_t before_;
  };

  pid_t start() noexcept { return ++last_; }
  pid_t running() const noexcept { return running_; }
  bool isDead(pid_t pid) const noexcept { return dead_.count(pid) != 0; }
  /// At this very instant: whatever its code still writes to shared memory, nobody sees.
  void kill(pid_t pid);

  /// Of the running process: readable when it has ended.
  base::FileDescriptor openPidfd();
  pid_t of(const base::FileDescriptor& pidfd) const;

  /// @name What the running process maps
  /// @{
  /// Memory that it has from `peer`; 0: of both.
  void map(void* address, std::size_t bytes, pid_t peer = 0);
  void unmap(void* address) noexcept { mappings_.erase(address); }
  /// @}

 private:
  struct Mapping {
    pid_t pid = 0, peer = 0;
    std::size_t bytes = 0;
  };
  pid_t last_ = 0, running_ = 0;
  std::set<pid_t> dead_;
  std::map<void*, Mapping> mappings_;
  std::map<ino_t, pid_t> pidfds_;
  std::multimap<pid_t, base::FileDescriptor> lives_;  // the other ends of the pidfds
};

}  // namespace ucxx::sim
