// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include <functional>
#include <string>

namespace stand_in {

/// While one of these lives, a thread or a stream waits. When it waits for longer than
/// Options::watchdog, everything that waits is told, and the process ends with `kHung`.
class Waiting {
 public:
  using Describe = std::function<std::string()>;

  explicit Waiting(Describe describe);
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  ~Waiting();

 private:
  void* place_;
};

inline constexpr int kHung = 124;  // exit status

/// Who the calling thread is, in words.
std::string nameOfThread();

}  // namespace stand_in
