// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

//
// Copies and fills.

#include <atomic>
#include <cstring>
#include <memory>

#include "cuda/driver/blocks.h"
#include "cuda/driver/call.h"
#include "cuda/driver/held.h"
#include "cuda/driver/options.h"
#include "cuda/driver/streams.h"

namespace stand_in {
namespace {

constexpr int kFillNodeType = 2;

bool isOnDevice(Address begin, std::size_t size) {
  return size == 0 || blockOfDevice(begin, size).has_value();
}
/// What the driver does not know is the host's.
bool isInOneBlock(Address begin, std::size_t size) {
  const auto block = blockAt(begin);
  if (!block.has_value()) return true;
  const Address offset =
      begin - block->begin < block->size ? begin - block->begin : begin - block->device;
  return size <= block->size - offset;
}
bool isPageable(const void* pointer) { return !blockAt(addressOf(pointer)).has_value(); }

void* reached(const void* pointer) { return pointerTo(stand_in::reached(addressOf(pointer))); }

void copy(void* to, const void* from, std::size_t size) {
  std::memcpy(reached(to), reached(from), size);
}

Task copyTask(const char* name, void* to, const void* from, std::size_t size) {
  return {.type = kCopyNodeType, .call = name, .run = [=] { copy(to, from, size); }};
}

/// The last byte of every other one is wrong, if that is asked for.
Task copyOutTask(const char* name, void* to, Address from, std::size_t size) {
  static std::atomic<unsigned> copies{0};
  const bool spoils = isAsked("spoils") && size > 0 && copies++ % 2 == 0;
  return {.type = kCopyNodeType, .call = name, .run = [=] {
            copy(to, pointerTo(from), size);
            if (spoils) static_cast<unsigned char*>(reached(to))[size - 1] ^= 1;
          }};
}

/// From memory that is not page-locked the driver takes the bytes before it returns.
Task copyInTask(const char* name, Address to, const void* from, std::size_t size) {
  if (!isPageable(from)) return copyTask(name, pointerTo(to), from, size);
  const auto* const begin = static_cast<const char*>(from);
  const auto bytes = std::make_shared<const std::vector<char>>(begin, begin + size);
  return {.type = kCopyNodeType, .call = name, .run = [=] {
            copy(pointerTo(to), bytes->data(), bytes->size());
          }};
}

/// In any direction: which one it is the addresses say.
Task unifiedTask(const char* name, Address to, Address from, std::size_t size) {
  const auto source = blockAt(from), target = blockAt(to);
  const bool goes_out =
      source.has_value() && source->isOfDevice() && !(target.has_value() && target->isOfDevice());
  if (goes_out) return copyOutTask(name, pointerTo(to), from, size);
  return copyInTask(name, to, pointerTo(from), size);
}

Task fillTask(const char* name, Address to, unsigned char byte, std::size_t size) {
  return {.type = kFillNodeType, .call = name, .run = [=] {
            std::memset(reached(pointerTo(to)), byte, size);
          }};
}

/// Into memory that is not page-locked it waits for its end.
Result submitOut(gpu::Stream stream, Task task, const void* to) {
  const Result result = submit(stream, asynchronous(std::move(task)));
  return result == kSuccess && isPageable(to) ? waitFor(lastPointOf(streamOf(stream))) : result;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the driver's names
UCXX_CUDA_API Result cuMemcpyHtoD_v2(Address to, const void* from, std::size_t size) {
  constexpr const char* kName = "cuMemcpyHtoD";
  return call(kName, kInContext, [&] {
    if (!isOnDevice(to, size)) return kInvalidValue;
    return submitAndWait(copyTask(kName, pointerTo(to), from, size));
  });
}

UCXX_CUDA_API Result cuMemcpyDtoH_v2(void* to, Address from, std::size_t size) {
  constexpr const char* kName = "cuMemcpyDtoH";
  return call(kName, kInContext, [&] {
    if (!isOnDevice(from, size)) return kInvalidValue;
    return submitAndWait(copyOutTask(kName, to, from, size));
  });
}

UCXX_CUDA_API Result cuMemcpyDtoD_v2(Address to, Address from, std::size_t size) {
  constexpr const char* kName = "cuMemcpyDtoD";
  return call(kName, kInContext, [&] {
    if (!isOnDevice(to, size) || !isOnDevice(from, size)) return kInvalidValue;
    return submitAndWait(copyTask(kName, pointerTo(to), pointerTo(from), size));
  });
}

UCXX_CUDA_API Result cuMemcpyHtoDAsync_v2(Address to, const void* from, std::size_t size,
                                          gpu::Stream stream) {
  constexpr const char* kName = "cuMemcpyHtoDAsync";
  return call(kName, kInContext, [&] {
    if (!isOnDevice(to, size)) return kInvalidValue;
    return submit(stream, asynchronous(copyInTask(kName, to, from, size)));
  });
}

UCXX_CUDA_API Result cuMemcpyDtoHAsync_v2(void* to, Address from, std::size_t size,
                                          gpu::Stream stream) {
  constexpr const char* kName = "cuMemcpyDtoHAsync";
  return call(kName, kInContext, [&] {
    if (!isOnDevice(from, size)) return kInvalidValue;
    return submitOut(stream, copyOutTask(kName, to, from, size), to);
  });
}

UCXX_CUDA_API Result cuMemcpyAsync(Address to, Address from, std::size_t size, gpu::Stream stream) {
  constexpr const char* kName = "cuMemcpyAsync";
  return call(kName, kInContext, [&] {
    if (!isInOneBlock(to, size) || !isInOneBlock(from, size)) return kInvalidValue;
    return submitOut(stream, unifiedTask(kName, to, from, size), pointerTo(to));
  });
}

UCXX_CUDA_API Result cuMemcpyDtoDAsync_v2(Address to, Address from, std::size_t size,
                                          gpu::Stream stream) {
  constexpr const char* kName = "cuMemcpyDtoDAsync";
  return call(kName, kInContext, [&] {
    if (!isOnDevice(to, size) || !isOnDevice(from, size)) return kInvalidValue;
    return submit(stream, asynchronous(copyTask(kName, pointerTo(to), pointerTo(from), size)));
  });
}

UCXX_CUDA_API Result cuMemsetD8_v2(Address to, unsigned char byte, std::size_t size) {
  constexpr const char* kName = "cuMemsetD8";
  return call(kName, kInContext, [&] {
    if (!isOnDevice(to, size)) return kInvalidValue;
    return submitAndWait(fillTask(kName, to, byte, size));
  });
}

UCXX_CUDA_API Result cuMemsetD8Async(Address to, unsigned char byte, std::size_t size,
                                     gpu::Stream stream) {
  constexpr const char* kName = "cuMemsetD8Async";
  return call(kName, kInContext, [&] {
    if (!isOnDevice(to, size)) return kInvalidValue;
    return submit(stream, fillTask(kName, to, byte, size));
  });
}
// NOLINTEND(readability-identifier-naming)

}  // namespace stand_in
