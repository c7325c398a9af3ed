// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include <ucxx/api.h>

#include "compat/peers.h"

namespace ucxx::core::test {

using compat::Clock;
using compat::makeWorker;
using compat::Requests;
using compat::Workers;

/// What `call` throws says.
template <class Call>
std::string messageOf(Call call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no exception";
}

/// How two endpoints of a test meet.
enum class Route { Self, Listener, Address };
/// Who moves their workers.
enum class Mode { Caller, Event, Polling, Blocking, Adaptive, Delayed };

inline constexpr Route kRoutes[] = {Route::Self, Route::Listener, Route::Address};
inline constexpr Mode kModes[] = {Mode::Caller,   Mode::Event,    Mode::Polling,
                                  Mode::Blocking, Mode::Adaptive, Mode::Delayed};

inline std::string nameOf(Route route) {
  const char* names[] = {"Self", "Listener", "Address"};
  return names[static_cast<int>(route)];
}
inline std::string nameOf(Mode mode) {
  const char* names[] = {"Caller",         "Event",          "PollingThread",
                         "BlockingThread", "AdaptiveThread", "Delayed"};
  return names[static_cast<int>(mode)];
}

/// Whether `done` comes true in time while somebody else moves the workers. What was true once is
/// not asked again: a thread that was seen asleep may wake.
template <class Done>
[[nodiscard]] bool in(Clock::duration limit, Done done) {
  const auto end = Clock::now() + limit;
  while (!done()) {
    if (Clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

/// A program's own thread that moves a worker by `progressWorkerEvent`.
class EventThread {
 public:
  explicit EventThread(std::shared_ptr<Worker> worker) : worker_(std::move(worker)) {
    worker_->initBlockingProgressMode();
    thread_ = std::thread([this] {
      while (!stopping_) worker_->progressWorkerEvent(-1);
    });
  }
  ~EventThread() {
    stopping_ = true;
    worker_->signal();
    thread_.join();
  }
  EventThread(const EventThread&) = delete;
  EventThread& operator=(const EventThread&) = delete;

 private:
  std::shared_ptr<Worker> worker_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

/// A thread of which is known whether it sleeps in the kernel.
class WatchedThread {
 public:
  template <class Work>
  explicit WatchedThread(Work work)
      : thread_([this, work] {
          id_ = ::gettid();
          work();
        }) {}
  ~WatchedThread() { thread_.join(); }
  WatchedThread(const WatchedThread&) = delete;
  WatchedThread& operator=(const WatchedThread&) = delete;

  bool isAsleep() const {
    if (id_ == 0) return false;
    std::ifstream file("/proc/self/task/" + std::to_string(id_) + "/stat");
    std::string line;
    std::getline(file, line);
    const auto name_end = line.rfind(')');
    return name_end != std::string::npos && line.compare(name_end, 3, ") S") == 0;
  }
  [[nodiscard]] bool fallsAsleep() const {
    return in(compat::kDeadline, [this] { return isAsleep(); });
  }

 private:
  std::atomic<pid_t> id_{0};
  std::thread thread_;
};

/// What is announced stays with its sender until a receive has matched it.
inline WorkerOptions withoutFetchAhead() {
  WorkerOptions options;
  options.fetch_ahead_bytes = 0;
  return options;
}

/// Two endpoints of one pair, on workers that move as `mode` says. With `Route::Self` both are one.
class Ends {
 public:
  explicit Ends(Route route, Mode mode = Mode::Caller, WorkerOptions options = {},
                ConfigMap config = {})
      : mode_(mode), context(createContext(std::move(config))) {
    options.delayed_submission = mode == Mode::Delayed;
    left_worker = context->createWorker(options);
    right_worker = route == Route::Self ? left_worker : context->createWorker(options);
    start(left_worker);
    if (right_worker != left_worker) start(right_worker);
    meet(route);
  }

  Workers workers() const { return {left_worker, right_worker}; }
  template <class Done>
  [[nodiscard]] bool until(Done done) const {
    return mode_ == Mode::Event ? in(compat::kDeadline, done) : compat::until(workers(), done);
  }
  [[nodiscard]] bool ended(const Requests& requests) const {
    return until([&] {
      for (const auto& request : requests)
        if (!request->isCompleted()) return false;
      return true;
    });
  }
  /// Sees every message that was sent before on `from`: what is unexpected has come.
  [[nodiscard]] bool arrived(const std::shared_ptr<Worker>& at, Tag tag) const {
    return until([&] { return at->tagProbe(tag)->isMatched(); });
  }
  bool isSelf() const { return left_worker == right_worker; }
  /// Both are on the local channel.
  bool isLocal() const { return left->getTransports().front().transport == "local"; }
  /// The workers end, unless a request keeps them: before the buffers of what is still pending do.
  void leave() {
    left = right = nullptr;
    listener = nullptr;
    left_worker = right_worker = nullptr;
  }

 private:
  Mode mode_;

 public:
  std::shared_ptr<Context> context;
  std::shared_ptr<Worker> left_worker, right_worker;
  std::shared_ptr<Listener> listener;
  std::shared_ptr<Endpoint> left, right;

 private:
  void start(const std::shared_ptr<Worker>& worker) {
    switch (mode_) {
      case Mode::Caller:
        return;
      case Mode::Event:
        threads_.push_back(std::make_unique<EventThread>(worker));
        return;
      case Mode::Polling:
        return worker->startProgressThread({ProgressMode::Polling, {}});
      case Mode::Blocking:
        return worker->startProgressThread({ProgressMode::Blocking, {}});
      case Mode::Adaptive:
      case Mode::Delayed:
        return worker->startProgressThread(ProgressOptions{});
    }
  }
  void meet(Route route) {
    if (route == Route::Listener) return meetAtListener();
    left = left_worker->createEndpointFromWorkerAddress(right_worker->getAddress());
    right = route == Route::Self
                ? left
                : right_worker->createEndpointFromWorkerAddress(left_worker->getAddress());
    // An endpoint that closes before it is connected never was there for the peer.
    EXPECT_TRUE(route == Route::Self || until([&] {
                  return !left->getPeerAddress().empty() && !right->getPeerAddress().empty();
                }));
  }
  void meetAtListener() {
    listener = right_worker->createListener(0, &Ends::onRequest, this, "127.0.0.1");
    left = left_worker->createEndpointFromHostname("127.0.0.1", listener->getPort());
    EXPECT_TRUE(until([&] { return accepted_.load(); }));
  }
  static void onRequest(ucp_conn_request_h request, void* self) {
    auto& ends = *static_cast<Ends*>(self);
    ends.right = ends.listener->createEndpointFromConnRequest(request);
    ends.accepted_ = true;
  }

  std::atomic<bool> accepted_{false};
  std::vector<std::unique_ptr<EventThread>> threads_;
};

/// `size` bytes that no shift, zero or other `seed` passes for.
inline std::vector<std::byte> bytes(std::size_t size, unsigned seed = 1) {
  std::vector<std::byte> result(size);
  std::uint64_t value = seed * 0x9e3779b97f4a7c15u;
  for (std::size_t at = 0; at < size; at += sizeof value) {  // words: sanitizers see each write
    value = value * 6364136223846793005u + 1442695040888963407u;
    const std::uint64_t word = value ^ value >> 33;
    std::memcpy(&result[at], &word, std::min(sizeof word, size - at));
  }
  return result;
}

/// Each protocol of the links by the size of a message that takes it.
struct Protocol {
  const char* name;
  std::size_t size;
};
/// Short enough to be sent, on every channel and with every move, before there is a receive ...
inline constexpr std::size_t kAtOnceBytes = 16 << 10;
/// ... and too long for anything but a rendezvous.
inline constexpr std::size_t kAnnouncedBytes = 5 << 20;
inline constexpr Protocol kProtocols[] = {
    {"Eager", 1000}, {"Fragments", 50000}, {"Announced", kAnnouncedBytes}};

inline std::size_t entriesOf(const char* directory) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& one : std::filesystem::directory_iterator(directory)) ++count;
  return count;
}
/// With that of the library's memory, which stays, whether the process has needed any yet or not.
inline std::size_t openDescriptors() {
  static const HostBuffer first(1 << 20);
  return entriesOf("/proc/self/fd");
}
/// With that of ThreadSanitizer, which comes with the first other one and stays.
inline std::size_t runningThreads() {
  [[maybe_unused]] static const bool has_begun = (std::thread([] {}).join(), true);
  return entriesOf("/proc/self/task");
}

}  // namespace ucxx::core::test
