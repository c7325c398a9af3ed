// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Active sets as programs of before OpenSHMEM 1.5 use them: two pSync arrays in turn, one dest, no
// barrier. A call that others have begun must not change the dest of a PE that is still at the
// result of the call before.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "shmem/active_set.h"
#include "shmem/check.h"

namespace {

using ucxx::test::PSync;

constexpr std::size_t kMost = 4096, kMostPes = 16;  // elements of a block
PSync<SHMEM_SYNC_SIZE> psyncs[2];
long dest[kMost * kMostPes], source[kMost * kMostPes], work[kMost];
long ahead = 0;  // how many of the others are about to begin the next call

/// One call of a collective, with `count` elements in each block.
struct Call {
  void (*run)(std::size_t count, int root, long* psync);
  bool has_root;
  bool has_blocks;  // dest has one of each PE
};

int all() { return shmem_n_pes(); }

const Call kCalls[] = {
    {[](std::size_t count, int root, long* psync) {
       shmem_broadcast64(dest, source, count, root, 0, 0, all(), psync);
     },
     true, false},
    {[](std::size_t count, int, long* psync) {
       shmem_fcollect64(dest, source, count, 0, 0, all(), psync);
     },
     false, true},
    {[](std::size_t count, int, long* psync) {
       shmem_collect64(dest, source, count, 0, 0, all(), psync);
     },
     false, true},
    {[](std::size_t count, int, long* psync) {
       shmem_alltoall64(dest, source, count, 0, 0, all(), psync);
     },
     false, true},
    {[](std::size_t count, int, long* psync) {
       shmem_alltoalls64(dest, source, 1, 1, count, 0, 0, all(), psync);
     },
     false, true},
    {[](std::size_t count, int, long* psync) {
       shmem_long_max_to_all(dest, source, static_cast<int>(count), 0, 0, all(), work, psync);
     },
     false, false},
};

/// The others have nothing in their way for a while. What they must not do they would do now.
void watchDest(std::size_t length, long expected) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(3);
  do {
    for (std::size_t at = 0; at < length; ++at) CHECK_EQ(dest[at], expected);
  } while (std::chrono::steady_clock::now() < end);
}

void awaitOthers(long turn) { shmem_long_wait_until(&ahead, SHMEM_CMP_GE, turn * (all() - 1)); }

/// Each has the number of the turn in all of its source.
void takeTurns(const Call& call, std::size_t count, int root, int slow) {
  const std::size_t length = call.has_blocks ? count * static_cast<std::size_t>(all()) : count;
  ahead = 0;
  std::fill_n(dest, std::size(dest), -1);
  shmem_barrier_all();
  for (long turn = 1; turn <= 4; ++turn) {
    std::fill_n(source, length, turn);
    call.run(count, root, psyncs[turn % 2].get());
    const bool has_dest = !call.has_root || root != shmem_my_pe();
    if (has_dest) CHECK(std::count(dest, dest + length, turn) == static_cast<long>(length));
    if (shmem_my_pe() != slow) {
      shmem_long_atomic_inc(&ahead, slow);
    } else {
      awaitOthers(turn);
      watchDest(length, turn);
    }
  }
  shmem_barrier_all();
}

/// The root is fast. For the rest each PE is the slow one once.
void test(const Call& call) {
  for (const std::size_t count : {std::size_t{1}, std::size_t{8}, std::size_t{500}, kMost}) {
    for (int slow = 0; slow < all(); ++slow) takeTurns(call, count, (slow + 1) % all(), slow);
  }
}

/// Whose turn it is to give goes round: each is ahead of the others once.
void testRootsInTurn() {
  for (long turn = 1; turn <= 500; ++turn) {
    const int root = static_cast<int>(turn) % all();
    source[0] = turn;
    dest[0] = root == shmem_my_pe() ? turn : 0;
    shmem_broadcast64(dest, source, 1, root, 0, 0, all(), psyncs[turn % 2].get());
    CHECK_EQ(dest[0], turn);
    CHECK_EQ(shmem_long_g(&source[0], shmem_my_pe()), turn);
  }
  shmem_barrier_all();
}

void beLate() {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1);
  while (std::chrono::steady_clock::now() < end) {
  }
}

/// One array call after call, which the standard does not allow and programs do: a PE that is ready
/// for the next broadcast has not read for one that is slow in this one.
void testOneArray() {
  for (long turn = 1; turn <= 40; ++turn) {
    const std::size_t count = turn % 2 == 0 ? 1 : kMost;
    std::fill_n(source, count, turn);
    if (shmem_my_pe() == all() - 1) beLate();
    shmem_broadcast64(dest, source, count, 0, 0, 0, all(), psyncs[0].get());
    if (shmem_my_pe() != 0) CHECK(std::count(dest, dest + count, turn) == static_cast<long>(count));
  }
  shmem_barrier_all();
}

}  // namespace

int main() {
  shmem_init();
  for (const Call& call : kCalls) {
    if (all() > 1) test(call);
  }
  testRootsInTurn();
  testOneArray();
  shmem_finalize();
}
