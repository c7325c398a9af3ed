// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What it costs to enqueue one thing more, in the calling thread and in the stream.

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "gpu/groups.h"
#include "gpu/operations.h"
#include "gpu/report.h"
#include "gpu/setting.h"
#include "gpu/step.h"

namespace gpu {
namespace {

constexpr std::size_t kCount = 100;
constexpr int kRepeats = 9;

/// Enqueues one.
using One = std::function<Result(const Words&, Stream)>;

/// `count` of them behind a gate: the time of the calls; then the time from the gate to the last.
/// One goes before: what is made at the first use waits for streams that wait.
void tellCostBehindGate(const std::string& name, const One& one, std::size_t count) {
  const Words words;
  const Stream stream = makeStream();
  std::vector<double> calls, runs;
  at("the first one");
  if (!check(name, one(words, stream)) || !drains(name.c_str(), stream)) return;
  for (std::uint64_t repeat = 1; repeat <= kRepeats; ++repeat) {
    Result result = kSuccess;
    at("the calls behind the gate");
    must("the gate", driver().waitValue64(stream, words.at(0), repeat, kGreaterOrEqual));
    calls.push_back(timed([&] {
                      for (std::size_t k = 0; k < count && result == kSuccess; ++k)
                        result = one(words, stream);
                    }) /
                    static_cast<double>(count));
    must("the end", driver().writeValue64(stream, words.at(1), repeat, 0));
    at("the run");
    const double begin = microseconds();
    words[0] = repeat;
    const bool came = eventually([&] { return words[1] == repeat; });
    runs.push_back((microseconds() - begin) / static_cast<double>(count));
    if (!check(name, result) || !expect(name, came, "it hangs")) return;
  }
  times(name + ": the call", calls, "us");
  times(name + ": in the stream", runs, "us");
}

void tellCost(const std::string& name, const One& one, std::size_t count = kCount) {
  step(name, [&] { tellCostBehindGate(name, one, count); });
}

/// From the call to what the processor sees of it, the GPU idle before.
void tellLatencyOf(const std::string& name, const std::function<void(Stream, std::uint64_t)>& go,
                   const std::function<bool(Stream, std::uint64_t)>& is_seen) {
  const Stream stream = makeStream();
  std::vector<double> samples;
  for (std::uint64_t k = 1; k <= kCount; ++k) {
    const double begin = microseconds();
    go(stream, k);
    if (!expect(name, eventually([&] { return is_seen(stream, k); }), "it is never seen")) return;
    if (k > 5) samples.push_back(microseconds() - begin);
    drains(name.c_str(), stream);
  }
  times(name, samples, "us");
}

void tellLatency(const std::string& name, const std::function<void(Stream, std::uint64_t)>& go,
                 const std::function<bool(Stream, std::uint64_t)>& is_seen) {
  step(name, [&] { tellLatencyOf(name, go, is_seen); });
}

void tellLatencies() {
  const Words words;
  const auto is_written = [&](Stream, std::uint64_t k) { return words[1] == k; };
  const auto kernel = [&](Stream stream, std::uint64_t k) {
    launch("write_word", stream, {words.at(2), k});
  };
  tellLatency(
      "idle: kernel, then write, to word seen",
      [&](Stream stream, std::uint64_t k) {
        kernel(stream, k);
        must("write", driver().writeValue64(stream, words.at(1), k, 0));
      },
      is_written);
  tellLatency(
      "idle: kernel that writes, to word seen",
      [&](Stream stream, std::uint64_t k) {
        launch("write_word", stream, {words.at(1), k});
      },
      [&](Stream, std::uint64_t k) { return words[1] == k; });
  tellLatency("idle: kernel, to the end of cuStreamSynchronize", kernel,
              [](Stream stream, std::uint64_t) { return driver().synchronizeStream(stream) == 0; });
  tellLatency("idle: kernel, to cuStreamQuery", kernel,
              [](Stream stream, std::uint64_t) { return driver().queryStream(stream) == 0; });
  static std::atomic<std::uint64_t> calls{0};
  tellLatency(
      "idle: host function, to its call",
      [](Stream stream, std::uint64_t) {
        must("host", driver().launchHost(
                         stream, [](void*) { ++calls; }, nullptr));
      },
      [](Stream, std::uint64_t k) { return calls >= k; });
}

}  // namespace

void tellCosts() {
  useDevice();
  warmKernels();
  static Event event = nullptr;
  static Address device = 0;
  static void* pinned = nullptr;
  check("cuEventCreate", driver().createEvent(&event, 2));
  check("cuMemAlloc", driver().allocate(&device, 4096));
  check("cuMemHostAlloc", driver().allocateHost(&pinned, 4096, kPortable));
  tellCost("write", [](const Words& words, Stream stream) {
    return driver().writeValue64(stream, words.at(2), 1, 0);
  });
  tellCost("wait that is over", [](const Words& words, Stream stream) {
    return driver().waitValue64(stream, words.at(2), 0, kGreaterOrEqual);
  });
  for (const std::size_t count : {1u, 2u, 3u, 10u, 100u})
    tellCost(
        "batch of " + std::to_string(count) + " writes",
        [count](const Words& words, Stream stream) {
          return enqueue(stream, Operations(count, write(words, 2, 1)));
        },
        kCount / count);  // a full queue would wait for the gate
  tellCost("credit handshake in one batch", [](const Words& words, Stream stream) {
    return enqueue(stream, {waitEqual(words, 2, 0), write(words, 3, 0), write(words, 4, 1)});
  });
  tellCost("kernel of one thread", [](const Words& words, Stream stream) {
    launch("write_word", stream, {words.at(2), 1});
    return kSuccess;
  });
  tellCost("event",
           [](const Words&, Stream stream) { return driver().recordEvent(event, stream); });
  tellCost("host function", [](const Words&, Stream stream) {
    return driver().launchHost(
        stream, [](void*) {}, nullptr);
  });
  tellCost("copy of 8 bytes to the host", [](const Words&, Stream stream) {
    return driver().copyOutAsync(pinned, device, 8, stream);
  });
  tellCost("copy of 8 bytes to the device", [](const Words&, Stream stream) {
    return driver().copyInAsync(device, pinned, 8, stream);
  });
  tellLatencies();
}

}  // namespace gpu
