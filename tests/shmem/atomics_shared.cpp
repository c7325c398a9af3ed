// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Atomic operations of all PEs, with several threads each, on one word.
#include <bit>
#include <functional>
#include <numeric>
#include <thread>
#include <type_traits>
#include <vector>

#include "shmem/contexts.h"
#include "shmem/types.h"

namespace {

using ucxx::test::Areas;
using ucxx::test::Call;
using ucxx::test::Way;
using ucxx::test::Ways;

constexpr int kThreads = 3;
constexpr int kRounds = 600;
using Area = Areas<64>;

template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

int allThreads() { return shmem_n_pes() * kThreads; }

/// Calls `work(number)` in threads, of which each has a number among those of all PEs.
template <class Work>
void inThreads(const Work& work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, shmem_my_pe() * kThreads + i);
  for (std::thread& thread : threads) thread.join();
}

/// All threads of all PEs act on the word of the last PE, each on one of the ways that any thread
/// may take; then that PE looks. The word's neighbours must stay.
template <class T, class Act, class Look>
void share(const Ways& ways, T* word, T first, const Act& act, const Look& look) {
  constexpr T kGuard = static_cast<T>(0x77);
  word[0] = word[2] = kGuard;
  word[1] = first;
  const int owner = shmem_n_pes() - 1;
  shmem_barrier_all();
  inThreads([&](int number) {
    const Way& way = number % 2 == 0 ? ways.plain() : ways.reversed();
    act(way, owner, word + 1, number);
    way.quiet();
  });
  shmem_barrier_all();
  CHECK(word[0] == kGuard && word[2] == kGuard);
  if (shmem_my_pe() == owner) look(word[1]);
  shmem_barrier_all();
}

/// `times` times the value, modulo 2^n.
template <class T>
T product(T value, int times) {
  return std::bit_cast<T>(
      static_cast<Bits<T>>(std::bit_cast<Bits<T>>(value) * static_cast<Bits<T>>(times)));
}

/// An addend that sets high bits, so that sums wrap, and of which no sum comes twice.
template <class T>
constexpr T kAddend = static_cast<T>(0x4000000000000005 | 0x40000000);

template <class T, class Add, class FetchAdd, class FetchAddNbi>
void checkSums(const Ways& ways, const Area& areas, const Add& add, const FetchAdd& fetch_add,
               const FetchAddNbi& fetch_add_nbi) {
  for (std::byte* const area : areas.all()) {
    share(
        ways, reinterpret_cast<T*>(area), T{0},
        [&](const Way& way, int owner, T* word, int) {
          for (int round = 0; round < kRounds; ++round) {
            T unused{};
            add(way, owner, word, kAddend<T>);
            fetch_add(way, owner, word, kAddend<T>);
            fetch_add_nbi(way, owner, &unused, word, kAddend<T>);
          }
        },
        [](T sum) { CHECK_EQ(sum, product(kAddend<T>, 3 * kRounds * allThreads())); });
  }
}

/// Which numbers have been fetched: each must come once.
struct Marks {
  Marks() : counts(static_cast<int*>(shmem_calloc(size(), sizeof(int)))) {}
  ~Marks() { shmem_free(counts); }
  Marks(const Marks&) = delete;
  Marks& operator=(const Marks&) = delete;

  static std::size_t size() { return static_cast<std::size_t>(2 * kRounds * allThreads()); }
  void add(std::size_t number, int pe) const {
    CHECK(number < size());
    shmem_int_atomic_inc(counts + number, pe);
  }
  void checkAndClear() const {
    for (std::size_t i = 0; i < size(); ++i) CHECK_EQ(counts[i], 1);
    std::fill_n(counts, size(), 0);
  }

  int* const counts;
};

template <class T, class Inc, class FetchInc, class FetchIncNbi>
void checkTickets(const Ways& ways, const Area& areas, const Marks& marks, const Inc& inc,
                  const FetchInc& fetch_inc, const FetchIncNbi& fetch_inc_nbi) {
  share(
      ways, reinterpret_cast<T*>(areas.heap()), T{0},
      [&](const Way& way, int owner, T* word, int) {
        for (int round = 0; round < kRounds; ++round) {
          T ticket{};
          fetch_inc_nbi(way, owner, &ticket, word);
          way.quiet();
          marks.add(static_cast<std::size_t>(ticket), owner);
          marks.add(static_cast<std::size_t>(fetch_inc(way, owner, word)), owner);
        }
      },
      [&](T count) {
        CHECK_EQ(static_cast<std::size_t>(count), Marks::size());
        marks.checkAndClear();
      });
  share(
      ways, reinterpret_cast<T*>(areas.statics()), T{0},
      [&](const Way& way, int owner, T* word, int) {
        for (int round = 0; round < kRounds; ++round) inc(way, owner, word);
      },
      [](T count) { CHECK_EQ(count, static_cast<T>(kRounds * allThreads())); });
}

/// Values go from hand to hand: none is lost, none comes twice.
template <class T, class Swap, class SwapNbi>
void checkSwaps(const Ways& ways, const Area& areas, const Marks& marks, const Swap& swap,
                const SwapNbi& swap_nbi) {
  share(
      ways, reinterpret_cast<T*>(areas.statics()), static_cast<T>(-1),
      [&](const Way& way, int owner, T* word, int number) {
        const auto take = [&](T old) {
          if (old != static_cast<T>(-1)) marks.add(static_cast<std::size_t>(old), owner);
        };
        for (int i = 0; i < kRounds; ++i) {
          const int token = 2 * (number * kRounds + i);
          take(swap(way, owner, word, static_cast<T>(token)));
          T old{};
          swap_nbi(way, owner, &old, word, static_cast<T>(token + 1));
          way.quiet();
          take(old);
        }
      },
      [&](T last) {
        ++marks.counts[static_cast<std::size_t>(last)];
        marks.checkAndClear();
      });
}

/// A sum by compare-and-swap, of a value that wraps.
template <class T, class Swap, class SwapNbi, class Fetch>
void checkCompareSwap(const Ways& ways, const Area& areas, const Swap& compare_swap,
                      const SwapNbi& compare_swap_nbi, const Fetch& fetch) {
  const auto next = [](T value) { return product<T>(value, 5); };
  T expected{1};
  for (int i = 0; i < 2 * kRounds * allThreads(); ++i) expected = next(expected);
  share(
      ways, reinterpret_cast<T*>(areas.heap()), T{1},
      [&](const Way& way, int owner, T* word, int) {
        for (int round = 0; round < 2 * kRounds; ++round) {
          T seen = fetch(way, owner, word), old{};
          while (true) {
            if (round % 2 == 0) {
              old = compare_swap(way, owner, word, seen, next(seen));
            } else {
              compare_swap_nbi(way, owner, &old, word, seen, next(seen));
              way.quiet();
            }
            if (old == seen) break;
            seen = old;
          }
        }
      },
      [&](T last) { CHECK_EQ(last, expected); });
}

/// The non-blocking form of a fetching operation, in the form of the blocking one.
template <class T, class Function>
class Fetched {
 public:
  explicit Fetched(const Function& function) : function_(function) {}

  T operator()(const Way& way, int pe, T* word, T value) const {
    T result{};
    function_(way, pe, &result, word, value);
    way.quiet();
    return result;
  }

 private:
  Function function_;
};
template <class T, class Function>
auto blocking(const Function& function) {
  return Fetched<T, Function>(function);
}

/// Each thread has a bit of its own, and finds it as it has left it.
template <class T, class And, class Or, class Xor, class FetchAnd, class FetchOr, class FetchXor>
void checkBits(const Ways& ways, const Area& areas, const And& clear, const Or& set,
               const Xor& flip, const FetchAnd& fetch_and, const FetchOr& fetch_or,
               const FetchXor& fetch_xor) {
  constexpr int kBits = 8 * sizeof(T);
  share(
      ways, reinterpret_cast<T*>(areas.heap()), T{0},
      [&](const Way& way, int owner, T* word, int number) {
        if (number >= kBits) return;
        const auto bit = std::bit_cast<T>(static_cast<Bits<T>>(Bits<T>{1} << number));
        const auto others = static_cast<T>(~bit);
        for (int round = 0; round < kRounds; ++round) {
          CHECK_EQ(fetch_or(way, owner, word, bit) & bit, T{0});
          CHECK_EQ(fetch_and(way, owner, word, others) & bit, bit);
          CHECK_EQ(fetch_xor(way, owner, word, bit) & bit, T{0});
          clear(way, owner, word, others);
          set(way, owner, word, bit);
          flip(way, owner, word, bit);
          way.quiet();
        }
        set(way, owner, word, bit);
      },
      [](T last) {
        const int set = std::min(static_cast<int>(8 * sizeof(T)), allThreads());
        CHECK_EQ(std::popcount(std::bit_cast<Bits<T>>(last)), set);
      });
}

/// All set; what is fetched is one of the values that have been set, whole.
template <class T, class Set, class Fetch, class FetchNbi>
void checkSets(const Ways& ways, const Area& areas, const Set& set, const Fetch& fetch,
               const FetchNbi& fetch_nbi) {
  const auto value = [](int number) {
    return std::bit_cast<T>(static_cast<Bits<T>>(number * 0x0101010101010101));
  };
  const auto is_value = [](T seen) {
    const auto bits = std::bit_cast<Bits<T>>(seen);
    return bits == static_cast<Bits<T>>((bits & 0xff) * 0x0101010101010101);
  };
  share(
      ways, reinterpret_cast<T*>(areas.statics()), T{0},
      [&](const Way& way, int owner, T* word, int number) {
        for (int round = 0; round < kRounds; ++round) {
          T seen{};
          set(way, owner, word, value(number % 120 + 1));
          fetch_nbi(way, owner, &seen, word);
          CHECK(is_value(fetch(way, owner, word)));
          way.quiet();
          CHECK(is_value(seen));
        }
      },
      [&](T last) { CHECK(is_value(last)); });
}

#define BOTH(name) Call(shmem_##name, shmem_ctx_##name)

void testArithmetic(const Ways& ways, const Area& areas, const Marks& marks) {
#define TYPED(name, T)                                                                        \
  checkSums<T>(ways, areas, BOTH(name##_atomic_add), BOTH(name##_atomic_fetch_add),           \
               BOTH(name##_atomic_fetch_add_nbi));                                            \
  checkTickets<T>(ways, areas, marks, BOTH(name##_atomic_inc), BOTH(name##_atomic_fetch_inc), \
                  BOTH(name##_atomic_fetch_inc_nbi));                                         \
  checkCompareSwap<T>(ways, areas, BOTH(name##_atomic_compare_swap),                          \
                      BOTH(name##_atomic_compare_swap_nbi), BOTH(name##_atomic_fetch));
  FOR_AMO_TYPES(TYPED)
#undef TYPED
}

void testExtended(const Ways& ways, const Area& areas, const Marks& marks) {
#define TYPED(name, T)                                                                       \
  checkSwaps<T>(ways, areas, marks, BOTH(name##_atomic_swap), BOTH(name##_atomic_swap_nbi)); \
  checkSets<T>(ways, areas, BOTH(name##_atomic_set), BOTH(name##_atomic_fetch),              \
               BOTH(name##_atomic_fetch_nbi));
  FOR_EXTENDED_AMO_TYPES(TYPED)
#undef TYPED
}

void testBitwise(const Ways& ways, const Area& areas) {
#define TYPED(name, T)                                                                  \
  checkBits<T>(ways, areas, BOTH(name##_atomic_and), BOTH(name##_atomic_or),            \
               BOTH(name##_atomic_xor), BOTH(name##_atomic_fetch_and),                  \
               BOTH(name##_atomic_fetch_or), BOTH(name##_atomic_fetch_xor));            \
  checkBits<T>(ways, areas, BOTH(name##_atomic_and), BOTH(name##_atomic_or),            \
               BOTH(name##_atomic_xor), blocking<T>(BOTH(name##_atomic_fetch_and_nbi)), \
               blocking<T>(BOTH(name##_atomic_fetch_or_nbi)),                           \
               blocking<T>(BOTH(name##_atomic_fetch_xor_nbi)));
  FOR_BITWISE_AMO_TYPES(TYPED)
#undef TYPED
}

}  // namespace

int main() {
  int level = -1;
  CHECK_EQ(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level), 0);
  CHECK_EQ(level, SHMEM_THREAD_MULTIPLE);
  {
    const Ways ways;
    const Area areas;
    const Marks marks;
    testArithmetic(ways, areas, marks);
    testExtended(ways, areas, marks);
    testBitwise(ways, areas);
  }
  shmem_finalize();
}
