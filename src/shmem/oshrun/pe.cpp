// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/pe.h"

#include <algorithm>

#include <signal.h>
#include <sys/wait.h>

#include "shmem/oshrun/refusal.h"

namespace ucxx::shmem::oshrun {

bool hasFailed(int end) noexcept { return exitStatus(end) != 0; }

int exitStatus(int end) noexcept {
  return WIFSIGNALED(end) ? kSignalled + WTERMSIG(end) : WEXITSTATUS(end);
}

bool haveAllEnded(const Pes& pes) noexcept {
  return std::all_of(pes.begin(), pes.end(), [](const Pe& pe) { return pe.end.has_value(); });
}

void signalAll(const Pes& pes, int number) noexcept {
  passOn(pes, number);
  passOn(pes, SIGCONT);
}

void passOn(const Pes& pes, int number) noexcept {
  for (const Pe& pe : pes) {
    if (!pe.end) ::kill(pe.pid, number);
  }
}

}  // namespace ucxx::shmem::oshrun
