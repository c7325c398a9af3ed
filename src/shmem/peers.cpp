// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/peers.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <mutex>
#include <vector>

#include <fmt/format.h>
#include <poll.h>
#include <sys/syscall.h>
#include <ucs/type/status.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file_descriptor.h"
#include "base/immortal.h"
#include "base/status.h"
#include "local/process.h"
#include "shmem/failure.h"
#include "shmem/node.h"
#include "shmem/process_name.h"

namespace ucxx::shmem {
namespace {

constexpr long kPidfdSendSignal = 424;  // older headers lack the name

/// Whether all have joined is looked at so often, and whether they live.
constexpr auto kBetweenLooks = std::chrono::microseconds(200);
constexpr auto kPeersEvery = std::chrono::milliseconds(100);

/// A PE that sleeps looks after 10 ms whether it is to leave.
constexpr auto kTimeToLeave = std::chrono::milliseconds(200);

std::atomic<bool> is_own_business{false};

/// The local PE, and peers whose processes cannot be seen here, are not watched.
struct Peer {
  bool is_known = false;  ///< it has said who it is
  base::FileDescriptor pidfd;
  bool was_gone = false;  ///< when it was to be watched
};

struct Peers {
  std::mutex mutex;
  std::vector<Peer> all;
};

Peers& peers() noexcept {
  static base::Immortal<Peers> instance;
  return *instance;
}

/// Its number may be another process's by now.
Peer watchPeer(int pe) noexcept {
  const Control& control = controlOf(pe);
  const std::uint64_t start_time = control.start_time.load(std::memory_order_acquire);
  if (start_time == 0) return {};
  if (pe == node.me) return {true, {}};
  const pid_t pid = control.pid.load(std::memory_order_relaxed);
  Peer peer{true, local::openPidfd(pid)};
  peer.was_gone = startTimeOf(pid) != start_time;
  return peer;
}

std::vector<Peer>& watched() {
  auto& all = peers().all;
  all.resize(static_cast<std::size_t>(node.pes));
  for (int pe = 0; pe < node.pes; ++pe) {
    Peer& peer = all[static_cast<std::size_t>(pe)];
    if (!peer.is_known) peer = watchPeer(pe);
  }
  return all;
}

bool hasEnded(const Peer& peer) noexcept {
  pollfd wanted{peer.pidfd.get(), POLLIN, 0};
  return peer.was_gone || (peer.pidfd && ::poll(&wanted, 1, 0) == 1);
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
    if (hasEnded(all[static_cast<std::size_t>(pe)]) && !hasFinalized(pe)) return pe;
  }
  return -1;
} catch (...) {
  return -1;  // no memory to remember them: the next look may have some
}

pid_t pidOf(int pe) noexcept { return controlOf(pe).pid.load(std::memory_order_relaxed); }

/// Throws where one has given up.
bool haveAllJoined() {
  bool all = true;
  for (int pe = 0; pe < node.pes; ++pe) {
    const PeState state = controlOf(pe).state.load(std::memory_order_acquire);
    if (state == PeState::GaveUp)
      base::throwStatus(UCS_ERR_UNREACHABLE,
                        fmt::format("PE {} (pid {}) has not joined: the allgather of the program "
                                    "has failed there",
                                    pe, pidOf(pe)));
    all = all && state != PeState::Absent;
  }
  return all;
}

void requirePeersHere() {
  if (const int pe = deadPeer(); pe >= 0)
    base::throwStatus(UCS_ERR_UNREACHABLE, fmt::format("PE {} (pid {}) has ended", pe, pidOf(pe)));
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
      return std::all_of(all.begin(), all.end(),
                         [](const Peer& peer) { return !peer.pidfd || hasEnded(peer); });
    };
    while (!have_ended() && base::Clock::now() < end)
      base::Clock::sleepFor(std::chrono::milliseconds(1));
    for (const Peer& peer : all) {
      if (peer.pidfd && !peer.was_gone)
        ::syscall(kPidfdSendSignal, peer.pidfd.get(), SIGTERM, nullptr, 0);
    }
  } catch (...) {  // they see the word in their next long wait
  }
}

void joinPeers() {
  is_own_business.store(true);
  base::TimePoint next_look = base::Clock::now() + kPeersEvery;
  while (!haveAllJoined()) {
    if (base::Clock::now() >= next_look) {
      requirePeersHere();
      next_look = base::Clock::now() + kPeersEvery;
    }
    base::Clock::sleepFor(kBetweenLooks);
  }
}

}  // namespace ucxx::shmem
