// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// ucxx_kills: see tests/README.md.

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "peers/kills/baseline.h"
#include "peers/kills/driver.h"
#include "peers/kills/orchestrator.h"
#include "peers/kills/phases.h"
#include "peers/kills/steps.h"
#include "peers/kills/survivor.h"
#include "peers/kills/victim.h"
#include "peers/kills/witness.h"

namespace ucxx::kills {

using peers::sharedMemoryFiles;

namespace {

constexpr std::int64_t kTellEvery = 5'000'000'000;

volatile std::sig_atomic_t is_interrupted = 0;

/// A process of this role is to end at its start, to see that it is told.
bool isToEnd(const char* variable, const std::string& role) {
  const char* const ending = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe)
  return ending != nullptr && role == ending;
}

/// Keeps a core busy, until it is killed.
[[noreturn]] void compute() {
  for (volatile unsigned count = 0;;) count = count + 1;
}

int play(const Options& options) {
  if (options.role == "busy") compute();
  if (isToEnd("UCXX_TEST_DIES", options.role)) ::raise(SIGKILL);
  for (const int number : {SIGPIPE, SIGINT, SIGTERM}) ::signal(number, SIG_IGN);
  tools::Control control{tools::Descriptor(options.control_fd)};
  watchSteps(options.role);
  try {
    if (isToEnd("UCXX_TEST_FAILS", options.role)) throw std::runtime_error("it is told to fail");
    if (options.role == "survivor") return runSurvivor(control);
    if (options.role == "witness") return runWitness(control);
    if (options.role == "victim") return runVictim(control);
  } catch (const tools::PeerGone&) {
    // The orchestrator has what it wanted.
  } catch (const std::exception& error) {
    control.send({{"error", fmt::format("{}: {}", options.role, error.what())}});
  }
  return 1;
}

/// Of victim and survivor.
std::string modesOf(const Result& result) {
  return fmt::format("{} to {}", kModes[static_cast<int>(result.plan.victim_mode)],
                     kModes[static_cast<int>(result.plan.survivor_mode)]);
}

void tell(const Options& options, const Result& result) {
  if (options.verbose)
    fmt::print("run {:>5} {:<15} {:>8} {:<9} {:<18}{} {}: {:>7.2f} ms, {:>6} messages by {}: {}\n",
               result.plan.run, protocols()[result.plan.protocol].name, result.plan.size,
               kFaults[static_cast<int>(result.plan.fault)], nameOf(result.plan.phase),
               result.is_at_phase ? "" : " (random)", modesOf(result), result.detectionMs(),
               result.count, result.transports, result.outcome);
  if (!result.isOk())
    fmt::print("FAILED {}\n{}: {}\n", replayWords(options, result), result.outcome, result.detail);
  std::fflush(stdout);
}

std::vector<Result> runAll(const Options& options, Orchestrator& orchestrator) {
  std::vector<Result> results;
  const std::int64_t begin = now();
  std::int64_t told = begin;
  std::size_t failures = 0;
  const std::uint64_t first = options.only.value_or(0);
  const std::uint64_t end = options.only ? first + 1 : options.runs;
  for (std::uint64_t run = first; run < end && is_interrupted == 0; ++run) {
    results.push_back(orchestrator.run(planFor(options.seed, run, options.filter)));
    tell(options, results.back());
    failures += !results.back().isOk();
    if (now() - told < kTellEvery) continue;
    told = now();
    fmt::print(stderr, "{} of {}, {} failed, {:.1f} a second\n", results.size(), options.runs,
               failures,
               static_cast<double>(results.size()) * 1e9 / static_cast<double>(told - begin));
  }
  return results;
}

/// A baseline over anything else would say nothing.
bool usesSharedMemory(const std::vector<Result>& results) {
  return std::all_of(results.begin(), results.end(), [](const Result& result) {
    return result.transports.empty() || result.transports.find("posix") != std::string::npos;
  });
}

int orchestrate(const Options& options) {
  ::signal(SIGPIPE, SIG_IGN);
  for (const int number : {SIGINT, SIGTERM})  // then the sums of what there is
    ::signal(number, [](int) { is_interrupted = 1; });
  fmt::print("ucxx_kills{} --seed {} --runs {}\n", options.filter_words, options.seed,
             options.runs);
  std::fflush(stdout);
  const std::size_t files = sharedMemoryFiles();
  Orchestrator orchestrator(options);
  const std::vector<Result> results = runAll(options, orchestrator);
  fmt::print("{}", report(options, results));
  if (!options.json.empty()) std::ofstream(options.json) << toJson(options, results) << '\n';
  if (options.channel != Channel::UcxShm) orchestrator.finish();
  const std::size_t left = sharedMemoryFiles();
  if (left > files) fmt::print("{} files more in /dev/shm\n", left - files);
  if (options.channel == Channel::UcxShm) {  // is to be compared with, not to be good
    if (!usesSharedMemory(results)) fmt::print("UCX has not used its shared memory\n");
    return usesSharedMemory(results) ? 0 : 1;
  }
  const auto unreached = unreachedPhases(results);
  for (const std::string_view phase : unreached) fmt::print("{}: never reached\n", phase);
  const bool all_ok = std::all_of(results.begin(), results.end(),
                                  [](const Result& result) { return result.isOk(); });
  return all_ok && unreached.empty() && left <= files ? 0 : 1;
}

}  // namespace
}  // namespace ucxx::kills

int main(int argc, char** argv) {
  using namespace ucxx::kills;
  try {
    const auto options = parseOptions(argc, argv);
    if (!options) return 0;
    return options->role.empty() ? orchestrate(*options) : play(*options);
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "ucxx_kills: {}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "ucxx_kills: {}\n", error.what());
    return 1;
  }
}
