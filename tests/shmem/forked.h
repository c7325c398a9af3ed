// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdio>
#include <string>

#include <sys/resource.h>
#include <unistd.h>

#include "shmem/check.h"
#include "shmem/started.h"

// Children that a PE forks.

namespace ucxx::test {

/// Two ends that tell each other to go on.
class Baton {
 public:
  Baton() { CHECK_EQ(::pipe(ends_), 0); }
  ~Baton() {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  Baton(const Baton&) = delete;
  Baton& operator=(const Baton&) = delete;
  void give() const {
    if (::write(ends_[1], "x", 1) != 1) ::_exit(9);
  }
  void await() const {
    char byte = 0;
    if (::read(ends_[0], &byte, 1) != 1) ::_exit(9);
  }

 private:
  int ends_[2];
};

/// The child ends with what `child()` returns, unless it ends in there.
template <class Child>
pid_t forkChild(const Child& child) {
  std::fflush(nullptr);
  const pid_t pid = ::fork();
  CHECK(pid >= 0);
  if (pid == 0) ::_exit(child());
  return pid;
}

/// A process that is about to be killed by a signal leaves no core file.
inline void leaveNoCore() {
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
}

struct End {
  int status;
  std::string said;
};

/// Calls in a child, of which the standard error is caught.
template <class Call>
End endOf(const Call& call) {
  int ends[2];
  CHECK_EQ(::pipe(ends), 0);
  const pid_t pid = forkChild([&] {
    leaveNoCore();
    ::dup2(ends[1], STDERR_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
    call();
    return 0;
  });
  ::close(ends[1]);
  End end{0, {}};
  char text[500];
  for (ssize_t got; (got = ::read(ends[0], text, sizeof text)) > 0;)
    end.said.append(text, static_cast<std::size_t>(got));
  ::close(ends[0]);
  end.status = statusOf(pid);
  return end;
}

}  // namespace ucxx::test
