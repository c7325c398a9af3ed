// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace ucxx::door::test {

/// Takes all descriptors up to a low limit; gives them back at the end.
class Drought {
 public:
  Drought() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    rlimit low = before_;
    low.rlim_cur = 256;
    ::setrlimit(RLIMIT_NOFILE, &low);
    for (int fd = 0; (fd = ::open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0;) taken_.push_back(fd);
  }
  ~Drought() {
    for (const int fd : taken_) ::close(fd);
    ::setrlimit(RLIMIT_NOFILE, &before_);
  }
  /// Gives so many back now.
  void giveBack(int count) {
    for (; count != 0; --count) ::close(taken_.back()), taken_.pop_back();
  }
  Drought(const Drought&) = delete;
  Drought& operator=(const Drought&) = delete;

 private:
  rlimit before_{};
  std::vector<int> taken_;
};

}  // namespace ucxx::door::test
