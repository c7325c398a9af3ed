// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The kernels of gpu_facts (tests/gpu/kernels.h) for the stand-in, which has no PTX.

#include <sched.h>

#include "cuda/driver/stand_in.h"

namespace {

using Word = std::uint64_t;

Word load(const Word* at) { return __atomic_load_n(at, __ATOMIC_ACQUIRE); }

void writeWord(Word* to, Word value) { __atomic_store_n(to, value, __ATOMIC_RELEASE); }

void waitWord(const Word* at, Word value) {
  while (static_cast<std::int64_t>(load(at) - value) < 0) ::sched_yield();
}

void pingPong(Word* to, const Word* from, Word rounds) {
  for (Word k = 1; k <= rounds; ++k) {
    writeWord(to, k);
    while (load(from) < k) ::sched_yield();
  }
}

/// The words of this thread of the kernel.
template <class Each>
void forEach(Word count, const Each& each) {
  const stand_in::Place place = stand_in::place();
  const Word step = Word{place.threads} * place.blocks;
  for (Word word = Word{place.block} * place.threads + place.thread; word < count; word += step)
    each(word);
}

void fillWords(Word* to, Word value, Word count) {
  forEach(count, [=](Word word) { to[word] = value; });
}

void countOthers(const Word* of, Word value, Word count, Word* sum) {
  forEach(count, [=](Word word) {
    if (of[word] != value) __atomic_fetch_add(sum, 1, __ATOMIC_RELAXED);
  });
}

void copyWords(Word* to, const Word* from, Word count) {
  forEach(count, [=](Word word) { to[word] = from[word]; });
}

[[gnu::constructor]] void registerAll() {
  stand_in::registerKernel("write_word", writeWord);
  stand_in::registerKernel("wait_word", waitWord);
  stand_in::registerKernel("ping_pong", pingPong);
  stand_in::registerKernel("fill_words", fillWords);
  stand_in::registerKernel("count_others", countOthers);
  stand_in::registerKernel("copy_words", copyWords);
}

}  // namespace
