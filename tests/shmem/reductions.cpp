// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Reductions and scans: each function, on each of some teams, in place and not.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "shmem/check.h"
#include "shmem/some_teams.h"
#include "shmem/types.h"

namespace {

using ucxx::test::SomeTeams;

constexpr std::size_t kMostCount = 20'000;
constexpr std::size_t kArenaBytes = (kMostCount + 64) * 16;

std::byte* dest_arena = nullptr;  // a part for each index of a team
std::byte* source_arena = nullptr;

enum class Range { All, UpToMe, BeforeMe };

/// A function, and what it should do.
template <class T>
struct Operation {
  int (*call)(shmem_team_t, T*, const T*, std::size_t);
  T (*combine)(T, T);
  T (*value)(std::uint64_t random);
  Range range = Range::All;
};

std::uint64_t randomBits(int member, std::size_t at) {
  std::uint64_t bits =
      (static_cast<std::uint64_t>(member) + 1) * 0x9E3779B97F4A7C15ULL + at * 0xD1B54A32D192ED03ULL;
  bits ^= bits >> 29;
  bits *= 0xBF58476D1CE4E5B9ULL;
  return bits ^ bits >> 32;
}

/// Of whole numbers any, extremes too; of others those with which sums are exact.
template <class T>
T valueOfSum(std::uint64_t random) {
  if constexpr (std::is_integral_v<T>) {
    if (random % 16 == 0) return std::numeric_limits<T>::min();
    if (random % 16 == 1) return std::numeric_limits<T>::max();
    return static_cast<T>(random >> 8);
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(random % 1000) - 500;
  } else {
    T value{};
    __real__ value = static_cast<float>(random % 100) - 50;
    __imag__ value = static_cast<float>(random / 100 % 100) - 50;
    return value;
  }
}

/// ... and products.
template <class T>
T valueOfProduct(std::uint64_t random) {
  if constexpr (std::is_integral_v<T>) {
    return valueOfSum<T>(random | 2);
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(random % 2 + 1) * (random % 4 < 2 ? 1 : -1);
  } else {
    T value{};
    __real__ value = static_cast<float>(random % 2);
    __imag__ value = random % 4 < 2 ? 1.0F : -1.0F;
    return value;
  }
}

// Whole numbers wrap.
template <class T>
T sum(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  else
    return a + b;
}
template <class T>
T product(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  else
    return a * b;
}
template <class T>
T largest(T a, T b) {
  return std::max(a, b);
}
template <class T>
T least(T a, T b) {
  return std::min(a, b);
}
template <class T>
T both(T a, T b) {
  return static_cast<T>(a & b);
}
template <class T>
T either(T a, T b) {
  return static_cast<T>(a | b);
}
template <class T>
T different(T a, T b) {
  return static_cast<T>(a ^ b);
}

template <class T>
class Test {
 public:
  Test(const Operation<T>& operation, shmem_team_t team, std::size_t index, std::size_t count)
      : operation_(operation),
        team_(team),
        dest_(reinterpret_cast<T*>(dest_arena + index * kArenaBytes) + kGuard),
        source_(reinterpret_cast<T*>(source_arena + index * kArenaBytes)),
        count_(count) {}

  void run() const {
    fill(source_);
    std::fill_n(dest_ - kGuard, count_ + 2 * kGuard, untouched());
    call(source_);
    check();
  }
  void runInPlace() const {
    std::fill_n(dest_ - kGuard, count_ + 2 * kGuard, untouched());
    fill(dest_);
    call(dest_);
    check();
  }

 private:
  static constexpr std::size_t kGuard = 4;
  static T untouched() { return valueOfSum<T>(4711); }

  T valueAt(int member, std::size_t at) const { return operation_.value(randomBits(member, at)); }
  void fill(T* block) const {
    for (std::size_t at = 0; at < count_; ++at) block[at] = valueAt(me_, at);
  }
  void call(const T* source) const {
    CHECK_EQ(shmem_team_sync(team_), 0);
    CHECK_EQ(operation_.call(team_, dest_, source, count_), 0);
  }
  int end() const {
    if (operation_.range == Range::All) return shmem_team_n_pes(team_);
    return operation_.range == Range::UpToMe ? me_ + 1 : me_;
  }
  T expectedAt(std::size_t at) const {
    if (end() == 0) return T{};
    T result = valueAt(0, at);
    for (int member = 1; member < end(); ++member)
      result = operation_.combine(result, valueAt(member, at));
    return result;
  }
  void check() const {
    for (std::size_t at = 0; at < count_; ++at) CHECK_EQ(dest_[at], expectedAt(at));
    for (std::size_t at = 0; at < kGuard; ++at) {
      CHECK_EQ(dest_[count_ + at], untouched());
      CHECK_EQ(*(dest_ - 1 - at), untouched());
    }
  }

  const Operation<T>& operation_;
  shmem_team_t team_;
  T *dest_, *source_;
  std::size_t count_;
  int me_ = shmem_team_my_pe(team_);
};

/// Large ones only on the teams that all PEs are in.
template <class T>
void test(const SomeTeams& teams, const Operation<T>& operation) {
  teams.forEach([&](shmem_team_t team, std::size_t index) {
    for (const std::size_t count : {0, 1, 3, 7, 100}) {
      Test<T>(operation, team, index, count).run();
      Test<T>(operation, team, index, count).runInPlace();
    }
    if (shmem_team_n_pes(team) == shmem_n_pes()) Test<T>(operation, team, index, 1000).run();
    CHECK_EQ(operation.call(team, nullptr, nullptr, 0), 0);
  });
}

template <class T>
void testLarge(const Operation<T>& operation) {
  Test<T>(operation, SHMEM_TEAM_WORLD, 0, kMostCount).run();
  Test<T>(operation, SHMEM_TEAM_WORLD, 0, kMostCount).runInPlace();
}

void testBitwise(const SomeTeams& teams) {
#define TEST(name, T)                                                   \
  test<T>(teams, {shmem_##name##_and_reduce, both<T>, valueOfSum<T>});  \
  test<T>(teams, {shmem_##name##_or_reduce, either<T>, valueOfSum<T>}); \
  test<T>(teams, {shmem_##name##_xor_reduce, different<T>, valueOfSum<T>});
  FOR_BITWISE_TYPES(TEST)
#undef TEST
}

void testOrdered(const SomeTeams& teams) {
#define TEST(name, T)                                                     \
  test<T>(teams, {shmem_##name##_max_reduce, largest<T>, valueOfSum<T>}); \
  test<T>(teams, {shmem_##name##_min_reduce, least<T>, valueOfSum<T>});
  FOR_RMA_TYPES(TEST)
#undef TEST
}

void testArithmetic(const SomeTeams& teams) {
#define TEST(name, T)                                                 \
  test<T>(teams, {shmem_##name##_sum_reduce, sum<T>, valueOfSum<T>}); \
  test<T>(teams, {shmem_##name##_prod_reduce, product<T>, valueOfProduct<T>});
  FOR_ARITHMETIC_TYPES(TEST)
#undef TEST
}

void testScans(const SomeTeams& teams) {
#define TEST(name, T)                                                                \
  test<T>(teams, {shmem_##name##_sum_inscan, sum<T>, valueOfSum<T>, Range::UpToMe}); \
  test<T>(teams, {shmem_##name##_sum_exscan, sum<T>, valueOfSum<T>, Range::BeforeMe});
  FOR_ARITHMETIC_TYPES(TEST)
#undef TEST
}

void testLargeOnes() {
  testLarge<unsigned char>(
      {shmem_uchar_xor_reduce, different<unsigned char>, valueOfSum<unsigned char>});
  testLarge<int>({shmem_int_sum_reduce, sum<int>, valueOfSum<int>});
  testLarge<double>({shmem_double_prod_reduce, product<double>, valueOfProduct<double>});
  testLarge<long double>(
      {shmem_longdouble_min_reduce, least<long double>, valueOfSum<long double>});
  using Complex = ucxx_shmem_complexd;
  testLarge<Complex>({shmem_complexd_sum_inscan, sum<Complex>, valueOfSum<Complex>, Range::UpToMe});
  testLarge<short>({shmem_short_sum_exscan, sum<short>, valueOfSum<short>, Range::BeforeMe});
}

void testAll() {
  const SomeTeams teams;
  testBitwise(teams);
  testOrdered(teams);
  testArithmetic(teams);
  testScans(teams);
}

}  // namespace

int main() {
  shmem_init();
  dest_arena = static_cast<std::byte*>(shmem_malloc(SomeTeams::kCount * kArenaBytes));
  source_arena = static_cast<std::byte*>(shmem_malloc(SomeTeams::kCount * kArenaBytes));
  testAll();
  shmem_barrier_all();
  testLargeOnes();
  shmem_finalize();
}
