// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

//
// Device memory of one process in another: the other one maps the file of the arena.

#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cuda/driver/blocks.h"
#include "cuda/driver/call.h"
#include "cuda/driver/contexts.h"
#include "cuda/driver/shadow.h"

namespace stand_in {
namespace {

constexpr std::uint64_t kMagic = 0x5543'5858'2d49'5043;

struct Exported {
  std::uint64_t magic;
  std::int64_t process;
  std::int64_t file;
  std::uint64_t offset, size;
  std::uint64_t is_of_processor;
};
static_assert(sizeof(Exported) <= sizeof(IpcHandle));

/// What the processor may not touch there it may not touch here.
std::optional<Shadowed> map(int file, const Exported& exported) {
  if (exported.is_of_processor == 0) return mapWithShadow(file, exported.offset, exported.size);
  void* const memory = ::mmap(nullptr, exported.size, PROT_READ | PROT_WRITE, MAP_SHARED, file,
                              static_cast<off_t>(exported.offset));
  if (memory == MAP_FAILED) return std::nullopt;
  return Shadowed{.begin = addressOf(memory)};
}

Result open(Address* address, const Exported& exported) {
  const std::string path =
      "/proc/" + std::to_string(exported.process) + "/fd/" + std::to_string(exported.file);
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return kInvalidValue;
  const auto mapped = map(file, exported);
  ::close(file);
  if (!mapped.has_value()) return kInvalidValue;
  *address = mapped->begin;
  addBlock({.kind = Kind::Opened,
            .begin = mapped->begin,
            .size = exported.size,
            .device = mapped->begin,
            .shadow = mapped->shadow,
            .context = currentContext(),
            .ordinal = currentDevice()});
  return kSuccess;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the driver's names
/// Of plain allocations only.
UCXX_CUDA_API Result cuIpcGetMemHandle(IpcHandle* handle, Address address) {
  return call("cuIpcGetMemHandle", kUnsafe, [&] {
    const auto block = blockAt(address);
    if (handle == nullptr || !block.has_value() || !block->is_exported) return kInvalidValue;
    const Exported exported{kMagic,        ::getpid(),  block->file,
                            block->offset, block->size, block->shadow == 0};
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
    unmapWithShadow(*block);
    return kSuccess;
  });
}
// NOLINTEND(readability-identifier-naming)

}  // namespace stand_in
