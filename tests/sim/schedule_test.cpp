// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Seeded schedules: README.md tells how to run more, and one again.

#include "sim/schedule.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

namespace ucxx::sim {
namespace {

std::uint64_t numberIn(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

std::string report(const Schedule& schedule, const std::vector<std::string>& wrongs) {
  std::string text = schedule.name() + ", again: UCXX_SIM_SEED=<seed>\n";
  for (const std::string& one : wrongs) text += "  " + one + "\n";
  return text;
}

std::uint64_t current_seed = 0;
unsigned killed = 0;

/// A crash tells its seed too.
void tellSeed() {
  std::fprintf(stderr, "crashed with UCXX_SIM_SEED=%llu\n",
               static_cast<unsigned long long>(current_seed));
}

void onCrash(int signal) {
  tellSeed();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

bool runOne(std::uint64_t seed) {
  current_seed = seed;
  Schedule schedule(seed);
  const auto& wrongs = schedule.run();
  killed += schedule.killed();
  if (wrongs.empty()) return true;
  ADD_FAILURE() << report(schedule, wrongs);
  return false;
}

TEST(ScheduleTest, EverySeedKeepsThePromises) {
  std::signal(SIGABRT, onCrash);
  std::signal(SIGSEGV, onCrash);
  if (std::getenv("UCXX_SIM_SEED") != nullptr) {
    runOne(numberIn("UCXX_SIM_SEED", 0));
    return;
  }
  const std::uint64_t first = numberIn("UCXX_SIM_FIRST", 1);
#if defined(__SANITIZE_THREAD__)
  constexpr std::uint64_t usual = 500;  // it is slow, and there is one thread
#else
  constexpr std::uint64_t usual = 10'000;
#endif
  const std::uint64_t count = numberIn("UCXX_SIM_SCHEDULES", usual);
  const std::uint64_t most = numberIn("UCXX_SIM_FAILURES", 5);
  std::uint64_t failed = 0, done = 0;
  const auto begin = std::chrono::steady_clock::now();
  while (done < count && failed < most) failed += runOne(first + done++) ? 0 : 1;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::printf("%llu schedules in %.1f s: %.0f a minute; %u processes killed in the middle\n",
              static_cast<unsigned long long>(done), took.count(),
              60.0 * static_cast<double>(done) / took.count(), killed);
  EXPECT_TRUE(done < 1000 || killed > done / 20);
}

}  // namespace
}  // namespace ucxx::sim

// AddressSanitizer calls it before it ends the process.
// NOLINTNEXTLINE(readability-identifier-naming): its name
extern "C" __attribute__((visibility("default"))) void __asan_on_error() { ucxx::sim::tellSeed(); }
