// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A word of the GPU, a bare thread that answers, a wait of the GPU: the least that a transfer which
// a stream starts and waits for can cost.

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "gpu/groups.h"
#include "gpu/operations.h"
#include "gpu/report.h"
#include "gpu/responder.h"
#include "gpu/setting.h"
#include "gpu/step.h"

namespace gpu {
namespace {

constexpr std::size_t kTrips = 100;  // enqueued at once: far from a full launch queue
constexpr int kSeries = 7;
constexpr std::size_t kFirst = 5;  // of a series, not counted
constexpr std::size_t kGate = 0, kOut = 1, kBack = 2;

/// Enqueues trip k.
using Trip = std::function<Result(const Words&, Stream, std::uint64_t k)>;

/// All trips are enqueued behind a gate, so that no call is waited for. Whatever hangs in the
/// driver meanwhile waits for that gate.
void tellSeries(const std::string& name, const Trip& trip) {
  std::vector<double> medians, calls;
  for (int series = 0; series < kSeries; ++series) {
    const Words words;
    const Stream stream = makeStream();
    const Echo echo(words, kOut, kBack, kTrips);
    at("the gate");
    must("cuStreamWaitValue64", driver().waitValue64(stream, words.at(kGate), 1, kGreaterOrEqual));
    at("the calls that enqueue");
    Result result = kSuccess;
    calls.push_back(timed([&] {
                      for (std::uint64_t k = 1; k <= kTrips && result == kSuccess; ++k)
                        result = trip(words, stream, k);
                    }) /
                    kTrips);
    at("the trips");
    words[kGate] = 1;
    if (!check(name, result) || !drains(name.c_str(), stream)) {
      words[kBack] = kTrips;  // lets it go on
      return;
    }
    if (!expect(name, echo.seen() == kTrips, "a number was not seen")) return;
    std::vector<double> all = echo.intervals(kFirst);
    std::sort(all.begin(), all.end());
    medians.push_back(all[all.size() / 2]);
  }
  times(name + ": a round trip", medians, "us");
  times(name + ": the calls that enqueue it", calls, "us");
}

void tellTrips(const std::string& name, const Trip& trip) {
  step(name, [&] { tellSeries(name, trip); });
}

/// One kernel that stays: no launch at all.
void tellKernelThatStays() {
  const Words words;
  const Stream stream = makeStream();
  const Echo echo(words, kOut, kBack, kTrips * 10);
  launch("ping_pong", stream, {words.at(kOut), words.at(kBack), kTrips * 10});
  if (!drains("a kernel that stays", stream)) return;
  times("a kernel that stays: a round trip", echo.intervals(kFirst), "us");
}

/// One at a time, the stream idle before: what the first post of a stream pays.
void tellFromIdle() {
  const Words words;
  const Stream stream = makeStream();
  std::vector<double> samples, written;
  for (std::uint64_t k = 1; k <= kTrips; ++k) {
    const double begin = microseconds();
    must("cuStreamWriteValue64", driver().writeValue64(stream, words.at(kOut), k, 0));
    if (!eventually([&] { return words[kOut] == k; })) return error("idle stream", "no write");
    written.push_back(microseconds() - begin);
    if (!drains("idle stream", stream)) return;
    samples.push_back(microseconds() - begin);
  }
  times("idle stream: call to word seen", written, "us");
  times("idle stream: call to cuStreamQuery", samples, "us");
}

}  // namespace

void tellRoundTrip() {
  useDevice();
  warmKernels();
  tellTrips("write and wait", [](const Words& words, Stream stream, std::uint64_t k) {
    const Result result = driver().writeValue64(stream, words.at(kOut), k, 0);
    return result != kSuccess ? result
                              : driver().waitValue64(stream, words.at(kBack), k, kGreaterOrEqual);
  });
  tellTrips("write and wait in one batch", [](const Words& words, Stream stream, std::uint64_t k) {
    return enqueue(stream, {write(words, kOut, k), wait(words, kBack, k)});
  });
  tellTrips("two kernels of one thread", [](const Words& words, Stream stream, std::uint64_t k) {
    launch("write_word", stream, {words.at(kOut), k});
    launch("wait_word", stream, {words.at(kBack), k});
    return kSuccess;
  });
  tellTrips("kernel, write, wait", [](const Words& words, Stream stream, std::uint64_t k) {
    launch("write_word", stream, {words.at(5), k});
    return enqueue(stream, {write(words, kOut, k), wait(words, kBack, k)});
  });
  step("a kernel that stays", tellKernelThatStays);
  step("idle stream", tellFromIdle);
}

}  // namespace gpu
