// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Whoever writes wakes who sleeps: each kind of writer and of waiter, and many rounds in which one
// writes just when the other falls asleep.
//
//     wakeups [refuse | passed] [ROUNDS]
//
// refuse: the kernel has no membarrier. passed: it has, but passes PE 0 over (passed_over.h); by 2
// PEs, and only those two in turn. Without ROUNDS each test of many rounds has 2,000 at least,
// however long that takes, and 20,000 if a second is enough. Each prints how many it had.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string_view>
#include <thread>
#include <vector>

#include "shmem/check.h"
#include "shmem/passed_over.h"
#include "shmem/sleeps.h"

namespace {

using ucxx::test::awaitSleep;
using ucxx::test::countOf;
using ucxx::test::first_sleeps;
using ucxx::test::rings;
using ucxx::test::sleeps;
using ucxx::test::sleeps_forever;
using Clock = std::chrono::steady_clock;
using Word = std::uint64_t;

constexpr Word kDone = 1;
constexpr std::size_t kMany = (std::size_t{5} << 20) / sizeof(Word);  // past the caches

/// A way to make the word kDone, on a context.
struct Writer {
  const char* name;
  Word before;  ///< what the word is until then
  void (*write)(shmem_ctx_t ctx, Word* word, int pe);
};

const Word kSource[4] = {kDone, kDone, kDone, kDone};
Word fetched;

/// The word is the last one that is written.
void putMany(shmem_ctx_t ctx, Word* word, std::size_t count, int pe) {
  const std::vector<Word> source(count, kDone);
  shmem_ctx_uint64_put(ctx, word + 1 - count, source.data(), count, pe);
}

// clang-format off
const Writer kWriters[] = {
  {"p", 0, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_uint64_p(c, w, kDone, pe); }},
  {"put", 0, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_uint64_put(c, w, kSource, 1, pe); }},
  {"put of two", 0, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_ulong_put(c, w, kSource, 2, pe); }},
  {"put of many", 0, [](shmem_ctx_t c, Word* w, int pe) { putMany(c, w, kMany, pe); }},
  {"putmem", 0, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_putmem(c, w, kSource, sizeof *w, pe); }},
  {"put8", 0, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_put8(c, w, kSource, sizeof *w, pe); }},
  {"put64_nbi", 0, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_put64_nbi(c, w, kSource, 1, pe); }},
  {"iput", 0, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_uint64_iput(c, w, kSource, 1, 2, 2, pe); }},
  {"ibput", 0, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_ibput64(c, w, kSource, 2, 2, 2, 1, pe); }},
  {"set", 0, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_uint64_atomic_set(c, w, kDone, pe); }},
  {"inc", 0, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_uint64_atomic_inc(c, w, pe); }},
  {"add", ~Word{0}, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_uint64_atomic_add(c, w, 2, pe); }},
  {"and", 3, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_uint64_atomic_and(c, w, ~Word{2}, pe); }},
  {"or", 0, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_uint64_atomic_or(c, w, 1, pe); }},
  {"xor", 2, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_uint64_atomic_xor(c, w, 3, pe); }},
  {"swap", 0, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_uint64_atomic_swap(c, w, kDone, pe); }},
  {"compare_swap", 5, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_uint64_atomic_compare_swap(c, w, 5, kDone, pe); }},
  {"fetch_inc", 0, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_uint64_atomic_fetch_inc(c, w, pe); }},
  {"fetch_add", 4, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_uint64_atomic_fetch_add(c, w, ~Word{2}, pe); }},
  {"fetch_and", 9, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_uint64_atomic_fetch_and(c, w, 1, pe); }},
  {"fetch_or", 0, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_uint64_atomic_fetch_or(c, w, 1, pe); }},
  {"fetch_xor", 0, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_uint64_atomic_fetch_xor(c, w, 1, pe); }},
  {"swap_nbi", 0, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_uint64_atomic_swap_nbi(c, &fetched, w, kDone, pe); }},
  {"compare_swap_nbi", 0, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_uint64_atomic_compare_swap_nbi(c, &fetched, w, 0, kDone, pe); }},
  {"fetch_inc_nbi", 0, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_uint64_atomic_fetch_inc_nbi(c, &fetched, w, pe); }},
  {"fetch_add_nbi", 0, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_uint64_atomic_fetch_add_nbi(c, &fetched, w, 1, pe); }},
  {"fetch_and_nbi", 9, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_uint64_atomic_fetch_and_nbi(c, &fetched, w, 1, pe); }},
  {"fetch_or_nbi", 0, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_uint64_atomic_fetch_or_nbi(c, &fetched, w, 1, pe); }},
  {"fetch_xor_nbi", 0, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_uint64_atomic_fetch_xor_nbi(c, &fetched, w, 1, pe); }},
  {"put_signal", 0, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_putmem_signal(c, w + 1, kSource, 8, w, kDone, SHMEM_SIGNAL_SET, pe); }},
  {"put_signal_nbi of nothing", 0, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_int_put_signal_nbi(c, nullptr, nullptr, 0, w, kDone, SHMEM_SIGNAL_ADD, pe); }},
  {"signal_set", 0, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_signal_set(c, w, kDone, pe); }},
  {"signal_add", 0, [](shmem_ctx_t c, Word* w, int pe) { shmem_ctx_signal_add(c, w, kDone, pe); }},
};

/// A way to wait until the word is kDone.
using Waiter = void(Word* word);
Waiter* const kWaiters[] = {
  [](Word* w) { shmem_uint64_wait_until(w, SHMEM_CMP_EQ, kDone); },
  [](Word* w) { CHECK_EQ(shmem_signal_wait_until(w, SHMEM_CMP_NE, 0), kDone); },
  [](Word* w) { while (!shmem_uint64_test(w, SHMEM_CMP_EQ, kDone)) sleeps.fetch_add(1); },
  [](Word* w) { shmem_uint64_wait_until_all(w, 1, nullptr, SHMEM_CMP_GE, kDone); },
  [](Word* w) { CHECK_EQ(shmem_uint64_wait_until_any(w, 1, nullptr, SHMEM_CMP_EQ, kDone), 0U); },
  [](Word* w) { std::size_t i = 9; CHECK_EQ(shmem_uint64_wait_until_some(w, 1, &i, nullptr, SHMEM_CMP_EQ, kDone), 1U); },
  [](Word* w) { shmem_uint64_wait_until_all_vector(w, 1, nullptr, SHMEM_CMP_EQ, kSource); },
  [](Word* w) { CHECK_EQ(shmem_uint64_wait_until_any_vector(w, 1, nullptr, SHMEM_CMP_EQ, kSource), 0U); },
  [](Word* w) { std::size_t i = 9; CHECK_EQ(shmem_uint64_wait_until_some_vector(w, 1, &i, nullptr, SHMEM_CMP_EQ, kSource), 1U); },
};
// clang-format on

/// The words that are waited for, one in each kind of memory.
class Words {
 public:
  Words() : heap_(static_cast<Word*>(shmem_malloc((kMany + 4) * sizeof(Word)))) {}
  ~Words() { shmem_free(heap_); }
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;
  std::array<Word*, 2> all() const { return {heap_ + kMany, in_statics.data() + kMany}; }

 private:
  Word* heap_;
  inline static std::array<Word, kMany + 4> in_statics;
};

/// What a waiter says of itself, for the writer: statics, so that it is symmetric.
struct Began {
  long turn = 0;
  long sleeps_before = 0;
};
Began began;
long turn = 0;

void sayThatWaitBegins() {
  began.sleeps_before = sleeps.load();
  __atomic_store_n(&began.turn, turn, __ATOMIC_RELEASE);
}

void beginAndWait(Waiter* wait, Word* word) {
  sayThatWaitBegins();
  wait(word);
  CHECK_EQ(*word, kDone);
}

/// Returns when that PE's waiters sleep.
void awaitWaiters(int pe, long count = 1) {
  while (shmem_long_g(&began.turn, pe) != turn) std::this_thread::yield();
  awaitSleep(pe, shmem_long_g(&began.sleeps_before, pe) + count - 1);
}

void prepare(Word* word, Word before) {
  *word = before;
  ++turn;
  shmem_barrier_all();
}

/// All wait but one, which writes to each when it sleeps.
void wakeOthers(shmem_ctx_t ctx, const Writer& writer, Waiter* wait, Word* word) {
  prepare(word, writer.before);
  if (shmem_my_pe() != shmem_n_pes() - 1) return beginAndWait(wait, word);
  for (int pe = 0; pe < shmem_n_pes() - 1; ++pe) {
    awaitWaiters(pe);
    writer.write(ctx, word, pe);
  }
}

/// A thread of each PE writes to its own PE.
void wakeOwnPe(shmem_ctx_t ctx, const Writer& writer, Waiter* wait, Word* word) {
  prepare(word, writer.before);
  std::thread thread([&] {
    awaitWaiters(shmem_my_pe());
    writer.write(ctx, word, shmem_my_pe());
  });
  beginAndWait(wait, word);
  thread.join();
}

void testWriters(const Words& words, shmem_ctx_t ctx) {
  for (const Writer& writer : kWriters) {
    for (Word* const word : words.all()) {
      wakeOthers(ctx, writer, kWaiters[0], word);
      wakeOwnPe(ctx, writer, kWaiters[0], word);
    }
  }
}

void testWaiters(const Words& words) {
  for (Waiter* const wait : kWaiters) {
    for (Word* const word : words.all()) {
      wakeOthers(SHMEM_CTX_DEFAULT, kWriters[0], wait, word);
      wakeOwnPe(SHMEM_CTX_DEFAULT, kWriters[0], wait, word);
    }
  }
}

/// Nobody wakes, but no sleep is long.
void testPlainStores(const Words& words) {
  const Writer writer{"plain store", 0, [](shmem_ctx_t, Word* word, int pe) {
                        auto* const there = static_cast<Word*>(shmem_ptr(word, pe));
                        __atomic_store_n(there, kDone, __ATOMIC_RELEASE);
                      }};
  sleeps_forever = false;
  for (Word* const word : words.all()) {
    wakeOthers(SHMEM_CTX_DEFAULT, writer, kWaiters[0], word);
    wakeOwnPe(SHMEM_CTX_DEFAULT, writer, kWaiters[0], word);
  }
  shmem_barrier_all();
  sleeps_forever = true;
}

/// Who is woken for nothing lets others run for 50 us before it says again that it sleeps: until
/// then stores cost no system call.
void testStoresThatNobodyAwaits(const Words& words) {
  constexpr std::chrono::microseconds kBetweenRings{50};
  Word* const word = words.all()[0];
  prepare(word, 0);
  if (shmem_my_pe() == 1) beginAndWait(kWaiters[0], word);
  if (shmem_my_pe() == 0 && shmem_n_pes() > 1) {
    awaitWaiters(1);
    const long before = rings;
    const auto begin = Clock::now();
    for (Word i = 0; i < 20'000; ++i) shmem_uint64_p(word + 1, i, 1);
    const auto most = (Clock::now() - begin) / kBetweenRings + 2;
    CHECK(rings > before);
    CHECK(rings - before <= most);
    shmem_uint64_p(word, kDone, 1);
  }
  shmem_barrier_all();
}

/// Each of the threads that sleep on one PE is woken by its own word.
void testThreadsThatSleep(const Words& words) {
  constexpr std::size_t kThreads = 3;
  static_assert(kThreads <= 4);
  Word* const first = words.all()[0];
  const int to = (shmem_my_pe() + 1) % shmem_n_pes();
  for (int round = 0; round < 20; ++round) {
    std::fill_n(first, kThreads, 0);
    prepare(first, 0);
    sayThatWaitBegins();
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < kThreads; ++i)
      threads.emplace_back([=] { shmem_uint64_wait_until(first + i, SHMEM_CMP_EQ, kDone); });
    awaitWaiters(to, kThreads);
    for (std::size_t i = kThreads; i-- > 0;) shmem_uint64_p(first + i, kDone, to);
    for (std::thread& thread : threads) thread.join();
  }
}

void testAllKinds(const Words& words) {
  shmem_ctx_t ctx = SHMEM_CTX_INVALID;
  CHECK_EQ(shmem_ctx_create(0, &ctx), 0);
  testWriters(words, SHMEM_CTX_DEFAULT);
  testWriters(words, ctx);
  testWaiters(words);
  testPlainStores(words);
  testThreadsThatSleep(words);
  testStoresThatNobodyAwaits(words);
  shmem_ctx_destroy(ctx);
}

/// One side of two that wait for each other in turn. It may write at every moment around the one at
/// which the other one falls asleep. What it says of its wait lies in statics, so that the other
/// can look.
class Side {
 public:
  struct Wait {
    long round, first_sleeps_before, began;
  };

  Side(Word* mine, Wait* own_wait, Word* theirs, Wait* their_wait, int pe)
      : mine_(mine), own_wait_(own_wait), theirs_(theirs), their_wait_(their_wait), pe_(pe) {}

  void wait(int round) {
    own_wait_->first_sleeps_before = first_sleeps.load();
    own_wait_->began = now();
    __atomic_store_n(&own_wait_->round, round, __ATOMIC_RELEASE);
    shmem_uint64_wait_until(mine_, SHMEM_CMP_EQ, static_cast<Word>(round));
  }

  void write(int round) {
    const auto value = static_cast<Word>(round);
    if (random_() % 2 == 0) chooseMoment(round);
    // Who has not fenced then looks at the sleepers before others see the word.
    if (random_() % 2 == 0) late_stores_.delayNext();
    if (round % 3 == 0) return shmem_uint64_p(theirs_, value, pe_);
    if (round % 3 == 1) return shmem_uint64_atomic_set(theirs_, value, pe_);
    shmem_signal_set(theirs_, value, pe_);
  }

 private:
  static long now() { return Clock::now().time_since_epoch() / std::chrono::nanoseconds(1); }

  void chooseMoment(int round) {
    while (shmem_long_g(&their_wait_->round, pe_) != round) std::this_thread::yield();
    const long began = shmem_long_g(&their_wait_->began, pe_);
    if (random_() % 8 == 0) return measure(began);
    const long moment = began + until_sleep_ + jitter_(random_);
    while (now() < moment) continue;
  }

  /// How long a wait polls before it sleeps. What takes longer waited for a processor.
  static constexpr long kLongest = 2'000'000;
  void measure(long began) {
    const long before = shmem_long_g(&their_wait_->first_sleeps_before, pe_);
    if (countOf(first_sleeps, pe_) != before) return;
    while (countOf(first_sleeps, pe_) == before) std::this_thread::yield();
    until_sleep_ = (3 * until_sleep_ + std::min(now() - began, kLongest)) / 4;
  }

  Word* const mine_;
  Wait* const own_wait_;
  Word* const theirs_;
  Wait* const their_wait_;
  const int pe_;
  long until_sleep_ = 500'000;
  std::mt19937 random_{static_cast<unsigned>(shmem_my_pe()) + 1};
  std::uniform_int_distribution<long> jitter_{-9000, 3000};
  ucxx::test::LateStores late_stores_;
};

/// Symmetric; the second one is for a second thread.
Side::Wait waits[2];

constexpr int kBatch = 200;  // even: each side begins where it has ended

void playBatch(Side& side, int parity, int first) {
  for (int round = first; round < first + kBatch; ++round)
    round % 2 == parity ? side.write(round) : side.wait(round);
}

/// How many rounds; after a second the least are enough.
struct Extent {
  int least, most;
};

/// The rounds of one test, of which some are played at the same time.
class Rounds {
 public:
  Rounds(const Extent& extent, int at_once) : extent_(extent), at_once_(at_once) {}

  bool areEnough() const {
    return done_ >= extent_.most || (done_ >= extent_.least && Clock::now() >= end_);
  }
  int next() const { return done_ / at_once_ + 1; }
  void countBatch() { done_ += kBatch * at_once_; }
  void print(const char* who) const {
    std::printf("PE %d: %d rounds of %s in turn\n", shmem_my_pe(), done_, who);
  }

 private:
  Extent extent_;
  int at_once_;
  int done_ = 0;
  Clock::time_point end_ = Clock::now() + std::chrono::seconds(1);
};

/// Pairs of PEs; the others sleep in a barrier. PE 0 looks at the clock.
void testTurnsOfPes(Word* word, const Extent& extent) {
  static long goes_on;
  const int me = shmem_my_pe(), pairs = std::min(shmem_n_pes() / 2, 2);
  if (pairs == 0) return;
  Rounds rounds(extent, pairs);
  Side side(word, waits, word, waits, me ^ 1);
  *word = 0;
  waits[0] = {};
  for (;;) {
    goes_on = rounds.areEnough() ? 0 : 1;
    shmem_barrier_all();
    if (shmem_long_g(&goes_on, 0) == 0) break;
    if (me < 2 * pairs) playBatch(side, me % 2, rounds.next());
    rounds.countBatch();
    shmem_barrier_all();
  }
  if (me == 0) rounds.print("pairs of PEs");
  shmem_barrier_all();
}

/// Two threads of each PE, of which each counts its part of the rounds.
void testTurnsOfThreads(Word* word, const Extent& extent) {
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  Rounds rounds({extent.least / pes, extent.most / pes}, 1);
  Side one(word, waits, word + 1, waits + 1, me), other(word + 1, waits + 1, word, waits, me);
  word[0] = word[1] = 0;
  waits[0] = waits[1] = {};
  while (!rounds.areEnough()) {
    std::thread thread([&] { playBatch(one, 0, rounds.next()); });
    playBatch(other, 1, rounds.next());
    thread.join();
    rounds.countBatch();
  }
  rounds.print("two threads");
  shmem_barrier_all();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view kernel = argc > 1 ? argv[1] : "";
  const bool refuses = kernel == "refuse", passes = kernel == "passed";
  const char* const rounds = argv[refuses || passes ? 2 : 1];  // null: none is given
  const Extent extent =
      rounds != nullptr ? Extent{std::atoi(rounds), std::atoi(rounds)} : Extent{2000, 20'000};
  ucxx::test::refuses_membarrier = refuses;
  if (passes) ucxx::test::letOneBePassedOver();
  int level = -1;
  CHECK_EQ(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level), 0);
  CHECK_EQ(level, SHMEM_THREAD_MULTIPLE);
  sleeps_forever = true;
  {
    const Words words;
    if (!passes) testAllKinds(words);
    for (Word* const word : words.all()) testTurnsOfPes(word, extent);
    if (!passes) testTurnsOfThreads(words.all()[0], extent);
  }
  shmem_finalize();
}
