// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <functional>
#include <optional>

#include <sys/types.h>

namespace ucxx::door::test {

/// A user who is nobody on each system.
inline constexpr uid_t kNobody = 65534;

/// A forked child. What it does must be plain system calls: it may not use the library.
class Child {
 public:
  /// Runs `work`, which may `say` something, and exits with its result.
  explicit Child(const std::function<int(const Child& self)>& work);
  /// Kills it.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// In the child: the parent's `hasSpoken` is true once.
  void say() const;
  bool hasSpoken() const;
  void kill();
  /// What it exited with; nothing while it runs.
  std::optional<int> result();

 private:
  pid_t pid_ = -1;
  int pipe_[2] = {-1, -1};
  std::optional<int> result_;
};

}  // namespace ucxx::door::test
