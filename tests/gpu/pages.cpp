// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Page-locking: of which pages, at what price, and what becomes of what is then done to them.

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gpu/groups.h"
#include "gpu/report.h"
#include "gpu/setting.h"

namespace gpu {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kSmall = 300 << 10;
constexpr int kLockRounds = 5;

/// Pages of one of the kinds that the library has or could have.
class Pages {
 public:
  Pages(std::size_t size, int flags, int file, int protection = PROT_READ | PROT_WRITE)
      : size_(size), memory_(::mmap(nullptr, size, protection, flags, file, 0)) {
    if (memory_ == MAP_FAILED) throw Stop("mmap");
  }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  ~Pages() { ::munmap(memory_, size_); }

  std::size_t size() const { return size_; }
  char* data() const { return static_cast<char*>(memory_); }
  volatile std::uint64_t& word() const { return *static_cast<volatile std::uint64_t*>(memory_); }

 private:
  const std::size_t size_;
  void* const memory_;
};

Pages anonymous(std::size_t size, int kind = MAP_SHARED) {
  return {size, kind | MAP_ANONYMOUS, -1};
}

int memoryFile(std::size_t size) {
  const int file = ::memfd_create("facts", MFD_CLOEXEC);
  if (file < 0 || ::ftruncate(file, static_cast<off_t>(size)) != 0) throw Stop("memfd_create");
  return file;
}

Result lock(const Pages& pages, unsigned flags = kPortable | kDeviceMap) {
  return driver().registerHost(pages.data(), pages.size(), flags);
}

Result unlock(const Pages& pages) { return driver().unregisterHost(pages.data()); }

/// What it costs; pages are touched before, as those of an arena are.
void tellPrice(const std::string& what, const Pages& pages) {
  std::memset(pages.data(), 1, pages.size());
  std::vector<double> locking, unlocking;
  for (int round = 0; round < kLockRounds; ++round) {
    Result locked = kSuccess, unlocked = kSuccess;
    locking.push_back(timed([&] { locked = lock(pages); }));
    unlocking.push_back(timed([&] { unlocked = unlock(pages); }));
    if (!check(what + ": cuMemHostRegister", locked) ||
        !check(what + ": cuMemHostUnregister", unlocked))
      return;
  }
  times(what + ": cuMemHostRegister", locking, "us");
  times(what + ": cuMemHostUnregister", unlocking, "us");
}

void tellPrices() {
  for (const auto& [name, size] : {std::pair{"4 KiB", kPage}, std::pair{"300 KiB", kSmall},
                                   std::pair{"64 MiB", std::size_t{64} << 20}}) {
    const std::string text = std::string(" of ") + name;
    tellPrice("anonymous shared pages" + text, anonymous(size));
    tellPrice("anonymous private pages" + text, anonymous(size, MAP_PRIVATE));
    const int file = memoryFile(size);
    tellPrice("pages of a memfd" + text, {size, MAP_SHARED, file});
    ::close(file);
  }
}

/// The GPU writes a word of locked pages; returns its address there.
Address writeThere(const std::string& what, const Pages& pages, std::uint64_t value) {
  static const Stream stream = makeStream();
  Address there = 0;
  if (check(what + ": cuMemHostGetDevicePointer",
            driver().deviceAddress(&there, pages.data(), 0)) &&
      check(what + ": cuStreamWriteValue64", driver().writeValue64(stream, there, value, 0)))
    drains(what.c_str(), stream);
  return there;
}

/// The library's memory is of this kind: another process maps the same file.
void tellFile() {
  const int file = memoryFile(kSmall);
  const Pages first(kSmall, MAP_SHARED, file), second(kSmall, MAP_SHARED, file);
  if (!check("memfd: cuMemHostRegister", lock(first))) return;
  const Address there = writeThere("memfd", first, 7);
  fact("memfd: the GPU has our address", there == reinterpret_cast<Address>(first.data()));
  expect("memfd: a second mapping", second.word() == 7, "it does not see what the GPU wrote");
  answer("memfd: cuMemHostRegister of a second mapping", lock(second));
  driver().unregisterHost(second.data());

  // What the arena does with idle blocks.
  ::fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, kSmall);
  fact("memfd, locked: a hole reads as", static_cast<std::uint64_t>(first.word()));
  writeThere("memfd, with a hole", first, 9);
  fact("memfd, with a hole: the processor sees what the GPU writes", first.word() == 9);
  answer("memfd, with a hole: cuMemHostUnregister", unlock(first));
  ::close(file);
}

void tellAnonymous() {
  const Pages pages = anonymous(kSmall);
  ::madvise(pages.data(), pages.size(), MADV_DONTFORK);
  if (!check("anonymous: cuMemHostRegister", lock(pages))) return;
  const Address there = writeThere("anonymous", pages, 7);
  fact("anonymous: the GPU has our address", there == reinterpret_cast<Address>(pages.data()));
  expect("anonymous: a word", pages.word() == 7, "it is not what the GPU wrote");
  answer("anonymous: cuMemHostRegister again", lock(pages));
  answer("anonymous: cuMemHostRegister of a part of it",
         driver().registerHost(pages.data() + kPage, kPage, kPortable));
  ::madvise(pages.data(), pages.size(), MADV_DONTNEED);
  fact("anonymous, locked: after MADV_DONTNEED it reads as",
       static_cast<std::uint64_t>(pages.word()));
  writeThere("anonymous, after MADV_DONTNEED", pages, 9);
  fact("anonymous, after MADV_DONTNEED: the processor sees what the GPU writes", pages.word() == 9);
  answer("anonymous: cuMemHostUnregister", unlock(pages));
  answer("anonymous: cuMemHostUnregister again", unlock(pages));
}

void tellOthers() {
  const Pages read_only(kSmall, MAP_SHARED | MAP_ANONYMOUS, -1, PROT_READ);
  answer("read-only pages: cuMemHostRegister", lock(read_only));
  unlock(read_only);
  answer("read-only pages, said so: cuMemHostRegister", lock(read_only, kPortable | kReadOnly));
  unlock(read_only);
  char* gone = nullptr;
  {
    const Pages pages = anonymous(kSmall);
    if (!check("pages to be unmapped: cuMemHostRegister", lock(pages))) return;
    gone = pages.data();
  }
  answer("pages that are unmapped: cuMemHostUnregister", driver().unregisterHost(gone));
}

}  // namespace

void tellPages() {
  useDevice();
  tellPrices();
  tellAnonymous();
  tellFile();
  tellOthers();
}

}  // namespace gpu
