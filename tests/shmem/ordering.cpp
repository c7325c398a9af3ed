// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// fence, quiet, pe_quiet and their forms with a context: what they order and complete. What
// processors reorder is litmus.cpp's.
#include <algorithm>
#include <array>
#include <numeric>
#include <thread>
#include <vector>

#include "shmem/contexts.h"

namespace {

using ucxx::test::step;
using ucxx::test::Way;
using ucxx::test::Ways;

constexpr std::size_t kWords = 64;
using Words = std::array<long, kWords>;

/// What a PE sends; in use until its quiet.
Words source;
/// Where it arrives, and who says so.
Words target;
long flag;
std::uint64_t signal_word;

void fillSource(long value) { source.fill(value); }

/// Each leaves the source's value in the first and the last word of the target.
namespace writers {

void put(const Way& way, int to) {
  shmem_ctx_long_put(way.ctx, target.data(), source.data(), kWords, way.numberOf(to));
}
void putNbi(const Way& way, int to) {
  shmem_ctx_putmem_nbi(way.ctx, target.data(), source.data(), sizeof source, way.numberOf(to));
}
void single(const Way& way, int to) {
  for (const std::size_t i : {std::size_t{0}, kWords - 1})
    shmem_ctx_long_p(way.ctx, &target[i], source[i], way.numberOf(to));
}
void strided(const Way& way, int to) {
  shmem_ctx_iput64(way.ctx, target.data(), source.data(), kWords - 1, 1, 2, way.numberOf(to));
}
void blocks(const Way& way, int to) {
  shmem_ctx_long_ibput(way.ctx, target.data(), source.data(), 8, 8, 8, 8, way.numberOf(to));
}
void add(const Way& way, int to) {
  for (const std::size_t i : {std::size_t{0}, kWords - 1})
    shmem_ctx_long_atomic_add(way.ctx, &target[i], source[i], way.numberOf(to));
}
void set(const Way& way, int to) {
  for (const std::size_t i : {std::size_t{0}, kWords - 1})
    shmem_ctx_long_atomic_set(way.ctx, &target[i], source[i], way.numberOf(to));
}
void swapNbi(const Way& way, int to) {
  static long old;
  for (const std::size_t i : {std::size_t{0}, kWords - 1})
    shmem_ctx_long_atomic_swap_nbi(way.ctx, &old, &target[i], source[i], way.numberOf(to));
}
void putSignal(const Way& way, int to) {
  shmem_ctx_long_put_signal(way.ctx, target.data(), source.data(), kWords, &signal_word, 1,
                            SHMEM_SIGNAL_ADD, way.numberOf(to));
}
void putSignalNbi(const Way& way, int to) {
  shmem_ctx_put64_signal_nbi(way.ctx, target.data(), source.data(), kWords, &signal_word, 1,
                             SHMEM_SIGNAL_SET, way.numberOf(to));
}
void signals(const Way& way, int to) {
  for (const std::size_t i : {std::size_t{0}, kWords - 1})
    shmem_ctx_signal_set(way.ctx, reinterpret_cast<std::uint64_t*>(&target[i]),
                         static_cast<std::uint64_t>(source[i]), way.numberOf(to));
}
void plainStores(const Way&, int to) {
  auto* const there = static_cast<long*>(shmem_ptr(target.data(), to));
  CHECK(there != nullptr);
  std::copy(source.begin(), source.end(), there);
}

constexpr std::array kAll{put, putNbi,  single,    strided,      blocks,  add,
                          set, swapNbi, putSignal, putSignalNbi, signals, plainStores};

}  // namespace writers

bool isOrderedOn(const Way& way, void (*write)(const Way&, int)) {
  return way.orders_stores || write != writers::plainStores;
}

/// A way's fence or quiet, and the same for the way without a context.
using Order = void(const Way& way, int to);

void fence(const Way& way, int) { way.fence(); }
void quiet(const Way& way, int) { way.quiet(); }
void quietOfOne(const Way& way, int to) {
  const int number = way.numberOf(to);
  if (way.is_plain) return shmem_pe_quiet(&number, 1);
  shmem_ctx_pe_quiet(way.ctx, &number, 1);
}
/// The target comes twice, among others.
void quietOfMany(const Way& way, int to) {
  std::vector<int> numbers(way.members.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  numbers.push_back(way.numberOf(to));
  if (way.is_plain) return shmem_pe_quiet(numbers.data(), numbers.size());
  shmem_ctx_pe_quiet(way.ctx, numbers.data(), numbers.size());
}

void checkTarget(long value) {
  CHECK_EQ(target.front(), value);
  CHECK_EQ(target.back(), value);
}

/// Who sees the flag sees what was written before the fence.
void testFlagBehind(const Ways& ways, Order* order) {
  ways.forEach([&](const Way& way) {
    for (const auto write : writers::kAll) {
      if (!isOrderedOn(way, write)) continue;
      fillSource(1000 + shmem_my_pe());
      const auto clear = [] { target.fill(flag = 0); };
      step(
          way, 1, clear,
          [&](int to) {
            write(way, to);
            order(way, to);
            shmem_ctx_long_p(way.ctx, &flag, 1, way.numberOf(to));
            shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
            checkTarget(1000 + way.atDistance(-1));
          },
          [](int) {});
    }
  });
}

/// What is complete is there for all PEs, behind a synchronisation that completes nothing itself.
void testCompletion(const Ways& ways, Order* order) {
  ways.forEach([&](const Way& way) {
    for (const auto write : writers::kAll) {
      if (!isOrderedOn(way, write)) continue;
      fillSource(2000 + shmem_my_pe());
      target.fill(0);
      shmem_barrier_all();
      if (way.hasMe()) {
        write(way, way.atDistance(1));
        order(way, way.atDistance(1));
      }
      shmem_sync_all();
      if (way.hasMe()) {
        checkTarget(2000 + way.atDistance(-1));
        CHECK_EQ(shmem_long_g(&target.back(), way.atDistance(2)), 2000 + way.atDistance(1));
      }
      shmem_barrier_all();
    }
  });
}

/// What non-blocking calls fetch is in place behind quiet.
void testFetched(const Ways& ways, Order* order) {
  ways.forEach([&](const Way& way) {
    Words dest{};
    long old = 0, seen = 0;
    step(
        way, -1, [] { target.fill(3000 + shmem_my_pe()); },
        [&](int from) {
          const int number = way.numberOf(from);
          shmem_ctx_long_get_nbi(way.ctx, dest.data(), target.data(), kWords, number);
          shmem_ctx_long_atomic_fetch_nbi(way.ctx, &seen, &target[1], number);
          shmem_ctx_long_atomic_fetch_add_nbi(way.ctx, &old, &target[0], 0, number);
          order(way, from);
          for (const long word : dest) CHECK_EQ(word, 3000 + from);
          CHECK_EQ(old, 3000 + from);
          CHECK_EQ(seen, 3000 + from);
        },
        [](int) {});
  });
}

/// A put that is complete can be read by a PE that hears of it from the writer, on whatever way.
void testThirdPe(const Ways& ways) {
  const Way& way = ways.plain();
  flag = 0;
  shmem_barrier_all();
  for (long round = 1; round <= 500; ++round) {
    const int to = way.atDistance(1), third = way.atDistance(2), writer = way.atDistance(-2);
    fillSource(round * 100 + shmem_my_pe());
    writers::putNbi(ways.reversed(), to);
    ways.reversed().quiet();
    shmem_long_p(&flag, round, third);
    shmem_long_wait_until(&flag, SHMEM_CMP_EQ, round);
    CHECK_EQ(shmem_long_g(&target.back(), way.atDistance(-1)), round * 100 + writer);
    shmem_barrier_all();
  }
}

void testNothingToOrder() {
  shmem_ctx_fence(SHMEM_CTX_INVALID);
  shmem_ctx_quiet(SHMEM_CTX_INVALID);
  const int pe = 0;
  shmem_ctx_pe_quiet(SHMEM_CTX_INVALID, &pe, 1);
  shmem_ctx_pe_quiet(SHMEM_CTX_INVALID, nullptr, 0);
  shmem_pe_quiet(nullptr, 0);
  shmem_ctx_pe_quiet(SHMEM_CTX_DEFAULT, nullptr, 0);
  for (int i = 0; i < 1000; ++i) {
    shmem_fence();
    shmem_quiet();
    shmem_pe_quiet(&pe, 1);
    shmem_ctx_fence(SHMEM_CTX_DEFAULT);
    shmem_ctx_quiet(SHMEM_CTX_DEFAULT);
  }
}

constexpr std::size_t kThreads = 3;

/// One of the threads of a PE: its own context, its own words.
void writeAndQuiet(std::size_t thread, long value) {
  static std::array<std::array<long, 16>, kThreads> sources;
  shmem_ctx_t ctx = SHMEM_CTX_INVALID;
  CHECK_EQ(shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx), 0);
  sources[thread].fill(value);
  const int to = (shmem_my_pe() + 1) % shmem_n_pes();
  shmem_ctx_long_put_nbi(ctx, &target[thread * 16], sources[thread].data(), 16, to);
  shmem_ctx_quiet(ctx);
  shmem_signal_add(&signal_word, 1, to);
  shmem_ctx_destroy(ctx);
}

void testQuietOfThreads() {
  for (long round = 1; round <= 100; ++round) {
    signal_word = 0;
    shmem_barrier_all();
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < kThreads; ++i) threads.emplace_back(writeAndQuiet, i, round);
    shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, kThreads);
    for (std::size_t i = 0; i < kThreads * 16; ++i) CHECK_EQ(target[i], round);
    for (std::thread& thread : threads) thread.join();
    shmem_barrier_all();
  }
}

}  // namespace

int main() {
  int level = -1;
  CHECK_EQ(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level), 0);
  CHECK_EQ(level, SHMEM_THREAD_MULTIPLE);
  testNothingToOrder();
  {
    const Ways ways;
    for (Order* const order : {fence, quiet, quietOfOne, quietOfMany}) testFlagBehind(ways, order);
    for (Order* const order : {quiet, quietOfOne, quietOfMany}) {
      testCompletion(ways, order);
      testFetched(ways, order);
    }
    testThirdPe(ways);
  }
  testQuietOfThreads();
  shmem_finalize();
}
