// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/driver/arena.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cuda/driver/options.h"
#include "cuda/driver/shadow.h"

namespace stand_in {
namespace {

constexpr std::size_t kArenaPage = 4096;

std::size_t pagesOf(std::size_t size) { return (size + kArenaPage - 1) / kArenaPage * kArenaPage; }

class Arena {
 public:
  Arena() : file_(::memfd_create("device memory", MFD_CLOEXEC)) {
    const std::size_t size = options().memory_bytes;
    if (::ftruncate(file_, static_cast<off_t>(size)) != 0) fail();
    begin_ = map(size);
    shadow_ = isAsked("unreachable") ? map(size) : begin_;
    free_[0] = size;
  }

  Address take(std::size_t size, bool is_of_processor) {
    const std::lock_guard lock(mutex_);
    const std::size_t pages = pagesOf(size);
    for (auto gap = free_.begin(); gap != free_.end(); ++gap) {
      if (gap->second <= pages) continue;  // a page more, that is never given out
      const std::size_t offset = gap->first, rest = gap->second - pages - kArenaPage;
      free_.erase(gap);
      if (rest > 0) free_[offset + pages + kArenaPage] = rest;
      protect(shadow_ + offset, pages, PROT_READ | PROT_WRITE);
      if (is_of_processor) protect(begin_ + offset, pages, PROT_READ | PROT_WRITE);
      fillFresh(shadow_ + offset, size);
      return begin_ + offset;
    }
    return 0;
  }

  void give(Address begin, std::size_t size) {
    const std::lock_guard lock(mutex_);
    const std::size_t pages = pagesOf(size);
    ::fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                static_cast<off_t>(offsetOf(begin)), static_cast<off_t>(pages));
    protect(begin, pages, PROT_NONE);
    protect(shadowOf(begin), pages, PROT_NONE);
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
  Address shadowOf(Address begin) const { return shadow_ + offsetOf(begin); }

 private:
  [[noreturn]] static void fail() {
    std::perror("CUDA stand-in: memory of the device");
    std::_Exit(2);
  }

  Address map(std::size_t size) const {
    void* const memory = ::mmap(nullptr, size, PROT_NONE, MAP_SHARED | MAP_NORESERVE, file_, 0);
    if (memory == MAP_FAILED) fail();
    return addressOf(memory);
  }

  static void protect(Address begin, std::size_t size, int rights) {
    ::mprotect(pointerTo(begin), size, rights);
  }

  const int file_;
  Address begin_ = 0, shadow_ = 0;
  std::mutex mutex_;
  std::map<std::size_t, std::size_t> free_;  // guarded by `mutex_`: offset, size
};

Arena& arena() {
  static auto* const only = new Arena;
  return *only;
}

}  // namespace

Address takeOfArena(std::size_t size, bool is_of_processor) {
  return arena().take(size, is_of_processor);
}
void giveToArena(Address begin, std::size_t size) { arena().give(begin, size); }
int fileOfArena() { return arena().file(); }
std::size_t offsetInArena(Address begin) { return arena().offsetOf(begin); }
Address shadowInArena(Address begin) { return arena().shadowOf(begin); }

}  // namespace stand_in
