// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// put_signal for all types and sizes, on all contexts; signal_add, set, fetch, wait_until.
#include <array>
#include <vector>

#include "shmem/contexts.h"
#include "shmem/types.h"

namespace {

using ucxx::test::Areas;
using ucxx::test::Bits128;
using ucxx::test::Call;
using ucxx::test::step;
using ucxx::test::Way;
using ucxx::test::Ways;

constexpr std::size_t kElements = 20;
using Area = Areas<kElements * sizeof(Bits128)>;
using Signal = std::uint64_t;

/// Signals of both kinds of memory, each between two words that nobody may touch.
class Signals {
 public:
  Signals() : heap_(static_cast<Signal*>(shmem_calloc(3, sizeof(Signal)))) {}
  ~Signals() { shmem_free(heap_); }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  std::array<Signal*, 2> all() const { return {heap_ + 1, in_statics.data() + 1}; }

 private:
  Signal* heap_;
  inline static std::array<Signal, 3> in_statics{};
};

template <class T>
T valueOf(int pe, std::size_t n) {
  return ucxx::test::fromNumber<T>(static_cast<std::uint64_t>(pe) * 31 + n + 1);
}

/// Elements of the area from `first` on are the first ones of that PE; the others have not changed.
template <class T>
void checkData(const T* area, std::size_t first, std::size_t count, int pe) {
  for (std::size_t i = 0; i < kElements; ++i) {
    const bool is_put = i >= first && i < first + count;
    CHECK(area[i] == (is_put ? valueOf<T>(pe, i - first) : T{}));
  }
}

template <class T>
std::array<T, kElements> source() {
  std::array<T, kElements> result;
  for (std::size_t i = 0; i < kElements; ++i) result[i] = valueOf<T>(shmem_my_pe(), i);
  return result;
}

constexpr Signal kFirst = 0xffff'ffff'ffff'fff0, kSent = 0x23;

/// With data of every length, also none; the signal is seen by a wait, and the data behind it.
template <class T, class Function>
void checkPutSignal(const Way& way, T* area, Signal* signal, const Function& put_signal,
                    int operation) {
  const Signal expected = operation == SHMEM_SIGNAL_SET ? kSent : kFirst + kSent;
  const auto data = source<T>();
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, kElements - 4}) {
    step(
        way, 1,
        [&] {
          std::fill_n(area, kElements, T{});
          *signal = kFirst;
        },
        [&](int to) {
          put_signal(way, to, area + 2, data.data(), count, signal, kSent, operation);
          CHECK_EQ(shmem_signal_wait_until(signal, SHMEM_CMP_NE, kFirst), expected);
          checkData(area, 2, count, way.atDistance(-1));
        },
        [&](int from) {
          checkData(area, 2, count, from);
          CHECK_EQ(*signal, expected);
          CHECK(signal[-1] == 0 && signal[1] == 0);
        });
  }
}

/// Length 0 with null pointers: the signal comes nevertheless.
template <class T, class Function>
void checkSignalAlone(const Way& way, Signal* signal, const Function& put_signal) {
  step(
      way, 1, [&] { *signal = 5; },
      [&](int to) {
        const T* const none = nullptr;
        put_signal(way, to, nullptr, none, std::size_t{0}, signal, Signal{4}, SHMEM_SIGNAL_ADD);
      },
      [&](int) { CHECK_EQ(shmem_signal_fetch(signal), 9U); });
}

template <class T, class Function>
void check(const Ways& ways, const Area& areas, const Signals& signals,
           const Function& put_signal) {
  ways.forEach([&](const Way& way) {
    for (std::byte* const area : areas.all()) {
      for (Signal* const signal : signals.all()) {
        for (const int operation : {SHMEM_SIGNAL_SET, SHMEM_SIGNAL_ADD})
          checkPutSignal<T>(way, reinterpret_cast<T*>(area), signal, put_signal, operation);
      }
    }
    checkSignalAlone<T>(way, signals.all()[0], put_signal);
  });
}

#define BOTH(name) Call(shmem_##name, shmem_ctx_##name)

void testPutSignal(const Ways& ways, const Area& areas, const Signals& signals) {
#define TYPED(name, T)                                     \
  check<T>(ways, areas, signals, BOTH(name##_put_signal)); \
  check<T>(ways, areas, signals, BOTH(name##_put_signal_nbi));
  FOR_RMA_TYPES(TYPED)
#undef TYPED
#define SIZED(bits, T)                                      \
  check<T>(ways, areas, signals, BOTH(put##bits##_signal)); \
  check<T>(ways, areas, signals, BOTH(put##bits##_signal_nbi));
  FOR_BITS(SIZED)
#undef SIZED
  check<std::uint8_t>(ways, areas, signals, BOTH(putmem_signal));
  check<std::uint8_t>(ways, areas, signals, BOTH(putmem_signal_nbi));
}

/// In C++ the names are overloaded.
using SignalCall = void(Signal*, Signal, int);
using SignalCallOnContext = void(shmem_ctx_t, Signal*, Signal, int);
Call<SignalCall, SignalCallOnContext> addCall() {
  return {static_cast<SignalCall*>(shmem_signal_add), shmem_ctx_signal_add};
}
Call<SignalCall, SignalCallOnContext> setCall() {
  return {static_cast<SignalCall*>(shmem_signal_set), shmem_ctx_signal_set};
}

void testAddAndSet(const Ways& ways, const Signals& signals) {
  ways.forEach([&](const Way& way) {
    for (Signal* const signal : signals.all()) {
      for (const int distance : way.distances()) {
        step(
            way, distance, [&] { *signal = 1; },
            [&](int to) { addCall()(way, to, signal, ~Signal{0}); },
            [&](int) { CHECK_EQ(shmem_signal_fetch(signal), 0U); });
        step(
            way, distance, [] {}, [&](int to) { setCall()(way, to, signal, Signal{1} << 63); },
            [&](int) { CHECK_EQ(shmem_signal_fetch(signal), Signal{1} << 63); });
      }
      CHECK(signal[-1] == 0 && signal[1] == 0);
    }
  });
}

/// All PEs add to one signal, alone and with data.
void testAddsOfAll(const Signals& signals) {
  constexpr Signal kTimes = 50'000;
  static long data[2];
  const auto pes = static_cast<Signal>(shmem_n_pes());
  for (Signal* const signal : signals.all()) {
    *signal = 0;
    shmem_barrier_all();
    for (Signal i = 0; i < kTimes; ++i) {
      const long number = static_cast<long>(i);
      shmem_signal_add(signal, 2, 0);
      shmem_long_put_signal(data, &number, 1, signal, 1, SHMEM_SIGNAL_ADD, 0);
      shmem_long_put_signal_nbi(data + 1, &number, 1, signal, 1, SHMEM_SIGNAL_ADD, 0);
    }
    shmem_barrier_all();
    if (shmem_my_pe() == 0) CHECK_EQ(shmem_signal_fetch(signal), 4 * kTimes * pes);
    shmem_barrier_all();
  }
}

struct Comparison {
  int operation;
  Signal with;
};

/// The value that was seen comes back, also when it is another than the one given.
void testWaitReturnsTheValue() {
  constexpr Signal kHuge = ~Signal{0} - 4;
  static Signal signal;
  for (const auto& [operation, with] : {Comparison{SHMEM_CMP_EQ, kHuge},
                                        {SHMEM_CMP_NE, 7},
                                        {SHMEM_CMP_GT, 7},
                                        {SHMEM_CMP_GE, kHuge},
                                        {SHMEM_CMP_LT, ~Signal{0}},
                                        {SHMEM_CMP_LE, kHuge}}) {
    signal = operation == SHMEM_CMP_LT || operation == SHMEM_CMP_LE ? ~Signal{0} : 7;
    shmem_barrier_all();
    shmem_signal_set(&signal, kHuge, (shmem_my_pe() + 1) % shmem_n_pes());
    CHECK_EQ(shmem_signal_wait_until(&signal, operation, with), kHuge);
    CHECK_EQ(shmem_signal_fetch(&signal), kHuge);
    shmem_barrier_all();
  }
}

constexpr int kWords = 24;
struct Message {
  long words[kWords];
};

/// Whoever has seen the signal has all of the data, in each of many rounds.
void testSignalProvesData(Message* box, Signal* arrived, Signal* taken) {
  constexpr Signal kRounds = 10'000;
  const int pes = shmem_n_pes(), me = shmem_my_pe();
  const int to = (me + 1) % pes, from = (me + pes - 1) % pes;
  *arrived = *taken = 0;
  shmem_barrier_all();
  for (Signal round = 1; round <= kRounds; ++round) {
    Message message;
    for (long& word : message.words) word = static_cast<long>(round);
    if (round % 3 == 0) {
      shmem_putmem_signal(box, &message, sizeof message, arrived, 1, SHMEM_SIGNAL_ADD, to);
    } else if (round % 3 == 1) {
      shmem_long_put_signal_nbi(box->words, message.words, kWords, arrived, 1, SHMEM_SIGNAL_ADD,
                                to);
      shmem_quiet();  // the message is in use until then
    } else {
      shmem_put64_signal(box, &message, kWords, arrived, 1, SHMEM_SIGNAL_ADD, to);
    }
    CHECK_EQ(shmem_signal_wait_until(arrived, SHMEM_CMP_GE, round), round);
    for (const long word : box->words) CHECK_EQ(word, static_cast<long>(round));
    shmem_signal_set(taken, round, from);
    shmem_signal_wait_until(taken, SHMEM_CMP_EQ, round);
  }
  shmem_barrier_all();
}

void testProofOfBothMemories(const Signals& signals) {
  static Message static_box;
  auto* const box = static_cast<Message*>(shmem_malloc(sizeof(Message)));
  const auto [in_heap, in_static] = signals.all();
  testSignalProvesData(box, in_static, in_heap);
  testSignalProvesData(&static_box, in_heap, in_static);
  shmem_free(box);
}

/// The target makes no call; the sender must come back nevertheless.
void testNbiToPeThatComputes() {
  constexpr std::size_t kCount = 100'000;
  static Signal arrived, done;
  auto* const box = static_cast<int*>(shmem_malloc(kCount * sizeof(int)));
  const std::vector<int> data(kCount, 4);
  arrived = done = 0;
  shmem_barrier_all();
  if (shmem_my_pe() == 0) {
    while (__atomic_load_n(&done, __ATOMIC_ACQUIRE) + 1 != static_cast<Signal>(shmem_n_pes()))
      continue;
    CHECK_EQ(shmem_signal_fetch(&arrived), done);
  } else {
    shmem_int_put_signal_nbi(box, data.data(), kCount, &arrived, 1, SHMEM_SIGNAL_ADD, 0);
    shmem_quiet();
    shmem_signal_add(&done, 1, 0);
  }
  shmem_barrier_all();
  shmem_free(box);
}

}  // namespace

int main() {
  shmem_init();
  {
    const Ways ways;
    const Area areas;
    const Signals signals;
    testPutSignal(ways, areas, signals);
    testAddAndSet(ways, signals);
    testAddsOfAll(signals);
    testWaitReturnsTheValue();
    testProofOfBothMemories(signals);
    testNbiToPeThatComputes();
  }
  shmem_finalize();
}
