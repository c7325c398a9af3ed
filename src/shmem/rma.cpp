// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/rma.h"

#include "shmem/arguments.h"
#include "shmem/failure.h"

namespace ucxx::shmem {
namespace {

/// Of a size that the compiler knows, so that it needs no call for each.
template <std::size_t Bytes>
void copyBlocksOf(std::byte* to, const std::byte* from, const Blocks& blocks) noexcept {
  for (std::size_t block = 0; block < blocks.count; ++block) {
    std::memcpy(to, from, Bytes);
    to += blocks.to_stride;
    from += blocks.from_stride;
  }
}

void checkStride(std::ptrdiff_t stride, const Blocks& blocks, const char* side,
                 const char* call) noexcept {
  if (stride >= static_cast<std::ptrdiff_t>(blocks.bytes)) return;
  fail(call,
       "a stride of %td bytes on the side of the %s: blocks have %zu bytes, so it is at least that",
       stride, side, blocks.bytes);
}

}  // namespace

void checkTransfer(const void* dest, const void* source, std::size_t bytes, int pe,
                   const char* call) noexcept {
  checkLocal(dest, bytes, "dest", call);
  checkLocal(source, bytes, "source", call);
  if (pe == node.me) checkApart(dest, bytes, source, bytes, call);
}

void checkBlocks(const Blocks& blocks, const char* call) noexcept {
  if (!node.is_debug) return;
  checkStride(blocks.to_stride, blocks, "destination", call);
  checkStride(blocks.from_stride, blocks, "source", call);
}

void copyBlocks(std::byte* to, const std::byte* from, const Blocks& blocks) noexcept {
  switch (blocks.bytes) {
    case 1:
      return copyBlocksOf<1>(to, from, blocks);
    case 2:
      return copyBlocksOf<2>(to, from, blocks);
    case 4:
      return copyBlocksOf<4>(to, from, blocks);
    case 8:
      return copyBlocksOf<8>(to, from, blocks);
    case 16:
      return copyBlocksOf<16>(to, from, blocks);
    default:
      break;
  }
  for (std::size_t block = 0; block < blocks.count; ++block) {
    copy(to, from, blocks.bytes);
    to += blocks.to_stride;
    from += blocks.from_stride;
  }
}

void putBlocks(void* dest, const void* source, const Blocks& blocks, int pe,
               const char* call) noexcept {
  if (blocks.count == 0 || blocks.bytes == 0) return;
  checkBlocks(blocks, call);
  checkLocal(source, extentOf(blocks, blocks.from_stride), "source", call);
  const Place there = locate(dest, extentOf(blocks, blocks.to_stride), pe, call);
  copyBlocks(there.address, static_cast<const std::byte*>(source), blocks);
  wakeIfAsleep(there.control.for_accesses);
}

void getBlocks(void* dest, const void* source, const Blocks& blocks, int pe,
               const char* call) noexcept {
  if (blocks.count == 0 || blocks.bytes == 0) return;
  checkBlocks(blocks, call);
  checkLocal(dest, extentOf(blocks, blocks.to_stride), "dest", call);
  const Place there = locate(source, extentOf(blocks, blocks.from_stride), pe, call);
  copyBlocks(static_cast<std::byte*>(dest), there.address, blocks);
}

}  // namespace ucxx::shmem
