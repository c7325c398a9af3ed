// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Reductions and scans that follow each other without a pause, members that come late, and results
// of which the bits are the same on all PEs.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "shmem/check.h"
#include "shmem/some_teams.h"

namespace {

using ucxx::test::SomeTeams;
using ucxx::test::splitTeam;

constexpr std::size_t kCounts[] = {1, 7, 1000, 20'000};

void compute() {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
  while (std::chrono::steady_clock::now() < end) {
  }
}

long* allocateLongs(std::size_t count) {
  return static_cast<long*>(shmem_malloc(count * sizeof(long)));
}

/// All PEs have 10 * turn + their number in each element.
void fill(long* block, std::size_t count, long turn) {
  std::fill_n(block, count, 10 * turn + shmem_my_pe());
}

void checkAll(const long* block, std::size_t count, long expected) {
  for (std::size_t at = 0; at < count; ++at) CHECK_EQ(block[at], expected);
}

long sumOf(int members, long turn) { return 10L * members * turn + members * (members - 1L) / 2; }

/// Four kinds in turn, on the team of all.
void callOne(long* dest, const long* source, std::size_t count, long turn) {
  switch (turn % 4) {
    case 0:
      CHECK_EQ(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, count), 0);
      break;
    case 1:
      CHECK_EQ(shmem_long_max_reduce(SHMEM_TEAM_WORLD, dest, source, count), 0);
      break;
    case 2:
      CHECK_EQ(shmem_long_sum_inscan(SHMEM_TEAM_WORLD, dest, source, count), 0);
      break;
    default:
      CHECK_EQ(shmem_long_sum_exscan(SHMEM_TEAM_WORLD, dest, source, count), 0);
  }
}

void checkOne(const long* dest, std::size_t count, long turn) {
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  const long expected[] = {sumOf(pes, turn), 10 * turn + pes - 1, sumOf(me + 1, turn),
                           sumOf(me, turn)};
  checkAll(dest, count, expected[turn % 4]);
}

/// Two of different sizes, with nothing between them.
void testTwoInARow() {
  long* const memory = allocateLongs(80'000);
  for (long turn = 0; turn < 64; ++turn) {
    const std::size_t first = kCounts[turn % 16 / 4], second = kCounts[turn / 16];
    fill(memory, first, turn);
    fill(memory + 20'000, second, turn + 3);
    callOne(memory + 40'000, memory, first, turn);
    callOne(memory + 60'000, memory + 20'000, second, turn + 3);
    checkOne(memory + 40'000, first, turn);
    checkOne(memory + 60'000, second, turn + 3);
    shmem_sync_all();
  }
  shmem_free(memory);
}

/// Four dests are enough: of four calls two need all members.
void testManyInARow() {
  constexpr std::size_t kCount = 3;
  long* const memory = allocateLongs(5 * kCount);
  for (long turn = 0; turn < 10'000; ++turn) {
    long* const dest = memory + static_cast<std::size_t>(turn % 4 + 1) * kCount;
    fill(memory, kCount, turn);
    callOne(dest, memory, kCount, turn);
    checkOne(dest, kCount, turn);
  }
  shmem_free(memory);
}

/// In place the result of one is the source of the next.
void testInPlaceInARow() {
  for (const std::size_t count : kCounts) {
    long* const block = allocateLongs(count);
    fill(block, count, 0);
    CHECK_EQ(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, block, block, count), 0);
    long expected = sumOf(shmem_n_pes(), 0);
    checkAll(block, count, expected);
    for (int time = 0; time < 3; ++time) {
      CHECK_EQ(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, block, block, count), 0);
      checkAll(block, count, expected *= shmem_n_pes());
    }
    shmem_free(block);
  }
}

/// Of a member that comes late nobody has read the source before, in place too.
void testLateMember(int late, std::size_t count, bool in_place) {
  long* const memory = allocateLongs(2 * count);
  long* const source = in_place ? memory : memory + count;
  for (long turn = 0; turn < 4; ++turn) {
    std::fill_n(memory, 2 * count, -1);
    shmem_sync_all();
    if (shmem_my_pe() == late) compute();
    fill(source, count, turn);
    callOne(memory, source, count, turn);
    checkOne(memory, count, turn);
    shmem_sync_all();
  }
  shmem_free(memory);
}

void testLateMembers() {
  for (const std::size_t count : {std::size_t{2}, std::size_t{3000}}) {
    testLateMember(0, count, false);
    testLateMember(shmem_n_pes() - 1, count, true);
  }
}

/// Sums and products that depend on the order.
std::vector<double> awkward(std::size_t count) {
  std::mt19937 numbers(static_cast<unsigned>(shmem_my_pe()) + 1);
  std::vector<double> values;
  while (values.size() < count)
    values.push_back(
        std::ldexp(static_cast<double>(numbers()), static_cast<int>(numbers() % 60) - 62));
  return values;
}

void checkSameAsNext(const double* result, std::size_t count) {
  std::vector<double> there(count);
  shmem_double_get(there.data(), result, count, (shmem_my_pe() + 1) % shmem_n_pes());
  for (std::size_t at = 0; at < count; ++at) {
    CHECK(std::isfinite(there[at]));
    CHECK_EQ(there[at], result[at]);
  }
}

void testSameBits() {
  for (const std::size_t count : kCounts) {
    auto* const memory = static_cast<double*>(shmem_malloc(3 * count * sizeof(double)));
    const std::vector<double> values = awkward(count);
    std::copy(values.begin(), values.end(), memory);
    CHECK_EQ(shmem_double_sum_reduce(SHMEM_TEAM_WORLD, memory + count, memory, count), 0);
    CHECK_EQ(shmem_double_prod_reduce(SHMEM_TEAM_WORLD, memory + 2 * count, memory, count), 0);
    shmem_barrier_all();
    checkSameAsNext(memory + count, 2 * count);
    shmem_free(memory);
  }
}

/// Of negative zeros alone the sum is one, too: nothing is added to them. Nothing at all is +0.0.
template <class T>
void testNegativeZeros(int (*call)(shmem_team_t, T*, const T*, std::size_t), bool is_negative) {
  for (const std::size_t count : kCounts) {
    T* const memory = static_cast<T*>(shmem_malloc(2 * count * sizeof(T)));
    std::fill_n(memory, count, T(-0.0));
    std::fill_n(memory + count, count, T(1));
    shmem_sync_all();
    CHECK_EQ(call(SHMEM_TEAM_WORLD, memory + count, memory, count), 0);
    for (std::size_t at = count; at < 2 * count; ++at) {
      CHECK_EQ(memory[at], T(0));
      CHECK_EQ(std::signbit(memory[at]), is_negative);
    }
    shmem_free(memory);
  }
}

void testNegativeZeros() {
  testNegativeZeros(shmem_float_sum_reduce, true);
  testNegativeZeros(shmem_double_sum_reduce, true);
  testNegativeZeros(shmem_float_sum_inscan, true);
  testNegativeZeros(shmem_double_sum_inscan, true);
  testNegativeZeros(shmem_longdouble_sum_inscan, true);
  testNegativeZeros(shmem_double_sum_exscan, shmem_my_pe() != 0);
  testNegativeZeros(shmem_longdouble_sum_exscan, shmem_my_pe() != 0);
}

/// Different teams are in different reductions at the same time.
void testHalvesAtOnce() {
  const int pes = shmem_n_pes(), middle = (pes + 1) / 2;
  const shmem_team_t lower = splitTeam(SHMEM_TEAM_WORLD, 0, 1, middle);
  const shmem_team_t upper =
      pes > 1 ? splitTeam(SHMEM_TEAM_WORLD, pes - 1, -1, pes - middle) : SHMEM_TEAM_INVALID;
  const bool is_low = lower != SHMEM_TEAM_INVALID;
  const shmem_team_t mine = is_low ? lower : upper;
  const std::size_t count = is_low ? 1000 : 2;
  long* const block = allocateLongs(1000);
  for (long turn = 1; turn <= (is_low ? 100 : 1000); ++turn) {
    std::fill_n(block, count, turn);
    CHECK_EQ(shmem_long_sum_reduce(mine, block, block, count), 0);
    checkAll(block, count, turn * shmem_team_n_pes(mine));
  }
  shmem_team_destroy(upper);
  shmem_team_destroy(lower);
  shmem_free(block);
}

}  // namespace

int main() {
  shmem_init();
  testTwoInARow();
  testManyInARow();
  testInPlaceInARow();
  testLateMembers();
  testSameBits();
  testNegativeZeros();
  testHalvesAtOnce();
  shmem_finalize();
}
