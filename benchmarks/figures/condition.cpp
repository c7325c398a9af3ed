// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// From the trigger of a host condition, in one thread, to the moment when the thread that moves the
// worker has started the armed send: its callback runs then, for 8 B to the own worker, or to
// another one of this process, end with their start. Beside a bare store that the other thread
// looks for. Both threads spin, on two processors.

#include <atomic>
#include <thread>

#include "figures.h"

namespace {

constexpr int kTimes = 20'000;
constexpr int kRepetitions = 9;
constexpr ucxx::Tag kTag{1};
constexpr auto kPause = std::chrono::microseconds(3);

std::int64_t now() { return figures::Clock::now().time_since_epoch().count(); }

double typical(std::vector<double> times) { return figures::middleOf(std::move(times))["median"]; }

/// For so long that the other thread looks again.
void pause() {
  for (const auto end = figures::Clock::now() + kPause; figures::Clock::now() < end;) {
  }
}

std::int64_t await(std::atomic<std::int64_t>& stamp) {
  std::int64_t value = 0;
  while ((value = stamp.load(std::memory_order_acquire)) == 0) {
  }
  stamp.store(0, std::memory_order_relaxed);
  return value;
}

/// Nanoseconds from a store to the time that the other thread tells who sees it.
double storeToLoad() {
  alignas(128) static std::atomic<int> flag;
  alignas(128) static std::atomic<std::int64_t> stamp;
  flag = 0;
  std::thread other([] {
    figures::pinTo(1);
    for (int i = 1; i <= kTimes; ++i) {
      while (flag.load(std::memory_order_acquire) != i) {
      }
      stamp.store(now(), std::memory_order_release);
    }
  });
  std::vector<double> times;
  for (int i = 1; i <= kTimes; ++i) {
    pause();
    const std::int64_t begin = now();
    flag.store(i, std::memory_order_release);
    times.push_back(static_cast<double>(await(stamp) - begin));
  }
  other.join();
  return typical(std::move(times));
}

struct Ends {
  std::shared_ptr<ucxx::Worker> sender, receiver;
  std::shared_ptr<ucxx::Endpoint> endpoint;
};

/// Of one-shot conditions: to the start, and of the call.
std::pair<double, double> triggerToStart(const Ends& ends) {
  alignas(128) std::atomic<std::int64_t> stamp{0};
  std::uint64_t out = 1, in = 0;
  std::vector<double> starts, calls;
  for (int i = 0; i < kTimes; ++i) {
    const auto condition = ucxx::Condition::host();
    const std::shared_ptr<ucxx::Request> sent =
        ends.endpoint->tagSendBuilder(&out, sizeof out, kTag)
            .callbackFunction([&](ucs_status_t, const std::shared_ptr<void>&) {
              stamp.store(now(), std::memory_order_release);
            })
            .condition(condition)
            .build();
    pause();  // it is armed
    const std::int64_t begin = now();
    condition.trigger();
    calls.push_back(static_cast<double>(now() - begin));
    starts.push_back(static_cast<double>(await(stamp) - begin));
    const auto received = ends.receiver->tagRecv(&in, sizeof in, kTag, ucxx::TagMaskFull);
    while (!received->isCompleted()) ends.receiver->progress();
    received->checkError();
    sent->checkError();
  }
  return {typical(std::move(starts)), typical(std::move(calls))};
}

/// Of one that repeats: to the time when the thread that has triggered sees the end.
double triggerToEnd(const Ends& ends) {
  std::uint64_t out = 1, in = 0;
  ucxx::ConditionOptions options;
  options.repeat = true;
  const auto condition = ucxx::Condition::host(options);
  const std::shared_ptr<ucxx::Request> sent =
      ends.endpoint->tagSendBuilder(&out, sizeof out, kTag).condition(condition).build();
  std::vector<double> times;
  for (std::uint64_t epoch = 1; epoch <= kTimes; ++epoch) {
    pause();
    const std::int64_t begin = now();
    condition.trigger();
    while (condition.epoch() != epoch) {
    }
    times.push_back(static_cast<double>(now() - begin));
    const auto received = ends.receiver->tagRecv(&in, sizeof in, kTag, ucxx::TagMaskFull);
    while (!received->isCompleted()) ends.receiver->progress();
    received->checkError();
  }
  condition.close();
  while (!sent->isCompleted()) {
  }
  return typical(std::move(times));
}

nlohmann::json figure() {
  figures::pinTo(0);
  const auto context = figures::makeContext();
  const auto worker = context->createWorker(), other = context->createWorker();
  const Ends self{worker, worker, worker->createEndpointFromWorkerAddress(worker->getAddress())};
  const Ends peer{worker, other, worker->createEndpointFromWorkerAddress(other->getAddress())};
  const auto hello = peer.endpoint->flush();
  figures::progressUntil(*worker, "the other worker", [&] {
    other->progress();
    return hello->isCompleted();
  });

  std::map<std::string, std::vector<double>> times;
  for (int i = 0; i < kRepetitions; ++i) {
    times["store_to_load_ns"].push_back(storeToLoad());
    worker->setProgressThreadStartCallback([](void*) { figures::pinTo(1); }, nullptr);
    worker->startProgressThread(ucxx::ProgressOptions{.mode = ucxx::ProgressMode::Polling});
    const auto [start, call] = triggerToStart(self);
    times["trigger_to_start_ns"].push_back(start);
    times["trigger_call_ns"].push_back(call);
    times["trigger_to_start_peer_ns"].push_back(triggerToStart(peer).first);
    times["trigger_to_end_ns"].push_back(triggerToEnd(self));
    worker->stopProgressThread();
  }
  nlohmann::json result;
  for (const auto& [name, values] : times) result[name] = figures::middleOf(values);
  return result;
}

}  // namespace

int main() { return figures::print(figure); }
