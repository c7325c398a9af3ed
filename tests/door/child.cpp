// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "door/child.h"

#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ucxx::door::test {

Child::Child(const std::function<int(const Child&)>& work) {
  EXPECT_EQ(::pipe2(pipe_, O_CLOEXEC | O_NONBLOCK), 0);
  pid_ = ::fork();
  if (pid_ != 0) return;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::_exit(work(*this));
}

Child::~Child() {
  kill();
  ::close(pipe_[0]);
  ::close(pipe_[1]);
}

void Child::say() const { EXPECT_EQ(::write(pipe_[1], "!", 1), 1); }

bool Child::hasSpoken() const {
  char byte = 0;
  return ::read(pipe_[0], &byte, 1) == 1;
}

void Child::kill() {
  if (result_) return;
  ::kill(pid_, SIGKILL);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  result_ = -1;
}

std::optional<int> Child::result() {
  int status = 0;
  if (!result_ && ::waitpid(pid_, &status, WNOHANG) == pid_) {
    result_ = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  return result_;
}

}  // namespace ucxx::door::test
