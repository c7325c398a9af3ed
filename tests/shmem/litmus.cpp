// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What fence, quiet, signals and locks order, seen by processors that run at the same time: message
// passing, store buffering, independent reads of independent writes. Words are whole.
//
//     litmus [ROUNDS] [broken]     10,000 rounds of each
//
// broken: each test leaves out what orders, or swaps two accesses, and counts the outcomes that are
// forbidden otherwise: that they are seen shows that the test can fail.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "shmem/check.h"
#include "shmem/litmus_players.h"

namespace {

using ucxx::test::Patience;
using ucxx::test::Players;

ucxx::test::Litmus litmus;

/// A word in cache lines of its own.
struct alignas(256) Word {
  long value;
};
/// Symmetric. Each holds the number of the round in which it was written.
Word x, y, flag;
alignas(256) std::uint64_t signal_word;
alignas(256) long lock;
constexpr std::size_t kWords = 20;
alignas(256) std::array<long, kWords> data;
std::array<long, kWords> source;

shmem_ctx_t ctx = SHMEM_CTX_INVALID;
shmem_ctx_t ctx_without_stores = SHMEM_CTX_INVALID;

void clearWords() {
  x.value = y.value = flag.value = 0;
  signal_word = 0;
  data.fill(0);
  shmem_barrier_all();
}

template <class Play>
void play(const Players& players, const char* name, const Play& part) {
  clearWords();
  players.run(name, part);
}

template <class T>
T* at(T* symmetric, int pe) {
  return static_cast<T*>(shmem_ptr(symmetric, pe));
}

// Message passing: PE 0 writes data and then a flag, PE 1 sees the flag and looks at the data ----

using Write = void(long round);
using Order = void();
using See = void(long round);

void putData(long) { shmem_long_put(data.data(), source.data(), kWords, 1); }
void putDataNbi(long) { shmem_ctx_putmem_nbi(ctx, data.data(), source.data(), sizeof source, 1); }
void pData(long round) {
  for (long& word : data) shmem_long_p(&word, round, 1);
}
void iputData(long) { shmem_long_iput(data.data(), source.data(), 1, 1, kWords, 1); }
void setData(long round) {
  for (long& word : data) shmem_long_atomic_set(&word, round, 1);
}
void storeData(long) { std::copy(source.begin(), source.end(), at(data.data(), 1)); }

void fenceOfContext() { shmem_ctx_fence(ctx); }
void quietOfContext() { shmem_ctx_quiet(ctx); }
void quietOfPe() {
  const int pe = 1;
  shmem_pe_quiet(&pe, 1);
}

void pFlag(long round) { shmem_long_p(&flag.value, round, 1); }
void pFlagOfContext(long round) { shmem_ctx_long_p(ctx, &flag.value, round, 1); }
void putFlag(long round) { shmem_long_put(&flag.value, &round, 1, 1); }
void setFlag(long round) { shmem_long_atomic_set(&flag.value, round, 1); }
void incFlag(long) { shmem_long_atomic_inc(&flag.value, 1); }
void storeFlag(long round) { __atomic_store_n(&at(&flag, 1)->value, round, __ATOMIC_RELAXED); }
void setSignal(long round) { shmem_signal_set(&signal_word, static_cast<std::uint64_t>(round), 1); }

void waitForFlag(long round) { shmem_long_wait_until(&flag.value, SHMEM_CMP_EQ, round); }
void waitForAnyFlag(long round) {
  shmem_long_wait_until_any(&flag.value, 1, nullptr, SHMEM_CMP_GE, round);
}
void testFlag(long round) {
  Patience patience;
  while (shmem_long_test(&flag.value, SHMEM_CMP_GE, round) == 0) patience.lose();
}
void waitForSignal(long round) {
  shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, static_cast<std::uint64_t>(round));
}

struct Message {
  const char* name;
  Write* write;
  Order* order;
  Write* raise;
  See* see;
};
constexpr std::array kMessages{
    Message{"put, fence, p", putData, shmem_fence, pFlag, waitForFlag},
    Message{"put, quiet, p", putData, shmem_quiet, pFlag, testFlag},
    Message{"put, pe_quiet, atomic set", putData, quietOfPe, setFlag, waitForAnyFlag},
    Message{"p, fence, p", pData, shmem_fence, pFlag, testFlag},
    Message{"p, fence, put", pData, shmem_fence, putFlag, waitForFlag},
    Message{"iput, fence, atomic inc", iputData, shmem_fence, incFlag, testFlag},
    Message{"atomic set, fence, p", setData, shmem_fence, pFlag, waitForFlag},
    Message{"put_nbi, fence, p of a context", putDataNbi, fenceOfContext, pFlagOfContext, testFlag},
    Message{"put_nbi, quiet of a context, signal", putDataNbi, quietOfContext, setSignal,
            waitForSignal},
    Message{"put, fence, signal", putData, shmem_fence, setSignal, waitForSignal},
    Message{"plain stores, fence, p", storeData, shmem_fence, pFlag, waitForFlag},
    Message{"plain stores, quiet, atomic set", storeData, shmem_quiet, setFlag, testFlag},
    Message{"plain stores, fence, plain store", storeData, shmem_fence, storeFlag, testFlag},
};

bool isDataOld(long round) {
  return std::any_of(data.begin(), data.end(), [round](long word) { return word != round; });
}

void testMessages(const Players& two) {
  for (const Message& message : kMessages) {
    play(two, message.name, [&](int me, long round) {
      if (me == 1) {
        message.see(round);
        return isDataOld(round);
      }
      source.fill(round);
      if (litmus.is_broken) message.raise(round);
      message.write(round);
      if (!litmus.is_broken) message.order();
      if (!litmus.is_broken) message.raise(round);
      shmem_ctx_quiet(ctx);
      return true;
    });
  }
}

using PutSignal = void(long*, const long*, std::size_t, std::uint64_t*, std::uint64_t, int, int);

void testPutSignal(const Players& two, const char* name, PutSignal* put_signal) {
  play(two, name, [put_signal](int me, long round) {
    if (me == 1) {
      waitForSignal(round);
      return isDataOld(round);
    }
    source.fill(round);
    if (litmus.is_broken) setSignal(round);
    put_signal(data.data(), source.data(), kWords, &signal_word, litmus.is_broken ? 0 : 1,
               SHMEM_SIGNAL_ADD, 1);
    shmem_quiet();
    return true;
  });
}

/// PE 0 tells PE 1, which tells PE 2, what PE 0 has completed there.
void testPassedOn(const Players& three) {
  play(three, "quiet, seen by a third PE", [](int me, long round) {
    if (me == 0) {
      if (litmus.is_broken) shmem_long_p(&flag.value, round, 1);
      for (int i = 0; litmus.is_broken && i < 100; ++i)
        shmem_quiet();  // as long as the way of the flags
      shmem_long_p(&x.value, round, 2);
      shmem_quiet();
      if (!litmus.is_broken) shmem_long_p(&flag.value, round, 1);
      return true;
    }
    shmem_long_wait_until(&flag.value, SHMEM_CMP_EQ, round);
    if (me == 2) return shmem_long_g(&x.value, 2) != round;
    shmem_long_p(&flag.value, round, 2);
    return true;
  });
}

/// Two words that only the holder changes, and finds equal.
void testLock(const Players& two) {
  play(two, "lock", [](int me, long round) {
    if (!litmus.is_broken) shmem_set_lock(&lock);
    const bool differs = shmem_long_g(&x.value, 0) != shmem_long_g(&y.value, 0);
    shmem_long_p(&x.value, 2 * round + me, 0);
    shmem_long_p(&y.value, 2 * round + me, 0);
    if (!litmus.is_broken) shmem_clear_lock(&lock);
    return differs;
  });
}

// Store buffering: each of two PEs writes one word and then reads the other: one sees the other --

using Read = long(const long* word, int pe);
using WriteWord = void(long* word, long value, int pe);

void putWord(long* word, long value, int pe) { shmem_long_put(word, &value, 1, pe); }
void putWordNbi(long* word, long value, int pe) {
  static long kept;
  kept = value;
  shmem_ctx_long_put_nbi(ctx, word, &kept, 1, pe);
}
void pWithoutStores(long* word, long value, int pe) {
  shmem_ctx_long_p(ctx_without_stores, word, value, pe);
}
void quietWithoutStores() { shmem_ctx_quiet(ctx_without_stores); }
void quietOfPes() {
  constexpr std::array kPes{0, 1};
  shmem_pe_quiet(kPes.data(), kPes.size());
}
void storeWord(long* word, long value, int pe) {
  __atomic_store_n(at(word, pe), value, __ATOMIC_RELAXED);
}
void signalWord(long* word, long value, int pe) {
  shmem_signal_set(reinterpret_cast<std::uint64_t*>(word), static_cast<std::uint64_t>(value), pe);
}
long getWord(const long* word, int pe) {
  long value = 0;
  shmem_long_get(&value, word, 1, pe);
  return value;
}
long loadWord(const long* word, int pe) { return __atomic_load_n(at(word, pe), __ATOMIC_RELAXED); }

struct Buffering {
  const char* name;
  WriteWord* write;
  Order* order;
  Read* read;
};
constexpr std::array kBufferings{
    Buffering{"p, quiet, g", shmem_long_p, shmem_quiet, shmem_long_g},
    Buffering{"put, quiet, get", putWord, shmem_quiet, getWord},
    Buffering{"put_nbi, quiet of a context, g", putWordNbi, quietOfContext, shmem_long_g},
    Buffering{"p, quiet of a context without stores, g", pWithoutStores, quietWithoutStores,
              shmem_long_g},
    Buffering{"p, pe_quiet, g", shmem_long_p, quietOfPes, shmem_long_g},
    Buffering{"atomic set, quiet, atomic fetch", shmem_long_atomic_set, shmem_quiet,
              shmem_long_atomic_fetch},
    Buffering{"signal set, quiet, g", signalWord, shmem_quiet, shmem_long_g},
    Buffering{"plain store, quiet, plain load", storeWord, shmem_quiet, loadWord},
    Buffering{"plain store, quiet, g", storeWord, shmem_quiet, shmem_long_g},
};

/// Where each PE writes into the other one's memory and reads its own, and the other way round.
void testBufferings(const Players& two) {
  for (const Buffering& buffering : kBufferings) {
    for (const int write_to : {1, 0}) {
      play(two, buffering.name, [&](int me, long round) {
        long* const mine = me == 0 ? &x.value : &y.value;
        long* const other = me == 0 ? &y.value : &x.value;
        buffering.write(mine, round, me ^ write_to);
        if (!litmus.is_broken) buffering.order();
        const bool is_old = buffering.read(other, me ^ write_to ^ 1) != round;
        shmem_ctx_quiet(ctx);
        return is_old;
      });
    }
  }
}

// Independent reads of independent writes: PE 2 and 3 never see two writes in different orders ---

/// Each reader waits for the word in its memory and then looks at the other reader's.
void testIndependentWrites(const Players& four, const char* name, WriteWord* write, Order* order,
                           Read* read) {
  play(four, name, [=](int me, long round) {
    long* const own = me % 2 == 0 ? &x.value : &y.value;
    const long* const other = me % 2 == 0 ? &y.value : &x.value;
    if (me < 2) {
      write(own, round, me + 2);
      return true;
    }
    const bool was_old = read(other, 5 - me) != round;
    shmem_long_wait_until(own, SHMEM_CMP_EQ, round);
    order();
    const bool is_old = read(other, 5 - me) != round;
    return litmus.is_broken ? was_old : is_old;
  });
}

/// All bytes of what is written are equal, and so of what is seen.
template <class T>
void testWholeWords(const Players& two, const char* name, void (*p)(T*, T, int),
                    T (*g)(const T*, int)) {
  static T word;
  constexpr T kOnes = static_cast<T>(0x0101010101010101);
  constexpr int kTimes = 40;
  const auto p_bytes = [](T value) {
    auto* const bytes = reinterpret_cast<std::uint8_t*>(&word);
    for (std::size_t i = 0; i < sizeof(T); ++i)
      shmem_uint8_p(bytes + i, static_cast<std::uint8_t>(value), 1);
  };
  word = 0;
  play(two, name, [&](int me, long round) {
    bool is_wrong = me == 0;
    for (int i = 0; i < kTimes; ++i) {
      const auto value = static_cast<T>((round + i) % 256 * kOnes);
      const T seen = me == 0 ? T{0} : g(&word, 1);
      is_wrong |= seen != static_cast<T>((seen & 0xff) * kOnes);
      if (me == 0) litmus.is_broken ? p_bytes(value) : p(&word, value, 1);
    }
    return is_wrong;
  });
}

void testTwo(const Players& two) {
  testMessages(two);
  testPutSignal(two, "put_signal", shmem_long_put_signal);
  testPutSignal(two, "put_signal_nbi", shmem_long_put_signal_nbi);
  testLock(two);
  testBufferings(two);
  testWholeWords<std::uint16_t>(two, "words of 2 bytes", shmem_uint16_p, shmem_uint16_g);
  testWholeWords<std::uint32_t>(two, "words of 4 bytes", shmem_uint32_p, shmem_uint32_g);
  testWholeWords<std::uint64_t>(two, "words of 8 bytes", shmem_uint64_p, shmem_uint64_g);
}

void testFour(const Players& four) {
  testIndependentWrites(four, "independent p, quiet, g", shmem_long_p, shmem_quiet, shmem_long_g);
  testIndependentWrites(four, "independent p, fence, g", shmem_long_p, shmem_fence, shmem_long_g);
  testIndependentWrites(four, "independent atomic set, fetch", shmem_long_atomic_set, shmem_quiet,
                        shmem_long_atomic_fetch);
  testIndependentWrites(four, "independent signal set, quiet, plain load", signalWord, shmem_quiet,
                        loadWord);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) litmus.rounds = std::atoi(argv[1]);
  litmus.is_broken = argc > 2 && std::string_view(argv[2]) == "broken";
  shmem_init();
  CHECK_EQ(shmem_ctx_create(0, &ctx), 0);
  CHECK_EQ(shmem_ctx_create(SHMEM_CTX_NOSTORE, &ctx_without_stores), 0);
  if (shmem_n_pes() >= 2) testTwo(Players(2, litmus));
  if (shmem_n_pes() >= 3) testPassedOn(Players(3, litmus));
  if (shmem_n_pes() >= 4) testFour(Players(4, litmus));
  if (shmem_my_pe() == 0) std::printf("%d rounds of each test\n", litmus.rounds);
  shmem_ctx_destroy(ctx);
  shmem_ctx_destroy(ctx_without_stores);
  shmem_finalize();
}
