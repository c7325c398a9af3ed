// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/access/rma.h"

#include <cstdint>

#include "shmem/checks/arguments.h"
#include "shmem/checks/failure.h"

namespace ucxx::shmem {
namespace {

template <class Word>
bool areAligned(const std::byte* to, const std::byte* from, const Blocks& blocks) noexcept {
  const auto all = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) |
                   static_cast<std::uintptr_t>(blocks.to_stride) |
                   static_cast<std::uintptr_t>(blocks.from_stride);
  return all % sizeof(Word) == 0;
}

/// Blocks of so many words, of which each is copied whole: a thread may wait for one.
template <class Word, std::size_t Count = 1>
bool copiedAsWords(std::byte* to, const std::byte* from, const Blocks& blocks) noexcept {
  if (blocks.bytes != Count * sizeof(Word) || !areAligned<Word>(to, from, blocks)) return false;
  for (std::size_t block = 0; block < blocks.count; ++block) {
    for (std::size_t at = 0; at < Count * sizeof(Word); at += sizeof(Word))
      storeWhole(to + at, loadWhole<Word>(from + at));
    to += blocks.to_stride;
    from += blocks.from_stride;
  }
  return true;
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

void putSlowly(void* dest, const void* source, std::size_t bytes, int pe,
               const char* call) noexcept {
  if (bytes == 0) return;
  if (node.fast_heap == 0) checkTransfer(dest, source, bytes, pe, call);
  const Place there = locateSlowly(dest, bytes, pe, call);
  copy(there.address, source, bytes);
  wakeIfAsleep(there.control.for_accesses);
}

void getSlowly(void* dest, const void* source, std::size_t bytes, int pe,
               const char* call) noexcept {
  if (bytes == 0) return;
  if (node.fast_heap == 0) checkTransfer(dest, source, bytes, pe, call);
  copy(dest, locateSlowly(source, bytes, pe, call).address, bytes);
}

void checkBlocks(const Blocks& blocks, const char* call) noexcept {
  if (!node.is_debug) return;
  checkStride(blocks.to_stride, blocks, "destination", call);
  checkStride(blocks.from_stride, blocks, "source", call);
}

void copyBlocks(std::byte* to, const std::byte* from, const Blocks& blocks) noexcept {
  if (copiedAsWords<std::uint64_t>(to, from, blocks) ||
      copiedAsWords<std::uint32_t>(to, from, blocks) ||
      copiedAsWords<std::uint64_t, 2>(to, from, blocks) ||
      copiedAsWords<std::uint16_t>(to, from, blocks) ||
      copiedAsWords<std::uint8_t>(to, from, blocks))
    return;
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
