// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/joining/joining.h"

#include <cstdlib>
#include <exception>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <pthread.h>

#include "base/immortal.h"
#include "shmem/joining/launch.h"
#include "shmem/joining/other_launchers.h"
#include "shmem/joining/peers.h"
#include "shmem/joining/settings.h"
#include "shmem/joining/standard_output.h"
#include "shmem/memory/fast_path.h"
#include "shmem/memory/segment.h"
#include "shmem/memory/statics.h"

namespace ucxx::shmem {
namespace {

struct Start {
  std::optional<Launcher> launcher;
  std::string error;
};

Start& start() noexcept {
  static base::Immortal<Start> instance;
  return *instance;
}

/// A child of a child inherits all of that.
void leaveJobInChild() noexcept {
  if (node.is_forked) return;
  protectInChild();
  separateStatics();
  closeFastPath();
  node.is_running = false;
  node.is_forked = true;
}

void installForkHandler() noexcept {
  [[maybe_unused]] static const int installed =
      ::pthread_atfork(copyForChild, dropCopyForChild, leaveJobInChild);
}

void joinJob(std::size_t heap_bytes, std::span<std::byte> statics) {
  start().launcher = Launcher::take();
  Launcher& launcher = *start().launcher;
  const bool moves = launcher.pes() > 1;
  auto [memory, layout] = launcher.meet(heap_bytes, moves ? statics.size() : 0);
  adoptSegment(std::move(memory), layout, launcher.pe());
  if (moves) writeWholeLines();
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

void joinOthers(const OwnExchange& exchange, const Settings& settings) {
  auto [memory, layout] = bringTogether(exchange, settings.symmetric_bytes, settings.error);
  adoptSegment(std::move(memory), layout, exchange.rank);
  watchPeers();
}

bool isLaunched() noexcept { return std::getenv(kLaunchVariable) != nullptr; }

void join() {
  const Settings settings = readSettings();
  if (!settings.error.empty()) {
    start().error = settings.error;
  } else if (isLaunched()) {
    joinJob(settings.symmetric_bytes, findStatics());
  } else {
    requireNoOtherLauncher();
    Launcher::requireNotTaken();
    beAlone(settings.symmetric_bytes, findStatics());
  }
}

void joinWith(const OwnExchange& exchange) {
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

/// What does not work is told by the initialisation.
template <class Join>
void attempt(const Join& join) noexcept try {
  installForkHandler();
  join();
} catch (const std::exception& error) {
  start().error = error.what();
}

/// Static variables can be moved before the program has threads that use them, and not later. A
/// program that links this library itself has asked to be a PE.
[[gnu::constructor]] void becomePeAtLoad() noexcept {
  if (isLaunched() && !findStatics().empty()) becomePe();
}

}  // namespace

void becomePe() noexcept {
  if (!hasSegment() && start().error.empty()) attempt(join);
}

void becomePeWith(const OwnExchange& exchange) noexcept {
  if (start().error.empty()) attempt([&] { joinWith(exchange); });
}

const std::string& whyNoPe() noexcept { return start().error; }

const std::optional<Launcher>& launcher() noexcept { return start().launcher; }

}  // namespace ucxx::shmem
