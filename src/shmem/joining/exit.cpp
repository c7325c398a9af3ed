// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/joining/exit.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>

#include <unistd.h>

#include "shmem/joining/joining.h"
#include "shmem/joining/peers.h"
#include "shmem/memory/node.h"

namespace ucxx::shmem {
namespace {

std::atomic<bool> is_leaving{false};
thread_local bool leaves_here = false;

/// The first thread runs the exit handlers. Others wait for the end, and so does nothing that those
/// handlers call: it would wait for PEs that leave as well.
[[noreturn]] void leave(int status) noexcept {
  if (!is_leaving.exchange(true)) {
    leaves_here = true;
    std::exit(status);
  }
  if (leaves_here) ::_exit(status);
  for (;;) ::pause();
}

/// False: another status was first, which is then in `status`.
bool isFirst(int& status) noexcept {
  std::uint32_t word = 0;
  if (node.common->exit_status.compare_exchange_strong(word, exitWord(status))) return true;
  status = exitStatusOf(word);
  return false;
}

}  // namespace

void exitAll(int status) noexcept {
  if (node.is_forked || node.common == nullptr) leave(status);
  if (launcher()) launcher()->tellExit(status);  // before the others leave: `oshrun` names this PE
  if (isFirst(status)) endPeers();
  leave(status);
}

void leaveIfAsked() noexcept {
  const std::uint32_t word = node.common->exit_status.load(std::memory_order_acquire);
  if (word != 0) leave(exitStatusOf(word));
}

bool isLeaving() noexcept { return is_leaving.load(); }

}  // namespace ucxx::shmem
