// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What the machine does not have to give is refused, on all PEs, before a page of it is taken.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

#include <dirent.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "shmem/available.h"
#include "shmem/check.h"

namespace {

constexpr long kMib = 1L << 20;
constexpr long kReserve = 256 * kMib;
/// What a PE may have without asking, and by how much it asks for more.
constexpr std::size_t kExempt = 64 * kMib, kStep = 64 * kMib;
/// The exempt rest of a request counts only when it has its pages, and what gets its pages just now
/// counts twice.
constexpr long kSlack = 4 * kMib;
constexpr int kAll = -1;

/// The pages of the memory that all PEs share.
std::size_t pageBytes() {
  std::size_t bytes = 0;
  DIR* const folder = ::opendir("/proc/self/fd");
  CHECK(folder != nullptr);
  while (const dirent* const entry = ::readdir(folder)) {
    const std::string path = std::string("/proc/self/fd/") + entry->d_name;
    char target[256] = {};
    struct stat state {};
    if (::readlink(path.c_str(), target, sizeof target - 1) < 0) continue;
    if (std::strncmp(target, "/memfd:ucxx", 11) != 0 || ::stat(path.c_str(), &state) != 0) continue;
    bytes = std::max(bytes, static_cast<std::size_t>(state.st_blocks) * 512);
  }
  ::closedir(folder);
  return bytes;
}

/// Of the machine, beside its reserve and with what the PEs have; -1: as it is.
long left_bytes = -1;

/// As long as one lives the machine has so much beside its reserve, as this PE sees it, less what
/// the PEs take meanwhile. Begins and ends with a barrier: nobody allocates before all see it so.
class Left {
 public:
  explicit Left(long bytes) {
    shmem_barrier_all();
    left_bytes = bytes + static_cast<long>(pageBytes());
    shmem_barrier_all();
  }
  ~Left() {
    left_bytes = -1;
    shmem_barrier_all();
  }
  Left(const Left&) = delete;
  Left& operator=(const Left&) = delete;
};

void fill(void* block, std::size_t bytes) { std::memset(block, shmem_my_pe() + 1, bytes); }
void checkFilled(const void* block, std::size_t bytes) {
  const auto* const begin = static_cast<const unsigned char*>(block);
  CHECK_EQ(begin[0], shmem_my_pe() + 1);
  CHECK(std::memcmp(begin, begin + 1, bytes - 1) == 0);
}

struct Call {
  const char* name;
  void* (*allocate)(std::size_t bytes);
};
const Call kCalls[] = {
    {"malloc", [](std::size_t bytes) { return shmem_malloc(bytes); }},
    {"calloc", [](std::size_t bytes) { return shmem_calloc(bytes / 8, 8); }},
    {"align", [](std::size_t bytes) { return shmem_align(4096, bytes); }},
    {"malloc_with_hints", [](std::size_t bytes) { return shmem_malloc_with_hints(bytes, 0); }},
    {"realloc", [](std::size_t bytes) { return shmem_realloc(nullptr, bytes); }},
};

/// On the PE `poor`, or on all.
long leftOn(int poor, long poor_bytes) {
  return poor == kAll || poor == shmem_my_pe() ? poor_bytes : 1024 * kMib;
}

/// What is exempt is there, and not a byte more; what others have taken for nothing they give back.
void testRefused(const Call& call, int poor) {
  const Left left(leftOn(poor, 0));
  void* const exempt = call.allocate(kExempt / 2);
  CHECK(exempt != nullptr);
  fill(exempt, kExempt / 2);
  shmem_barrier_all();
  const std::size_t before = pageBytes();
  shmem_barrier_all();
  CHECK(call.allocate(kExempt) == nullptr);
  CHECK(call.allocate(std::size_t{900} * kMib) == nullptr);
  shmem_barrier_all();
  CHECK_EQ(pageBytes(), before);
  shmem_barrier_all();
  checkFilled(exempt, kExempt / 2);
  CHECK(call.allocate(kExempt / 4) != nullptr);
}

/// Each alone could have what all together cannot.
void testTogether() {
  const auto pes = static_cast<long>(shmem_n_pes());
  CHECK(shmem_malloc(kExempt - kMib) != nullptr);
  {
    const Left left(pes * static_cast<long>(kStep) - 1);
    CHECK(shmem_malloc(kStep) == nullptr);
    CHECK(shmem_malloc(2 * kMib) == nullptr);  // a small request takes a step, too
  }
  const Left left(pes * (static_cast<long>(kStep) + kSlack));
  void* const block = shmem_malloc(kStep);
  CHECK(block != nullptr);
  fill(block, kStep);
  shmem_barrier_all();
  shmem_free(block);
}

/// What is left of a step is there without a look.
void testSteps() {
  CHECK(shmem_malloc(kExempt - kMib) != nullptr);
  {
    const Left left(shmem_n_pes() * (static_cast<long>(kStep) + kSlack));
    CHECK(shmem_malloc(2 * kMib) != nullptr);
  }
  const Left left(0);
  CHECK(shmem_malloc(kStep / 2) != nullptr);
  CHECK(shmem_malloc(kStep) == nullptr);
}

/// Flags of teams are the library's: they are there where the heap gets nothing.
void testTeams() {
  CHECK(shmem_malloc(kExempt - kMib) != nullptr);
  const Left left(0);
  CHECK(shmem_malloc(2 * kMib) == nullptr);
  for (int time = 0; time < 100; ++time) {
    shmem_team_t team = SHMEM_TEAM_INVALID;
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), nullptr, 0, &team), 0);
    shmem_team_sync(team);
  }
}

/// A forked child that reads a heap that has ended gives it pages, which nobody has asked for.
void readInChild() {
  shmem_init();
  const auto* const block = static_cast<volatile char*>(shmem_malloc(kExempt / 2));
  shmem_finalize();
  const pid_t child = ::fork();
  if (child == 0) {
    for (std::size_t at = 0; at < kExempt / 2; at += 4096) (void)block[at];
    ::_exit(0);
  }
  int status = -1;
  CHECK(::waitpid(child, &status, 0) == child && status == 0);
}

/// A block that cannot grow stays as it is: where it is, and where something lies after it.
void testGrowth(int poor, bool has_room) {
  const Left left(leftOn(poor, 0));
  void* const block = shmem_malloc(100'000);
  if (!has_room) shmem_malloc(100);
  fill(block, 100'000);
  CHECK(shmem_realloc(block, kExempt + 1) == nullptr);
  checkFilled(block, 100'000);
  void* const grown = shmem_realloc(block, kExempt / 2);
  CHECK(grown != nullptr);
  checkFilled(grown, 100'000);
}

/// On a heap that has no pages yet.
template <class Test>
void onFreshHeap(const Test& test) {
  shmem_init();
  test();
  shmem_finalize();
}

}  // namespace

long ucxx::test::availableBytes() {
  if (left_bytes < 0) return -1;
  return kReserve + std::max(left_bytes - static_cast<long>(pageBytes()), 0L);
}

int main() {
  shmem_init();
  const int pes = shmem_n_pes();
  shmem_finalize();
  for (const Call& call : kCalls) onFreshHeap([&] { testRefused(call, kAll); });
  for (int poor = 0; poor < pes; ++poor) onFreshHeap([&] { testRefused(kCalls[0], poor); });
  for (int time = 0; time < 2; ++time) {
    onFreshHeap(testTogether);
    readInChild();
  }
  onFreshHeap(testTogether);
  onFreshHeap(testTeams);
  onFreshHeap(testSteps);
  for (const bool has_room : {false, true}) {
    onFreshHeap([&] { testGrowth(kAll, has_room); });
    onFreshHeap([&] { testGrowth(pes - 1, has_room); });
  }
}
