// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

//
// The end of all that a context has, as cudaDeviceReset and cuCtxDestroy make it: at once, whatever
// its streams do.

#include "cuda/driver/reset.h"

#include <deque>
#include <mutex>

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

thread_local Life* life_of_thread = nullptr;

struct Lives {
  std::mutex mutex;
  std::deque<Life> all;  // guarded by `mutex`
};

Lives& lives() {
  static auto* const only = new Lives;
  return *only;
}

void giveBack(const Block& block) {
  if (block.isOfArena()) return giveToArena(block.begin, block.size);
  forgetDeviceAddress(block);
  if (block.kind == Kind::Host) ::munmap(pointerTo(block.begin), block.size);
}

}  // namespace

Life& beginLife(gpu::Context context) {
  const std::lock_guard lock(lives().mutex);
  return lives().all.emplace_back(context, lives().all.size() + 1, makeConnections());
}

void endLife(Life& life) {
  life.is_over = true;
  abandonAll(life);
  dropStreams(life);
  dropEvents(life);
  dropModules(life);
  for (const Block& block : takeBlocksOf(life.context)) giveBack(block);
}

bool isOfBefore() noexcept { return life_of_thread != nullptr && life_of_thread->is_over; }
void belongTo(Life& life) noexcept { life_of_thread = &life; }
Life* lifeOfThread() noexcept { return life_of_thread; }

// NOLINTBEGIN(readability-identifier-naming): the driver's names
/// The handle of the context stays, and is that of the next one.
UCXX_CUDA_API Result cuDevicePrimaryCtxReset_v2(int device) {
  return call("cuDevicePrimaryCtxReset", kInitialised, [&] {
    if (!isDevice(device)) return kInvalidDevice;
    destroy(primaryContext(device));
    return kSuccess;
  });
}
// NOLINTEND(readability-identifier-naming)

}  // namespace stand_in
