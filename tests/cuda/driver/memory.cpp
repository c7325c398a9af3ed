// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

//
// Memory of the device, of its pool, and of both.

#include <cstdio>
#include <cstdlib>

#include <sys/mman.h>
#include <unistd.h>

#include "cuda/driver/arena.h"
#include "cuda/driver/attributes.h"
#include "cuda/driver/blocks.h"
#include "cuda/driver/call.h"
#include "cuda/driver/contexts.h"
#include "cuda/driver/options.h"
#include "cuda/driver/shadow.h"
#include "cuda/driver/streams.h"

namespace stand_in {
namespace {

Result allocate(Kind kind, Address* address, std::size_t size) {
  if (address == nullptr || size == 0) return kInvalidValue;
  const bool is_of_processor = kind == Kind::Managed || !isAsked("unreachable");
  const Address begin = takeOfArena(size, is_of_processor);
  if (begin == 0) return kOutOfMemory;
  addBlock({.kind = kind,
            .begin = begin,
            .size = size,
            .device = begin,
            .shadow = is_of_processor ? 0 : shadowInArena(begin),
            .file = fileOfArena(),
            .offset = offsetInArena(begin),
            .context = kind == Kind::Pool ? nullptr : currentContext(),
            .ordinal = currentDevice(),
            .is_exported = kind == Kind::Device});
  *address = begin;
  return kSuccess;
}

Result freeNow(Address address) {
  const auto block = takeBlock(address, [](const Block& each) { return each.isOfArena(); });
  if (!block.has_value()) {
    countWrongFree();
    return kInvalidValue;
  }
  giveToArena(block->begin, block->size);
  return kSuccess;
}

bool isFreeable(Address address) {
  const auto block = blockAt(address);
  return block.has_value() && block->begin == address && block->isOfArena();
}

Block takenBlock(Kind kind, const void* first, std::size_t size) {
  return {.kind = kind,
          .begin = addressOf(first),
          .size = size,
          .device = addressOf(first),
          .context = primaryContext(0)};
}

/// What a test asks for wrongly.
[[noreturn]] void giveUp(const char* what) {
  std::fprintf(stderr, "CUDA stand-in: %s\n", what);
  std::_Exit(2);
}

gpu::Context contextOf(const MadeMemory& how) {
  if (how.is_of_pool) return nullptr;
  const gpu::Context usual = how.has_ipc_handle ? primaryContext(how.device) : nullptr;
  return how.context != nullptr ? how.context : usual;
}

}  // namespace

void takeForDeviceMemory(const void* first, std::size_t size) {
  setInitialised();  // who has such memory has called CUDA
  replaceTaken(takenBlock(Kind::Taken, first, size));
}

void takeForManagedMemory(const void* first, std::size_t size) {
  setInitialised();
  replaceTaken(takenBlock(Kind::TakenManaged, first, size));
}

void takeMoreForDeviceMemory(const void* first, std::size_t size, bool has_ipc_handle) {
  setInitialised();
  Block block = takenBlock(Kind::Taken, first, size);
  block.is_exported = has_ipc_handle;
  if (overlapsBlock(block.begin, size)) replaceTaken(std::nullopt);  // of memory that is gone
  if (overlapsBlock(block.begin, size)) giveUp("memory is taken for a device's twice");
  addBlock(block);
}

void giveBackTaken(const void* first) {
  const auto block =
      takeBlock(addressOf(first), [](const Block& b) { return b.kind == Kind::Taken; });
  if (!block.has_value()) giveUp("memory is given back that is not taken");
}

void* makeDeviceMemory(std::size_t size, const MadeMemory& how) {
  setInitialised();
  if (!isDevice(how.device)) giveUp("memory is made of a device that is not there");
  const int file = ::memfd_create("device memory of a test", MFD_CLOEXEC);
  if (::ftruncate(file, static_cast<off_t>(size)) != 0) giveUp("no memory is made for a test");
  const auto mapped = mapWithShadow(file, 0, size);
  if (!mapped.has_value()) giveUp("memory for a test is not mapped");
  fillFresh(mapped->shadow, size);
  addBlock({.kind = Kind::Made,
            .begin = mapped->begin,
            .size = size,
            .device = mapped->begin,
            .shadow = mapped->shadow,
            .file = file,
            .context = contextOf(how),
            .ordinal = how.device,
            .is_exported = how.has_ipc_handle && !how.is_of_pool});
  return pointerTo(mapped->begin);
}

void freeDeviceMemory(void* memory) {
  const auto block =
      takeBlock(addressOf(memory), [](const Block& b) { return b.kind == Kind::Made; });
  if (!block.has_value()) giveUp("freeDeviceMemory of what makeDeviceMemory has not made");
  unmapWithShadow(*block);
  ::close(block->file);
}

// NOLINTBEGIN(readability-identifier-naming): the driver's names
UCXX_CUDA_API Result cuMemAlloc_v2(Address* address, std::size_t size) {
  return call("cuMemAlloc", kUnsafe, [&] { return allocate(Kind::Device, address, size); });
}

/// Waits for all streams.
UCXX_CUDA_API Result cuMemFree_v2(Address address) {
  constexpr const char* kName = "cuMemFree";
  const Result result = call(kName, kUnsafe, [&] {
    if (address == 0) return kSuccess;
    const Result waited = waitForAll();
    return waited != kSuccess ? waited : freeNow(address);
  });
  if (result == kInvalidContext) countWrongFree();
  return result;
}

UCXX_CUDA_API Result cuMemAllocManaged(Address* address, std::size_t size, unsigned flags) {
  return call("cuMemAllocManaged", kUnsafe, [&] {
    constexpr unsigned kGlobal = 1, kHost = 2;
    if (flags != kGlobal && flags != kHost) return kInvalidValue;
    return allocate(Kind::Managed, address, size);
  });
}

UCXX_CUDA_API Result cuMemAllocAsync(Address* address, std::size_t size, gpu::Stream stream) {
  return call("cuMemAllocAsync", kInContext, [&] {
    if (!has(kPools)) return kNotSupported;
    if (streamOf(stream) == nullptr) return kInvalidHandle;
    return allocate(Kind::Pool, address, size);
  });
}

UCXX_CUDA_API Result cuMemFreeAsync(Address address, gpu::Stream stream) {
  return call("cuMemFreeAsync", kInContext, [&] {
    if (!isFreeable(address)) {
      countWrongFree();
      return kInvalidValue;
    }
    constexpr int kFreeNodeType = 11;
    return submit(stream, {.type = kFreeNodeType, .call = "cuMemFreeAsync", .run = [address] {
                             freeNow(address);
                           }});
  });
}
// NOLINTEND(readability-identifier-naming)

}  // namespace stand_in
