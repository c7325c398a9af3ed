// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/driver/shadow.h"

#include <algorithm>
#include <cstring>

#include <sys/mman.h>

namespace stand_in {
namespace {

void* map(int file, std::size_t offset, std::size_t size, int rights) {
  return ::mmap(nullptr, size, rights, MAP_SHARED | MAP_NORESERVE, file,
                static_cast<off_t>(offset));
}

}  // namespace

std::optional<Shadowed> mapWithShadow(int file, std::size_t offset, std::size_t size) {
  void* const begin = map(file, offset, size, PROT_NONE);
  if (begin == MAP_FAILED) return std::nullopt;
  void* const shadow = map(file, offset, size, PROT_READ | PROT_WRITE);
  if (shadow != MAP_FAILED) return Shadowed{addressOf(begin), addressOf(shadow)};
  ::munmap(begin, size);
  return std::nullopt;
}

void unmapWithShadow(const Block& block) {
  ::munmap(pointerTo(block.begin), block.size);
  if (block.shadow != 0) ::munmap(pointerTo(block.shadow), block.size);
}

void fillFresh(Address begin, std::size_t size) {
  constexpr int kFresh = 0xa5;
  constexpr std::size_t kFreshBytes = 1 << 20;  // the rest is zeros: it costs no memory
  std::memset(pointerTo(begin), kFresh, std::min(size, kFreshBytes));
}

}  // namespace stand_in
