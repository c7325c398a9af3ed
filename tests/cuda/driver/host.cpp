// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

//
// Page-locked memory of the host: the driver's, and what the program has registered.

#include <cinttypes>
#include <cstdio>
#include <memory>

#include <sys/mman.h>

#include "cuda/driver/attributes.h"
#include "cuda/driver/blocks.h"
#include "cuda/driver/call.h"
#include "cuda/driver/contexts.h"
#include "cuda/driver/queue.h"

namespace stand_in {
namespace {

constexpr unsigned kAllFlags = 15;
constexpr std::size_t kHostPage = 4096;

struct Rights {
  bool may_read = true, may_write = true;
};

/// What the kernel says of the pages; not mapped: neither.
Rights rightsOf(Address begin, std::size_t size) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> maps(std::fopen("/proc/self/maps", "re"),
                                                             std::fclose);
  Rights rights;
  Address next = begin;  // up to here all is mapped
  char line[4096];
  while (maps != nullptr && next < begin + size &&
         std::fgets(line, sizeof line, maps.get()) != nullptr) {
    std::uint64_t from = 0, to = 0;
    char read = '-', write = '-';
    if (std::sscanf(line, "%" SCNx64 "-%" SCNx64 " %c%c", &from, &to, &read, &write) != 4) continue;
    if (to <= next) continue;
    if (from > next) break;
    rights.may_read &= read == 'r';
    rights.may_write &= write == 'w';
    next = to;
  }
  return next < begin + size ? Rights{false, false} : rights;
}

/// Where the device sees pages of the host: at their own address, or at one more where the
/// attribute says so, which shared pages can have. 0: they cannot.
Address deviceAddressOf(Address begin, std::size_t size) {
  if (has(kSameHostAddress)) return begin;
  const Address page = begin / kHostPage * kHostPage;
  void* const other = ::mremap(pointerTo(page), 0, size + (begin - page), MREMAP_MAYMOVE);
  return other == MAP_FAILED ? 0 : addressOf(other) + (begin - page);
}

Block blockOfHost(Kind kind, Address begin, std::size_t size, Address device) {
  return {.kind = kind,
          .begin = begin,
          .size = size,
          .device = device,
          .context = currentContext(),
          .ordinal = currentDevice()};
}

Result allocateHost(void** pointer, std::size_t size) {
  if (pointer == nullptr || size == 0) return kInvalidValue;
  void* const memory =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return kOutOfMemory;
  const Address begin = addressOf(memory);
  addBlock(blockOfHost(Kind::Host, begin, size, deviceAddressOf(begin, size)));
  *pointer = memory;
  return kSuccess;
}

Result registerPages(Address begin, std::size_t size, unsigned flags) {
  if (!has(kHostRegistration)) return kNotSupported;
  if (begin == 0 || size == 0 || flags > kAllFlags) return kInvalidValue;
  if (overlapsBlock(begin, size)) return kAlreadyRegistered;
  const Rights rights = rightsOf(begin, size);
  if (!rights.may_read || (!rights.may_write && (flags & gpu::kReadOnly) == 0))
    return kInvalidValue;
  const Address device = deviceAddressOf(begin, size);
  if (device == 0) return kNotSupported;
  addBlock(blockOfHost(Kind::Registered, begin, size, device));
  return kSuccess;
}

bool isRegistered(const Block& block) { return block.kind == Kind::Registered; }

}  // namespace

void forgetDeviceAddress(const Block& block) {
  const Address page = block.device / kHostPage * kHostPage;
  if (block.device != block.begin) ::munmap(pointerTo(page), block.size + (block.device - page));
}

// NOLINTBEGIN(readability-identifier-naming): the driver's names
UCXX_CUDA_API Result cuMemHostAlloc(void** pointer, std::size_t size, unsigned flags) {
  return call("cuMemHostAlloc", kUnsafe,
              [&] { return flags > kAllFlags ? kInvalidValue : allocateHost(pointer, size); });
}

/// Waits for all streams.
UCXX_CUDA_API Result cuMemFreeHost(void* pointer) {
  return call("cuMemFreeHost", kUnsafe, [&] {
    if (const Result result = waitForAll(); result != kSuccess) return result;
    const auto block =
        takeBlock(addressOf(pointer), [](const Block& each) { return each.kind == Kind::Host; });
    if (!block.has_value()) {
      countWrongFree();
      return kInvalidValue;
    }
    forgetDeviceAddress(*block);
    ::munmap(pointer, block->size);
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuMemHostRegister_v2(void* pointer, std::size_t size, unsigned flags) {
  return call("cuMemHostRegister", kUnsafe,
              [&] { return registerPages(addressOf(pointer), size, flags); });
}

/// Waits for all streams.
UCXX_CUDA_API Result cuMemHostUnregister(void* pointer) {
  return call("cuMemHostUnregister", kUnsafe, [&] {
    const auto known = blockAt(addressOf(pointer));
    if (!known.has_value() || !isRegistered(*known)) return kNotRegistered;
    if (known->begin != addressOf(pointer)) return kInvalidValue;
    if (const Result result = waitForAll(); result != kSuccess) return result;
    const auto block = takeBlock(addressOf(pointer), isRegistered);
    if (!block.has_value()) return kNotRegistered;
    forgetDeviceAddress(*block);
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuMemHostGetDevicePointer_v2(Address* address, void* pointer, unsigned flags) {
  return call("cuMemHostGetDevicePointer", kInContext, [&] {
    const auto block = blockAt(addressOf(pointer));
    if (address == nullptr || flags != 0 || !block.has_value() || !block->isPageLocked())
      return kInvalidValue;
    *address = block->device + (addressOf(pointer) - block->begin);
    return kSuccess;
  });
}
// NOLINTEND(readability-identifier-naming)

}  // namespace stand_in
