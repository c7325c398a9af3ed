// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include <ucxx/api.h>

#include "peers/kills/plan.h"

namespace ucxx::kills {

/// Nanoseconds of the machine's monotonic clock: the same in all processes.
inline std::int64_t now() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

/// Moves a worker in one of the modes, from a program that also listens to its control socket.
class Driver {
 public:
  Driver(std::shared_ptr<Worker> worker, int control_fd);
  /// Before and after runs: `Mode::Sleep`.
  void set(Mode mode);
  /// Sleeps for `limit` at most, if the mode sleeps and nothing moves. `awaited`: what the program
  /// would wait for, if it waits; null: nothing.
  void turn(std::chrono::microseconds limit, Request* awaited = nullptr);
  /// Whether the control socket is to be read; asks the kernel now and then only.
  bool hasControl();

 private:
  bool waitFor(int event_fd, std::chrono::microseconds limit);

  std::shared_ptr<Worker> worker_;
  const int control_fd_;
  Mode mode_ = Mode::Sleep;
  bool has_control_ = false;
  std::int64_t looked_at_ = 0;
};

}  // namespace ucxx::kills
