// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <sys/types.h>

namespace ucxx::core::test {

/// Another process of this very program, in a role of `roles.cpp`: a fresh one, because a process
/// that was only forked from a user of the library must not use it. Dies with the test.
class Process {
 public:
  /// `prefix`: words of a command that starts it, e.g. "ip netns exec x".
  explicit Process(std::vector<std::string> words, std::vector<std::string> prefix = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// What it wrote so far, while it takes no longer than `limit` for a next line. Empty: it ended.
  std::string line(std::chrono::milliseconds limit = std::chrono::seconds(20));
  /// One letter for its standard input.
  void tell(char command) const;
  void signal(int number) const;
  /// Its exit status, or 128 + the signal that killed it.
  int wait();
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
  int to_ = -1;
  int from_ = -1;
  bool ended_ = false;
  std::string text_;
};

/// What the other process does; its exit status.
int runRole(const std::vector<std::string>& words);

}  // namespace ucxx::core::test
