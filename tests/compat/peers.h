// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <ucxx/api.h>

namespace compat {

using Clock = std::chrono::steady_clock;
using Requests = std::vector<std::shared_ptr<ucxx::Request>>;
using Workers = std::vector<std::shared_ptr<ucxx::Worker>>;

constexpr std::chrono::seconds kDeadline{20};
/// True until it is over, for loops that progress by hand.
class Deadline {
 public:
  explicit operator bool() const { return Clock::now() < end_; }

 private:
  Clock::time_point end_ = Clock::now() + kDeadline;
};

inline std::shared_ptr<ucxx::Worker> makeWorker(const ucxx::WorkerOptions& options = {}) {
  return ucxx::createContext()->createWorker(options);
}

constexpr std::size_t kLarge = std::size_t{8} << 20;  ///< never eager

/// Progresses the workers that have no thread until `done`; false: not in time.
template <class Done>
[[nodiscard]] bool until(const Workers& workers, Done done) {
  const auto end = Clock::now() + kDeadline;
  while (!done()) {
    if (Clock::now() > end) return false;
    for (const auto& worker : workers) {
      if (worker->isProgressThreadRunning())
        std::this_thread::yield();
      else
        worker->progress();
    }
  }
  return true;
}

[[nodiscard]] inline bool ended(const Workers& workers, const Requests& requests) {
  return until(workers, [&] {
    for (const auto& request : requests)
      if (!request->isCompleted()) return false;
    return true;
  });
}

enum class Progress { Caller, PollingThread, BlockingThread };

inline void start(ucxx::Worker& worker, Progress progress) {
  if (progress != Progress::Caller) worker.startProgressThread(progress == Progress::PollingThread);
}

/// A worker with an endpoint to itself.
struct Self {
  explicit Self(Progress progress = Progress::Caller,
                std::uint64_t features = ucxx::Context::defaultFeatureFlags)
      : worker(ucxx::createContext({}, features)->createWorker()) {
    start(*worker, progress);
    endpoint = worker->createEndpointFromWorkerAddress(worker->getAddress());
  }
  bool wait(const Requests& requests) const { return ended({worker}, requests); }

  std::shared_ptr<ucxx::Worker> worker;
  std::shared_ptr<ucxx::Endpoint> endpoint;
};

/// Two workers of this process, connected through a listener over loopback.
struct Pair {
  explicit Pair(Progress progress = Progress::Caller, bool error_handling = true,
                std::uint64_t features = ucxx::Context::defaultFeatureFlags)
      : context(ucxx::createContext({}, features)),
        server_worker(context->createWorker()),
        client_worker(context->createWorker()),
        error_handling_(error_handling) {
    start(*server_worker, progress);
    start(*client_worker, progress);
    listener = server_worker->createListener(0, &Pair::accept, this);
    client =
        client_worker->createEndpointFromHostname("127.0.0.1", listener->getPort(), error_handling);
    EXPECT_TRUE(until([this] { return accepted_.load(); }));
  }

  Workers workers() const { return {server_worker, client_worker}; }
  template <class Done>
  bool until(Done done) const {
    return compat::until(workers(), done);
  }
  bool wait(const Requests& requests) const { return ended(workers(), requests); }

  std::shared_ptr<ucxx::Context> context;
  std::shared_ptr<ucxx::Worker> server_worker;
  std::shared_ptr<ucxx::Worker> client_worker;
  std::shared_ptr<ucxx::Listener> listener;
  std::shared_ptr<ucxx::Endpoint> server;
  std::shared_ptr<ucxx::Endpoint> client;

 private:
  static void accept(ucp_conn_request_h request, void* pair) {
    auto& self = *static_cast<Pair*>(pair);
    self.server = self.listener->createEndpointFromConnRequest(request, self.error_handling_);
    self.accepted_ = true;
  }

  bool error_handling_;
  std::atomic<bool> accepted_{false};
};

/// Bytes that no shift or zero passes for.
inline std::vector<std::uint8_t> pattern(std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i * 7 + (i >> 8) + 1);
  return bytes;
}

}  // namespace compat
