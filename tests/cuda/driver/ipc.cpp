// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

//
// Device memory of one process in another: the other one maps the file of the arena.

#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cuda/driver/arena.h"
#include "cuda/driver/blocks.h"
#include "cuda/driver/call.h"

namespace stand_in {
namespace {

constexpr std::uint64_t kMagic = 0x5543'5858'2d49'5043;

struct Exported {
  std::uint64_t magic;
  std::int64_t process;
  std::int64_t file;
  std::uint64_t offset, size;
};
static_assert(sizeof(Exported) <= sizeof(IpcHandle));

Result open(Address* address, const Exported& exported) {
  const std::string path =
      "/proc/" + std::to_string(exported.process) + "/fd/" + std::to_string(exported.file);
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return kInvalidValue;
  void* const memory = ::mmap(nullptr, exported.size, PROT_READ | PROT_WRITE, MAP_SHARED, file,
                              static_cast<off_t>(exported.offset));
  ::close(file);
  if (memory == MAP_FAILED) return kInvalidValue;
  *address = addressOf(memory);
  addBlock({.kind = Kind::Opened, .begin = *address, .size = exported.size, .device = *address});
  return kSuccess;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the driver's names
/// Of plain allocations only.
UCXX_CUDA_API Result cuIpcGetMemHandle(IpcHandle* handle, Address address) {
  return call("cuIpcGetMemHandle", kUnsafe, [&] {
    const auto block = blockAt(address);
    if (handle == nullptr || !block.has_value() || block->kind != Kind::Device)
      return kInvalidValue;
    const Exported exported{kMagic, ::getpid(), fileOfArena(), offsetInArena(block->begin),
                            block->size};
    *handle = {};
    std::memcpy(handle, &exported, sizeof exported);
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuIpcOpenMemHandle_v2(Address* address, IpcHandle handle, unsigned flags) {
  return call("cuIpcOpenMemHandle", kUnsafe, [&] {
    constexpr unsigned kLazyPeerAccess = 1;
    Exported exported;
    std::memcpy(&exported, &handle, sizeof exported);
    if (address == nullptr || flags != kLazyPeerAccess || exported.magic != kMagic)
      return kInvalidValue;
    return exported.process == ::getpid() ? kInvalidContext : open(address, exported);
  });
}

UCXX_CUDA_API Result cuIpcCloseMemHandle(Address address) {
  return call("cuIpcCloseMemHandle", kUnsafe, [&] {
    const auto block =
        takeBlock(address, [](const Block& each) { return each.kind == Kind::Opened; });
    if (!block.has_value()) return kInvalidValue;
    ::munmap(pointerTo(block->begin), block->size);
    return kSuccess;
  });
}
// NOLINTEND(readability-identifier-naming)

}  // namespace stand_in
