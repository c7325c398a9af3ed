// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <set>

#include <sys/types.h>

#include "shmem/oshrun/pe.h"

namespace ucxx::shmem::oshrun {

/// What the PEs have started and left behind: the kernel makes such processes children of oshrun.
class Descendants {
 public:
  /// A process that does not even die of SIGKILL is in the kernel's hands: it is waited for so
  /// long.
  static constexpr auto kToDie = std::chrono::seconds(10);

  /// oshrun is who gets them. Children that the process had before it became oshrun are spared.
  Descendants();

  /// Whether there is any; PEs must have ended.
  bool areLeft() const;
  /// To each that has not had this signal; PEs are left out.
  void signal(int number, const Pes& pes);
  /// It has ended and was waited for, so its number may soon be another's.
  void forget(pid_t pid);

 private:
  std::set<pid_t> spared_;
  int last_signal_ = 0;
  std::set<pid_t> signalled_;  ///< with the last signal
};

}  // namespace ucxx::shmem::oshrun
