// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/kills/steps.h"

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>

#include "base/phase.h"
#include "peers/kills/driver.h"
#include "sim/random.h"

namespace ucxx::kills {
namespace {

using base::Phase;
using sim::Random;

std::atomic<std::uint64_t> moved{0};

bool movesBytes(Phase phase) {
  return phase == Phase::RecordPublished || phase == Phase::RecordHandled ||
         phase == Phase::ChunkCopied || phase == Phase::HelpCopied;
}

/// Of this process. Written before there are threads, but for `seed`.
std::uint64_t own_seed = 0;
std::atomic<std::uint64_t> seed{0};  // 0: no delays
std::atomic<std::uint64_t> threads{0};

/// A thread is delayed for a quarter of its time at most, and by this.
constexpr std::int64_t kFree = 50'000'000;

/// The choices of one thread: the same again for each thread of a number, in a run.
struct Choices {
  const std::uint64_t thread = ++threads;
  std::uint64_t of = 0;
  Random random{0};
  std::int64_t begun_at = 0, delayed = 0;

  void begin(std::uint64_t of_run) {
    of = of_run;
    begun_at = now();
    delayed = 0;
    random = Random(Random(of_run).next() ^ thread);
  }
};
thread_local Choices choices;

/// How many of 256 passes of a step are delayed: of most steps none, of some nearly each third, so
/// that a run shows what two slow steps do to each other.
unsigned shareOf(std::uint64_t of, Phase phase) {
  Random random(of ^ Random(static_cast<std::uint64_t>(phase) + 1).next());
  const auto kind = random.below(10);
  return kind < 6 ? 0 : kind < 9 ? 4 : 80;
}

/// Some cache misses, or up to what a process waits for a core. No yield: on busy cores that lasts
/// until everybody else had a turn.
void delay(Random& random) {
  const bool sleeps = random.chance(40);
  const auto most = std::size_t{1} << random.below(sleeps ? 21 : 14);  // 2 ms, 16 us
  const auto time = static_cast<std::int64_t>(random.below(most));
  if (sleeps) return std::this_thread::sleep_for(std::chrono::nanoseconds(time));
  for (const std::int64_t end = now() + time; now() < end;) {
  }
}

void maybeDelay(Phase phase, std::uint64_t of) {
  if (choices.of != of) choices.begin(of);
  if (choices.random.below(256) >= shareOf(of, phase)) return;
  const std::int64_t begin = now();
  if (choices.delayed > kFree + (begin - choices.begun_at) / 4) return;
  delay(choices.random);
  choices.delayed += now() - begin;
}

void onStep(Phase phase) noexcept {
  if (movesBytes(phase)) moved.fetch_add(1, std::memory_order_relaxed);
  if (const std::uint64_t of = seed.load(std::memory_order_relaxed); of != 0) maybeDelay(phase, of);
}

}  // namespace

void watchSteps(std::string_view role) {
  if (const char* text = std::getenv("UCXX_TEST_DELAYS")) {  // NOLINT(concurrency-mt-unsafe)
    own_seed = Random(std::stoull(text)).next();
    for (const char letter : role)
      own_seed = Random(own_seed + static_cast<unsigned char>(letter)).next();
    own_seed |= 1;
    choices.begin(own_seed);  // this thread is the first
    seed = own_seed;
  }
  base::trap.watch = onStep;
}

void delayFor(const Plan& plan) {
  if (own_seed == 0) return;
  threads = choices.thread;  // those of other runs have ended
  seed = Random(own_seed ^ plan.run << 1).next() | 1;
}

const std::atomic<std::uint64_t>& stepsThatMove() noexcept { return moved; }

}  // namespace ucxx::kills
