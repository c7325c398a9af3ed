// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <string>

#include <ucxx/api.h>

#include "tools/dump_signal.h"
#include "tools/perftest/control.h"
#include "tools/perftest/cuda_memory.h"
#include "tools/perftest/options.h"

namespace ucxx::tools {

/// One side of the measured pair: a worker, an endpoint to the other side, and how to wait.
class Session {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::time_point kNever = Clock::time_point::max();

  /// `control`: the process at its other end is looked after while something is waited for; null:
  /// another thread does. `stopping`: every wait ends with an error. `cuda`: null where the options
  /// name host memory only. Belongs to the thread that makes it.
  Session(const Options& options, Control* control, const std::atomic<bool>& stopping,
          std::shared_ptr<const Cuda> cuda);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// The worker's address, as hexadecimal digits.
  std::string address() const;
  void connect(const std::string& address);
  Endpoint& endpoint() const noexcept { return *endpoint_; }
  std::string describeTransports() const;
  MemoryKinds memory() const noexcept { return memory_; }
  const std::shared_ptr<const Cuda>& cuda() const noexcept { return cuda_; }

  /// Waits, in the way that is measured, until `request` has ended. Throws what it ended with,
  /// `PeerGone` when the other process ended, `std::runtime_error` when nothing came for long.
  void wait(const Request& request);
  /// Polls until `done()`, of which no request knows. Throws as `wait` does.
  void poll(const std::function<bool()>& done);
  /// Memory for the other side to reach.
  std::shared_ptr<MemoryHandle> createMemory(std::size_t size_bytes) const;
  /// Sleeps until the other side says what comes next; the worker goes on working meanwhile.
  nlohmann::json receive(std::chrono::milliseconds limit);
  /// The same, until `fd` is readable. False: it was not before `deadline`.
  bool awaitReadable(int fd, Clock::time_point deadline);
  /// Closes the endpoint. What was under way has ended then, and touches its buffers no more.
  void abandon() noexcept;

 private:
  class Watch;

  void pollUntilEnded(const Request& request);
  void sleepUntilEnded(const Request& request);
  void progressUntilQuiet();
  void setUpCuda();

  Control* const control_;
  const std::atomic<bool>& stopping_;
  const Progress progress_;
  const std::chrono::seconds timeout_;
  const MemoryKinds memory_;
  const std::shared_ptr<const Cuda> cuda_;
  std::shared_ptr<Context> context_;
  std::shared_ptr<Worker> worker_;
  DumpsOf dumps_;
  std::shared_ptr<Endpoint> endpoint_;
};

/// Stands after buffers of its scope: an error that leaves the scope first ends what uses them.
class EndsAtError {
 public:
  explicit EndsAtError(Session& session) noexcept : session_(session) {}
  ~EndsAtError() {
    if (std::uncaught_exceptions() > before_) session_.abandon();
  }
  EndsAtError(const EndsAtError&) = delete;
  EndsAtError& operator=(const EndsAtError&) = delete;

 private:
  Session& session_;
  const int before_ = std::uncaught_exceptions();
};

}  // namespace ucxx::tools
