// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/descendants.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

namespace ucxx::shmem::oshrun {
namespace {

/// Zombies are children, too.
bool hasChildren() noexcept {
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/// None where the kernel does not tell.
std::set<pid_t> children() {
  if (!hasChildren()) return {};
  std::ifstream list("/proc/thread-self/children");
  return {std::istream_iterator<pid_t>(list), std::istream_iterator<pid_t>()};
}

bool isRunning(pid_t pid, const Pes& pes) {
  return std::any_of(pes.begin(), pes.end(),
                     [pid](const Pe& pe) { return pe.pid == pid && !pe.end; });
}

}  // namespace

Descendants::Descendants() : spared_(children()) { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }

bool Descendants::areLeft() const {
  const std::set<pid_t> all = children();
  return !std::includes(spared_.begin(), spared_.end(), all.begin(), all.end());
}

void Descendants::signal(int number, const Pes& pes) {
  if (last_signal_ != number) signalled_.clear();
  last_signal_ = number;
  for (const pid_t pid : children()) {
    if (isRunning(pid, pes) || spared_.contains(pid) || !signalled_.insert(pid).second) continue;
    ::kill(pid, number);
    ::kill(pid, SIGCONT);
  }
}

void Descendants::forget(pid_t pid) {
  spared_.erase(pid);
  signalled_.erase(pid);
}

}  // namespace ucxx::shmem::oshrun
