// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/driver/arena.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include <sys/mman.h>
#include <unistd.h>

#include "cuda/driver/options.h"

namespace stand_in {
namespace {

constexpr std::size_t kArenaPage = 4096;
constexpr int kFresh = 0xa5;  // what memory has that nobody has written

std::size_t pagesOf(std::size_t size) { return (size + kArenaPage - 1) / kArenaPage * kArenaPage; }

class Arena {
 public:
  Arena() : file_(::memfd_create("device memory", MFD_CLOEXEC)) {
    const std::size_t size = options().memory_bytes;
    void* const memory =
        ::ftruncate(file_, static_cast<off_t>(size)) != 0
            ? MAP_FAILED
            : ::mmap(nullptr, size, PROT_NONE, MAP_SHARED | MAP_NORESERVE, file_, 0);
    if (memory == MAP_FAILED) {
      std::perror("CUDA stand-in: memory of the device");
      std::_Exit(2);
    }
    begin_ = addressOf(memory);
    free_[0] = size;
  }

  Address take(std::size_t size) {
    const std::lock_guard lock(mutex_);
    const std::size_t pages = pagesOf(size);
    for (auto gap = free_.begin(); gap != free_.end(); ++gap) {
      if (gap->second <= pages) continue;  // a page more, that is never given out
      const std::size_t offset = gap->first, rest = gap->second - pages - kArenaPage;
      free_.erase(gap);
      if (rest > 0) free_[offset + pages + kArenaPage] = rest;
      ::mprotect(pointerTo(begin_ + offset), pages, PROT_READ | PROT_WRITE);
      std::memset(pointerTo(begin_ + offset), kFresh, size < kFreshBytes ? size : kFreshBytes);
      return begin_ + offset;
    }
    return 0;
  }

  void give(Address begin, std::size_t size) {
    const std::lock_guard lock(mutex_);
    const std::size_t pages = pagesOf(size);
    ::madvise(pointerTo(begin), pages, MADV_REMOVE);
    ::mprotect(pointerTo(begin), pages, PROT_NONE);
    auto here = free_.emplace(begin - begin_, pages + kArenaPage).first;
    if (const auto next = std::next(here);
        next != free_.end() && here->first + here->second == next->first) {
      here->second += next->second;
      free_.erase(next);
    }
    if (here == free_.begin()) return;
    const auto before = std::prev(here);
    if (before->first + before->second != here->first) return;
    before->second += here->second;
    free_.erase(here);
  }

  int file() const { return file_; }
  std::size_t offsetOf(Address begin) const { return begin - begin_; }

 private:
  static constexpr std::size_t kFreshBytes = 1 << 20;  // the rest is zeros: it costs no memory

  const int file_;
  Address begin_ = 0;
  std::mutex mutex_;
  std::map<std::size_t, std::size_t> free_;  // guarded by `mutex_`: offset, size
};

Arena& arena() {
  static auto* const only = new Arena;
  return *only;
}

}  // namespace

Address takeOfArena(std::size_t size) { return arena().take(size); }
void giveToArena(Address begin, std::size_t size) { arena().give(begin, size); }
int fileOfArena() { return arena().file(); }
std::size_t offsetInArena(Address begin) { return arena().offsetOf(begin); }

}  // namespace stand_in
