// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Atomic operations by one PE: results, values that wrap, and no byte beside the word. What many do
// at once: atomics_shared.cpp.
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>

#include "shmem/contexts.h"
#include "shmem/types.h"

namespace {

using ucxx::test::Areas;
using ucxx::test::Call;
using ucxx::test::step;
using ucxx::test::Way;
using ucxx::test::Ways;

using Area = Areas<64>;

/// A word between two that nobody may touch; also for what is fetched.
template <class T>
struct Guarded {
  static constexpr T kGuard = static_cast<T>(0x5a);
  T before = kGuard, word{}, after = kGuard;

  void check() const { CHECK(before == kGuard && after == kGuard); }
};

template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// Also tells -0.0 from 0.0, and one NaN from another.
template <class T>
bool areSameBits(T a, T b) {
  return std::bit_cast<Bits<T>>(a) == std::bit_cast<Bits<T>>(b);
}

/// The values that are stored and fetched.
template <class T>
std::vector<T> values() {
  if constexpr (std::is_floating_point_v<T>) {
    const auto nan = std::bit_cast<Bits<T>>(std::numeric_limits<T>::quiet_NaN());
    return {T{1.5},
            T{-0.0},
            T{0.0},
            std::bit_cast<T>(static_cast<Bits<T>>(nan | 0x1234)),
            std::numeric_limits<T>::denorm_min(),
            -std::numeric_limits<T>::infinity()};
  } else {
    return {T{1},
            std::numeric_limits<T>::max(),
            std::numeric_limits<T>::min(),
            static_cast<T>(-2),
            static_cast<T>(0x0123456789abcdef),
            T{0}};
  }
}

/// a + b, and the like, in the arithmetic of the standard's atomics: modulo 2^n.
template <class T>
T wrapped(Bits<T> value) {
  return std::bit_cast<T>(value);
}

/// One PE after the other acts on the words of others, on all ways; `act(way, to, word)` leaves
/// `last` there.
template <class T, class Act>
void onEachWord(const Ways& ways, const Area& areas, T last, const Act& act) {
  ways.forEach([&](const Way& way) {
    for (std::byte* const bytes : areas.all()) {
      auto* const guarded = reinterpret_cast<Guarded<T>*>(bytes);
      for (const int distance : way.distances()) {
        step(
            way, distance, [&] { *guarded = {}; }, [&](int to) { act(way, to, &guarded->word); },
            [&](int) {
              guarded->check();
              CHECK(areSameBits(guarded->word, last));
            });
      }
    }
  });
}

/// What an operation with a value fetched is in a word of its own; on return for the blocking form,
/// after quiet for the other.
template <class T, class Function, class... Arguments>
T fetched(const Function& function, const Way& way, int pe, Arguments... arguments) {
  Guarded<T> result;
  function(way, pe, &result.word, arguments...);
  way.quiet();
  result.check();
  return result.word;
}

template <class T, class Fetch, class Set, class Swap, class FetchNbi, class SwapNbi>
void checkExtended(const Ways& ways, const Area& areas, const Fetch& fetch, const Set& set,
                   const Swap& swap, const FetchNbi& fetch_nbi, const SwapNbi& swap_nbi) {
  onEachWord<T>(ways, areas, values<T>().back(), [&](const Way& way, int to, T* word) {
    T old{};
    for (const T value : values<T>()) {
      CHECK(areSameBits<T>(swap(way, to, word, value), old));
      CHECK(areSameBits<T>(fetch(way, to, word), value));
      CHECK(areSameBits(fetched<T>(fetch_nbi, way, to, word), value));
      CHECK(areSameBits(fetched<T>(swap_nbi, way, to, word, old), value));
      set(way, to, word, value);
      way.quiet();
      CHECK(areSameBits<T>(fetch(way, to, word), value));
      old = value;
    }
  });
}

/// Matches and does not; in both cases the old value comes back.
template <class T, class Swap, class SwapNbi, class Fetch>
void checkCompareSwap(const Ways& ways, const Area& areas, const Swap& compare_swap,
                      const SwapNbi& compare_swap_nbi, const Fetch& fetch) {
  onEachWord<T>(ways, areas, values<T>().back(), [&](const Way& way, int to, T* word) {
    T old{};
    for (const T value : values<T>()) {
      const T other = wrapped<T>(std::bit_cast<Bits<T>>(old) ^ 1);
      CHECK_EQ(compare_swap(way, to, word, other, T{77}), old);
      CHECK_EQ(fetched<T>(compare_swap_nbi, way, to, word, other, T{77}), old);
      CHECK_EQ(fetch(way, to, word), old);
      CHECK_EQ(compare_swap(way, to, word, old, value), old);
      CHECK_EQ(fetch(way, to, word), value);
      CHECK_EQ(fetched<T>(compare_swap_nbi, way, to, word, value, value), value);
      old = value;
    }
  });
}

/// The three forms of one operation: `combine(old, value)` says what becomes of the word.
template <class T, class Combine, class Plain, class Fetching, class FetchingNbi, class Swap>
void checkCombining(const Ways& ways, const Area& areas, const Combine& combine, const Plain& plain,
                    const Fetching& fetching, const FetchingNbi& fetching_nbi, const Swap& swap) {
  constexpr auto kBegin = static_cast<T>(0xc3a5c3a5f00ff00f);
  onEachWord<T>(ways, areas, kBegin, [&](const Way& way, int to, T* word) {
    swap(way, to, word, kBegin);
    for (const T value : values<T>()) {
      const T expected =
          wrapped<T>(combine(std::bit_cast<Bits<T>>(kBegin), std::bit_cast<Bits<T>>(value)));
      CHECK_EQ(fetching(way, to, word, value), kBegin);
      CHECK_EQ(swap(way, to, word, kBegin), expected);
      CHECK_EQ(fetched<T>(fetching_nbi, way, to, word, value), kBegin);
      CHECK_EQ(swap(way, to, word, kBegin), expected);
      plain(way, to, word, value);
      way.quiet();
      CHECK_EQ(swap(way, to, word, kBegin), expected);
    }
  });
}

/// Over the largest value, where it wraps.
template <class T, class Inc, class FetchInc, class FetchIncNbi, class Set>
void checkIncrement(const Ways& ways, const Area& areas, const Inc& inc, const FetchInc& fetch_inc,
                    const FetchIncNbi& fetch_inc_nbi, const Set& set) {
  constexpr T kMax = std::numeric_limits<T>::max(), kMin = std::numeric_limits<T>::min();
  onEachWord<T>(ways, areas, static_cast<T>(kMin + 2), [&](const Way& way, int to, T* word) {
    inc(way, to, word);
    way.quiet();
    CHECK_EQ(fetch_inc(way, to, word), T{1});
    CHECK_EQ(fetched<T>(fetch_inc_nbi, way, to, word), T{2});
    set(way, to, word, kMax);
    way.quiet();
    CHECK_EQ(fetch_inc(way, to, word), kMax);
    inc(way, to, word);
    way.quiet();
    CHECK_EQ(fetched<T>(fetch_inc_nbi, way, to, word), static_cast<T>(kMin + 1));
  });
}

#define BOTH(name) Call(shmem_##name, shmem_ctx_##name)

void testExtended(const Ways& ways, const Area& areas) {
#define TYPED(name, T)                                                              \
  checkExtended<T>(ways, areas, BOTH(name##_atomic_fetch), BOTH(name##_atomic_set), \
                   BOTH(name##_atomic_swap), BOTH(name##_atomic_fetch_nbi),         \
                   BOTH(name##_atomic_swap_nbi));
  FOR_EXTENDED_AMO_TYPES(TYPED)
#undef TYPED
}

void testCompareSwap(const Ways& ways, const Area& areas) {
#define TYPED(name, T)                                               \
  checkCompareSwap<T>(ways, areas, BOTH(name##_atomic_compare_swap), \
                      BOTH(name##_atomic_compare_swap_nbi), BOTH(name##_atomic_fetch));
  FOR_AMO_TYPES(TYPED)
#undef TYPED
}

void testArithmetic(const Ways& ways, const Area& areas) {
#define TYPED(name, T)                                                                   \
  checkIncrement<T>(ways, areas, BOTH(name##_atomic_inc), BOTH(name##_atomic_fetch_inc), \
                    BOTH(name##_atomic_fetch_inc_nbi), BOTH(name##_atomic_set));         \
  checkCombining<T>(ways, areas, std::plus(), BOTH(name##_atomic_add),                   \
                    BOTH(name##_atomic_fetch_add), BOTH(name##_atomic_fetch_add_nbi),    \
                    BOTH(name##_atomic_swap));
  FOR_AMO_TYPES(TYPED)
#undef TYPED
}

void testBitwise(const Ways& ways, const Area& areas) {
#define COMBINING(name, T, operation, Operator)                               \
  checkCombining<T>(ways, areas, Operator(), BOTH(name##_atomic_##operation), \
                    BOTH(name##_atomic_fetch_##operation),                    \
                    BOTH(name##_atomic_fetch_##operation##_nbi), BOTH(name##_atomic_swap));
#define TYPED(name, T)                  \
  COMBINING(name, T, and, std::bit_and) \
  COMBINING(name, T, or, std::bit_or)   \
  COMBINING(name, T, xor, std::bit_xor)
  FOR_BITWISE_AMO_TYPES(TYPED)
#undef TYPED
#undef COMBINING
}

/// The deprecated names, which have no context.
template <class T>
struct OldCalls {
  T (*cswap)(T*, T, T, int);
  T (*finc)(T*, int);
  void (*inc)(T*, int);
  T (*fadd)(T*, T, int);
  void (*add)(T*, T, int);
};

template <class T>
void checkOldArithmetic(const Ways& ways, const Area& areas, const OldCalls<T>& calls) {
  onEachWord<T>(ways, areas, T{14}, [&](const Way&, int to, T* word) {
    CHECK_EQ(calls.finc(word, to), T{0});
    calls.inc(word, to);
    shmem_quiet();
    CHECK_EQ(calls.fadd(word, T{5}, to), T{2});
    calls.add(word, T{6}, to);
    shmem_quiet();
    CHECK_EQ(calls.cswap(word, T{12}, T{99}, to), T{13});
    CHECK_EQ(calls.cswap(word, T{13}, T{14}, to), T{13});
  });
}

template <class T>
void checkOldExtended(const Ways& ways, const Area& areas, T (*fetch)(const T*, int),
                      void (*set)(T*, T, int), T (*swap)(T*, T, int)) {
  onEachWord<T>(ways, areas, T{-3}, [&](const Way&, int to, T* word) {
    set(word, T{7}, to);
    shmem_quiet();
    CHECK_EQ(fetch(word, to), T{7});
    CHECK_EQ(swap(word, T{-3}, to), T{7});
  });
}

void testOldNames(const Ways& ways, const Area& areas) {
#define TYPED(name, T)                                                                  \
  checkOldArithmetic<T>(ways, areas,                                                    \
                        {shmem_##name##_cswap, shmem_##name##_finc, shmem_##name##_inc, \
                         shmem_##name##_fadd, shmem_##name##_add});
  FOR_OLD_AMO_TYPES(TYPED)
#undef TYPED
#define TYPED(name, T) \
  checkOldExtended<T>(ways, areas, shmem_##name##_fetch, shmem_##name##_set, shmem_##name##_swap);
  FOR_OLD_EXTENDED_AMO_TYPES(TYPED)
#undef TYPED
}

}  // namespace

int main() {
  shmem_init();
  {
    const Ways ways;
    const Area areas;
    testExtended(ways, areas);
    testCompareSwap(ways, areas);
    testArithmetic(ways, areas);
    testBitwise(ways, areas);
    testOldNames(ways, areas);
  }
  shmem_finalize();
}
