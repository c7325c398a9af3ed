// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// The processor time of two connected workers that have nothing to do, in the modes that can sleep.

#include <atomic>
#include <thread>

#include <sys/resource.h>

#include "figures.h"

namespace {

constexpr ucxx::Tag kTag{1};
constexpr auto kWindow = std::chrono::milliseconds(1000);
constexpr int kRepetitions = 5;

double processorSeconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Percent of a core, both workers together, while `idle` runs.
template <class Idle>
nlohmann::json measured(Idle idle) {
  std::vector<double> percents;
  for (int i = 0; i < kRepetitions; ++i) {
    const double before = processorSeconds();
    const auto start = figures::Clock::now();
    idle();
    percents.push_back((processorSeconds() - before) / figures::nanosecondsSince(start) * 1e11);
  }
  return figures::middleOf(percents);
}

struct Pair {
  Pair() {
    const auto context = figures::makeContext();
    one = context->createWorker();
    other = context->createWorker();
    out = one->createEndpointFromWorkerAddress(other->getAddress());
    in = other->createEndpointFromWorkerAddress(one->getAddress());
    char sent = 1, came = 0;
    const auto receive = in->tagRecv(&came, 1, kTag);
    const auto send = out->tagSend(&sent, 1, kTag);
    figures::progressUntil(*one, "a message", [&] {
      other->progress();
      return receive->isCompleted() && send->isCompleted();
    });
  }
  std::shared_ptr<ucxx::Worker> one, other;
  std::shared_ptr<ucxx::Endpoint> out, in;
};

nlohmann::json withThreads(ucxx::ProgressMode mode) {
  const Pair pair;
  pair.one->startProgressThread(ucxx::ProgressOptions{.mode = mode});
  pair.other->startProgressThread(ucxx::ProgressOptions{.mode = mode});
  auto result = measured([] { std::this_thread::sleep_for(kWindow); });
  pair.one->stopProgressThread();
  pair.other->stopProgressThread();
  return result;
}

/// Both sleep by themselves, in progressWorkerEvent.
nlohmann::json blocking() {
  const Pair pair;
  pair.one->initBlockingProgressMode();
  pair.other->initBlockingProgressMode();
  const auto sleep_until_end = [](ucxx::Worker& worker) {
    const auto end = figures::Clock::now() + kWindow;
    while (figures::Clock::now() < end)
      worker.progressWorkerEvent(static_cast<int>(
          std::chrono::ceil<std::chrono::milliseconds>(end - figures::Clock::now()).count()));
  };
  return measured([&] {
    std::thread beside([&] { sleep_until_end(*pair.other); });
    sleep_until_end(*pair.one);
    beside.join();
  });
}

nlohmann::json figure() {
  return {{"thread_adaptive_percent", withThreads(ucxx::ProgressMode::Adaptive)},
          {"thread_blocking_percent", withThreads(ucxx::ProgressMode::Blocking)},
          {"blocking_percent", blocking()}};
}

}  // namespace

int main() { return figures::print(figure); }
