// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/start.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <numeric>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <pthread.h>
#include <sched.h>
#include <ucxx_shmem/types.h>

#include "base/foreign_fence.h"
#include "base/immortal.h"
#include "base/phase.h"
#include "shmem/active_set.h"
#include "shmem/allocation.h"
#include "shmem/exit.h"
#include "shmem/failure.h"
#include "shmem/launch.h"
#include "shmem/ordering.h"
#include "shmem/other_launchers.h"
#include "shmem/peers.h"
#include "shmem/segment.h"
#include "shmem/settings.h"
#include "shmem/split.h"
#include "shmem/statics.h"
#include "shmem/sync.h"
#include "shmem/version.h"

namespace ucxx::shmem {
namespace {

/// With a processor of its own a PE waits for a peer that runs; else the peer may need this one.
constexpr int kPollsAlone = 1000, kPollsInCrowd = 20;

std::atomic<int> depth{0};  // of shmem_init
int level = SHMEM_THREAD_SINGLE;

struct Start {
  std::optional<Launcher> launcher;
  std::string error;  ///< why this process cannot be a PE
};

Start& start() noexcept {
  static base::Immortal<Start> instance;
  return *instance;
}

void closeFastPath() noexcept { node.fast_heap = node.fast_statics = 0; }

/// A thread sanitizer knows the statics of the local PE at the program's address, and at no other.
void openFastPath() noexcept {
  node.fast_heap = node.heap_bytes;
#if !defined(__SANITIZE_THREAD__)
  node.fast_statics = node.statics_bytes;
#endif
}

void forgetInChild() noexcept {
  separateStatics();
  closeFastPath();
  node.is_running = false;
  node.is_forked = true;
}

/// The handlers of descriptors come later, and so close the memory's after this has used it.
void installForkHandler() noexcept {
  [[maybe_unused]] static const int installed =
      ::pthread_atfork(copyForChild, dropCopyForChild, forgetInChild);
}

void joinJob(std::size_t heap_bytes, std::span<std::byte> statics) {
  start().launcher = Launcher::take();
  Launcher& launcher = *start().launcher;
  const bool moves = launcher.pes() > 1;
  auto [memory, layout] = launcher.meet(heap_bytes, moves ? statics.size() : 0);
  adoptSegment(std::move(memory), layout, launcher.pe());
  if (moves && !statics.empty()) {
    mapStatics(statics);
  } else if (!moves) {
    keepStatics(statics);
  }
}

void beAlone(std::size_t heap_bytes, std::span<std::byte> statics) {
  const Layout layout = Layout::of(1, heap_bytes, 0);
  adoptSegment(base::SharedMemory::reserve(layout.bytes(), kSlotAlignment), layout, 0);
  keepStatics(statics);
}

bool isLaunched() noexcept { return std::getenv(kLaunchVariable) != nullptr; }

void joinOthers(const OwnExchange& exchange, const Settings& settings) {
  auto [memory, layout] = bringTogether(exchange, settings.symmetric_bytes, settings.error);
  adoptSegment(std::move(memory), layout, exchange.rank);
  joinPeers();
}

void becomePe() {
  installForkHandler();
  const Settings settings = readSettings();
  if (!settings.error.empty()) {
    start().error = settings.error;
  } else if (isLaunched()) {
    joinJob(settings.symmetric_bytes, findStatics());
  } else {
    requireNoOtherLauncher();
    beAlone(settings.symmetric_bytes, findStatics());
  }
}

void becomePeWith(const OwnExchange& exchange) {
  installForkHandler();
  const Settings settings = readSettings();
  if (exchange.allgather == nullptr && exchange.size > 1) {
    start().error = "the allgather is null: give a function that all processes call";
  } else if (exchange.size < 1 || exchange.size > kMostPes || exchange.rank < 0 ||
             exchange.rank >= exchange.size) {
    start().error =
        fmt::format("rank {} of {} is none: give 0 to size - 1", exchange.rank, exchange.size);
  } else if (exchange.size > 1) {
    joinOthers(exchange, settings);
  } else if (!settings.error.empty()) {
    start().error = settings.error;
  } else {
    beAlone(settings.symmetric_bytes, findStatics());
  }
}

/// What does not work is told by `initialize`.
template <class Become>
void attempt(const Become& become) noexcept try {
  become();
} catch (const std::exception& error) {
  start().error = error.what();
}

void tryToBecomePe() noexcept {
  if (!hasSegment() && start().error.empty()) attempt(becomePe);
}

/// Static variables can be moved before the program has threads that use them, and not later. A
/// program that links this library itself has asked to be a PE.
[[gnu::constructor]] void becomePeAtLoad() noexcept {
  if (isLaunched() && !findStatics().empty()) tryToBecomePe();
}

/// Which processors this PE may use; with `oshrun --bind core` each has another one.
void tellProcessors() noexcept {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return;
  auto& words = node.common->processors;
  for (std::size_t processor = 0; processor < std::min<std::size_t>(words.size() * 64, CPU_SETSIZE);
       ++processor) {
    if (CPU_ISSET(processor, &set))
      words[processor / 64].fetch_or(std::uint64_t{1} << processor % 64);
  }
}

int processorsOfAll() noexcept {
  const auto& words = node.common->processors;
  return std::transform_reduce(words.begin(), words.end(), 0, std::plus<>(),
                               [](const auto& word) { return std::popcount(word.load()); });
}

void printWhatIsAsked(const Settings& settings) noexcept {
  if (node.me != 0) return;
  if (settings.prints_version) {
    std::printf("%s %s (OpenSHMEM %d.%d)\n", SHMEM_VENDOR_STRING, kVersion, SHMEM_MAJOR_VERSION,
                SHMEM_MINOR_VERSION);
  }
  if (settings.prints_help) std::fputs(describeSettings(settings).c_str(), stdout);
}

/// Before the first barrier, behind which all know it.
void tellOthers(const Settings& settings) noexcept {
  if (settings.is_debug) node.common->debug.store(1);
  if (!base::admitForeignFences()) node.common->must_fence.store(1);
  tellProcessors();
}

void learnFromOthers() noexcept {
  node.is_debug = node.common->debug.load() != 0;
  node.must_fence = node.common->must_fence.load() != 0;
  node.is_crowded = node.pes > processorsOfAll();
  node.polls = node.is_crowded ? kPollsInCrowd : kPollsAlone;
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

/// Of a process that has become a PE, or has not been able to.
int enter(int requested, int& provided, const char* call) noexcept try {
  if (!start().error.empty()) {
    warn(call, "%s", start().error.c_str());
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

}  // namespace

int initialize(int requested, int& provided, const char* call) noexcept {
  if (!mayInitialize(call)) return 1;
  if (depth.load() == 0) tryToBecomePe();
  return enter(requested, provided, call);
}

int initializeWith(const OwnExchange& exchange, int requested, int& provided,
                   const char* call) noexcept {
  if (!mayInitialize(call)) return 1;
  if (hasSegment()) {
    warn(call, "this process is a PE already: shmem_init initialises it again");
    return 1;
  }
  attempt([&] { becomePeWith(exchange); });
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
  if (started.exchange(true)) return;
  initializeOrEnd(call);
  ::on_exit(
      [](int status, void*) {
        if (status == 0 && node.is_running && !isLeaving())
          finalize("start_pes, at the end of the program");
      },
      nullptr);
}

const std::optional<Launcher>& launcher() noexcept { return start().launcher; }

}  // namespace ucxx::shmem
