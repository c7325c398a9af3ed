// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/joining/peers.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <vector>

#include <sys/types.h>

#include "base/clock.h"
#include "base/immortal.h"
#include "shmem/checks/failure.h"
#include "shmem/joining/watched_process.h"
#include "shmem/memory/node.h"

namespace ucxx::shmem {
namespace {

/// A PE that sleeps looks after 10 ms whether it is to leave.
constexpr auto kTimeToLeave = std::chrono::milliseconds(200);

std::atomic<bool> is_own_business{false};

struct Peers {
  std::mutex mutex;
  std::vector<WatchedProcess> all;  ///< the local PE is nobody there
};

Peers& peers() noexcept {
  static base::Immortal<Peers> instance;
  return *instance;
}

pid_t pidOf(int pe) noexcept { return controlOf(pe).pid.load(std::memory_order_relaxed); }

std::vector<WatchedProcess>& watched() {
  auto& all = peers().all;
  if (!all.empty()) return all;
  all.resize(static_cast<std::size_t>(node.pes));
  for (int pe = 0; pe < node.pes; ++pe) {
    if (pe != node.me)
      all[static_cast<std::size_t>(pe)] = {pidOf(pe), controlOf(pe).start_time.load()};
  }
  return all;
}

/// Nobody waits for it: shmem_finalize has returned there, and the local PE has not been
/// initialised since.
bool hasFinalized(int pe) noexcept {
  const Control& control = controlOf(pe);
  return control.state.load(std::memory_order_acquire) == PeState::Finalized &&
         control.phase.load(std::memory_order_relaxed) ==
             ownControl().phase.load(std::memory_order_relaxed);
}

/// One that has ended otherwise than after shmem_finalize; -1: none.
int deadPeer() noexcept try {
  const std::lock_guard lock(peers().mutex);
  const auto& all = watched();
  for (int pe = 0; pe < node.pes; ++pe) {
    if (all[static_cast<std::size_t>(pe)].hasEnded() && !hasFinalized(pe)) return pe;
  }
  return -1;
} catch (...) {
  return -1;  // no memory to remember them: the next look may have some
}

}  // namespace

void requirePeersAlive(const char* call) noexcept {
  if (!is_own_business.load(std::memory_order_relaxed)) return;
  const int pe = deadPeer();
  if (pe < 0) return;
  fail(call, "PE %d (pid %d) has ended", pe, pidOf(pe));
}

void endPeers() noexcept {
  if (!is_own_business.load(std::memory_order_relaxed)) return;
  try {
    const std::lock_guard lock(peers().mutex);
    const auto& all = watched();
    const base::TimePoint end = base::deadlineAfter(kTimeToLeave);
    const auto have_ended = [&] {
      return std::none_of(all.begin(), all.end(),
                          [](const WatchedProcess& peer) { return peer.isRunning(); });
    };
    while (!have_ended() && base::Clock::now() < end)
      base::Clock::sleepFor(std::chrono::milliseconds(1));
    for (const WatchedProcess& peer : all) peer.end();
  } catch (...) {  // they see the word in their next long wait
  }
}

void watchPeers() noexcept { is_own_business.store(true); }

}  // namespace ucxx::shmem
