// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What a worker costs that talks to itself: the matcher, the request and a copy, no transport.

#include <cstdint>
#include <memory>

#include <benchmark/benchmark.h>

#include <ucxx/api.h>

namespace {

constexpr ucxx::Tag kTag{1};

/// A worker and its endpoint to itself.
struct Self {
  explicit Self(bool single_thread) {
    ucxx::WorkerOptions options;
    options.single_thread = single_thread;
    worker = ucxx::createContext({{"TLS", "tcp"}, {"NET_DEVICES", "lo"}})->createWorker(options);
    endpoint = worker->createEndpointFromWorkerAddress(worker->getAddress());
  }
  std::shared_ptr<ucxx::Worker> worker;
  std::shared_ptr<ucxx::Endpoint> endpoint;
};

void checkDone(benchmark::State& state, const ucxx::Request& sent, const ucxx::Request& came) {
  if (!sent.isCompleted() || !came.isCompleted()) state.SkipWithError("not completed inline");
}

/// The receive waits for the message.
void expectedPair(benchmark::State& state, bool single_thread) {
  const Self self(single_thread);
  std::uint64_t out = 42, in = 0;
  for (auto _ : state) {
    const auto came = self.endpoint->tagRecv(&in, sizeof in, kTag);
    const auto sent = self.endpoint->tagSend(&out, sizeof out, kTag);
    checkDone(state, *sent, *came);
  }
  if (in != out) state.SkipWithError("what came is not what was sent");
}

/// The message waits for the receive, and is copied once more.
void unexpectedPair(benchmark::State& state, bool single_thread) {
  const Self self(single_thread);
  std::uint64_t out = 42, in = 0;
  for (auto _ : state) {
    const auto sent = self.endpoint->tagSend(&out, sizeof out, kTag);
    const auto came = self.endpoint->tagRecv(&in, sizeof in, kTag);
    checkDone(state, *sent, *came);
  }
  if (in != out) state.SkipWithError("what came is not what was sent");
}

void idleProgress(benchmark::State& state, bool single_thread) {
  const Self self(single_thread);
  for (auto _ : state) benchmark::DoNotOptimize(self.worker->progress());
}

BENCHMARK_CAPTURE(expectedPair, any_thread, false);
BENCHMARK_CAPTURE(expectedPair, single_thread, true);
BENCHMARK_CAPTURE(unexpectedPair, any_thread, false);
BENCHMARK_CAPTURE(unexpectedPair, single_thread, true);
BENCHMARK_CAPTURE(idleProgress, any_thread, false);
BENCHMARK_CAPTURE(idleProgress, single_thread, true);

}  // namespace
