// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

#include "tools/perftest/control.h"

namespace ucxx::tools {

/// A program to start.
struct Command {
  std::string program;
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> environment;  ///< added to ours
  int inherited_fd = -1;  ///< stays open in the program, under its number
  bool capture = false;   ///< standard output and error are read by `finish`
};

/// A process of ours. Owner: who started it; it is killed and waited for with its owner, and killed
/// by the kernel when the thread that started it ends.
class Child {
 public:
  /// Throws `std::runtime_error` when there is no such program.
  explicit Child(const Command& command);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Waits for its end; what it wrote. Throws `std::runtime_error`, with what it wrote, when it
  /// fails or takes longer.
  std::string finish(std::chrono::seconds limit);
  bool isRunning();
  /// How it ended, for people; waits a moment for it.
  std::string end();
  pid_t pid() const noexcept { return pid_; }

 private:
  void readUntil(std::chrono::steady_clock::time_point deadline);
  void waitUntil(std::chrono::steady_clock::time_point deadline);

  std::string name_;
  Descriptor output_;
  std::string text_;
  pid_t pid_ = -1;
  bool ended_ = false;
  int status_ = 0;
};

/// Pins the calling thread, and what it starts from now on. Throws `std::runtime_error`.
void pinTo(int cpu);

}  // namespace ucxx::tools
