// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

//
// The end of all that a context has, as cudaDeviceReset makes it: at once, whatever its streams do.

#include "cuda/driver/reset.h"

#include <atomic>

#include <sys/mman.h>

#include "cuda/driver/arena.h"
#include "cuda/driver/blocks.h"
#include "cuda/driver/call.h"
#include "cuda/driver/contexts.h"
#include "cuda/driver/events.h"
#include "cuda/driver/modules.h"
#include "cuda/driver/queue.h"
#include "cuda/driver/streams.h"

namespace stand_in {
namespace {

std::atomic<unsigned> reset_count{0};
constexpr unsigned kNotBound = ~0u;  // it runs no entries
thread_local unsigned reset_of_thread = kNotBound;

void giveBack(const Block& block) {
  if (block.isOfArena()) return giveToArena(block.begin, block.size);
  forgetDeviceAddress(block);
  if (block.kind == Kind::Host) ::munmap(pointerTo(block.begin), block.size);
}

}  // namespace

unsigned resets() noexcept { return reset_count.load(std::memory_order_acquire); }

bool isOfBefore() noexcept { return reset_of_thread != kNotBound && reset_of_thread != resets(); }
void belongTo(unsigned reset) noexcept { reset_of_thread = reset; }
unsigned resetsBefore() noexcept {
  return reset_of_thread == kNotBound ? resets() : reset_of_thread;
}

// NOLINTBEGIN(readability-identifier-naming): the driver's names
/// The handle of the context stays, and is that of the next one.
UCXX_CUDA_API Result cuDevicePrimaryCtxReset_v2(int device) {
  return call("cuDevicePrimaryCtxReset", kInitialised, [&] {
    if (device != 0) return kInvalidDevice;
    setDestroyed(primaryContext(device));
    ++reset_count;
    abandonAll();
    dropStreams();
    dropEvents();
    dropModules();
    for (const Block& block : takeBlocksOfContext()) giveBack(block);
    return kSuccess;
  });
}
// NOLINTEND(readability-identifier-naming)

}  // namespace stand_in
