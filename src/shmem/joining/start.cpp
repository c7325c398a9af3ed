// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/joining/start.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include <ucxx_shmem/types.h>

#include "base/phase.h"
#include "shmem/access/ordering.h"
#include "shmem/checks/failure.h"
#include "shmem/collectives/sync.h"
#include "shmem/joining/agreement.h"
#include "shmem/joining/exit.h"
#include "shmem/joining/joining.h"
#include "shmem/joining/settings.h"
#include "shmem/joining/version.h"
#include "shmem/memory/allocation.h"
#include "shmem/memory/fast_path.h"
#include "shmem/memory/segment.h"
#include "shmem/teams/active_set.h"
#include "shmem/teams/split.h"

namespace ucxx::shmem {
namespace {

std::atomic<int> depth{0};  // of shmem_init
int level = SHMEM_THREAD_SINGLE;

void printWhatIsAsked(const Settings& settings) noexcept {
  if (node.me != 0) return;
  if (settings.prints_version) {
    std::printf("%s %s (OpenSHMEM %d.%d)\n", SHMEM_VENDOR_STRING, kVersion, SHMEM_MAJOR_VERSION,
                SHMEM_MINOR_VERSION);
  }
  if (settings.prints_help) std::fputs(describeSettings(settings).c_str(), stdout);
}

void begin(const char* call) {
  const Settings settings = readSettings();
  node.heap = node.slots + node.own_shift + layout().heap_offset;
  node.heap_bytes = layout().heap_bytes;
  beginPredefinedTeams();
  beginHeap();
  tellOthers(settings);
  ownControl().phase.fetch_add(1, std::memory_order_relaxed);
  ownControl().state.store(PeState::Running, std::memory_order_release);
  base::reached(base::Phase::PeAttached);
  sync(world_team, call);
  base::reached(base::Phase::PeRunning);
  learnFromOthers();
  node.is_running = true;
  if (!node.is_debug) openFastPath();
  printWhatIsAsked(settings);
}

void end(const char* call) noexcept {
  quiet();
  sync(world_team, call);
  node.is_running = false;
  closeFastPath();
  forgetAllActiveSets();
  destroyAllTeams();
  endHeap();
  base::reached(base::Phase::PeFinalized);
  ownControl().state.store(PeState::Finalized, std::memory_order_release);
}

/// What only a child of a PE must not do.
bool mayInitialize(const char* call) noexcept {
  if (!node.is_forked) return true;
  warn(call, "a child that a PE has forked cannot be a PE: start a new program instead");
  return false;
}

/// Comes after becomePe or becomePeWith, which may have failed: then this says why, and returns 1.
int enter(int requested, int& provided, const char* call) noexcept try {
  if (!whyNoPe().empty()) {
    warn(call, "%s", whyNoPe().c_str());
    return 1;
  }
  if (depth.load() == 0) {
    level = std::clamp(requested, SHMEM_THREAD_SINGLE, SHMEM_THREAD_MULTIPLE);
    begin(call);
  }
  depth.fetch_add(1);
  provided = level;
  return 0;
} catch (const std::exception& error) {
  warn(call, "%s", error.what());
  return 1;
}

/// Where all goes well: one that ends otherwise, or has been told to end, waits for nobody.
void finalizeAtExit(int status, void*) noexcept {
  if (status == 0 && node.is_running && !isLeaving())
    finalize("start_pes, at the end of the program");
}

}  // namespace

int initialize(int requested, int& provided, const char* call) noexcept {
  if (!mayInitialize(call)) return 1;
  if (depth.load() == 0) becomePe();
  return enter(requested, provided, call);
}

int initializeWith(const OwnExchange& exchange, int requested, int& provided,
                   const char* call) noexcept {
  if (!mayInitialize(call)) return 1;
  if (hasSegment()) {
    warn(call, "this process is a PE already: shmem_init initialises it again");
    return 1;
  }
  becomePeWith(exchange);
  return enter(requested, provided, call);
}

void initializeOrEnd(const char* call) noexcept {
  int provided = 0;
  if (initialize(SHMEM_THREAD_MULTIPLE, provided, call) == 0) return;
  std::fflush(nullptr);
  std::_Exit(1);
}

void finalize(const char* call) noexcept {
  requireRunning(call);
  if (depth.fetch_sub(1) > 1) {
    quiet();
    sync(world_team, call);
  } else {
    end(call);
  }
}

int ownPe(const char* call) noexcept {
  requireRunning(call);
  return node.me;
}
int pesOfJob(const char* call) noexcept {
  requireRunning(call);
  return node.pes;
}

bool isInitialized() noexcept { return node.is_running; }
int threadLevel() noexcept { return node.is_running ? level : SHMEM_THREAD_SINGLE; }

void startPes(const char* call) noexcept {
  static std::atomic<bool> started{false};
  if (started.exchange(true)) return requireRunning(call);
  initializeOrEnd(call);
  ::on_exit(finalizeAtExit, nullptr);
}

}  // namespace ucxx::shmem
