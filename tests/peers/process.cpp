// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/process.h"

#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace ucxx::core::test {

Process::Process(std::vector<std::string> words, std::vector<std::string> prefix) {
  int input[2];
  int output[2];
  EXPECT_EQ(::pipe2(input, O_CLOEXEC), 0);
  EXPECT_EQ(::pipe2(output, O_CLOEXEC), 0);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
  char self[4096] = {};
  EXPECT_GT(::readlink("/proc/self/exe", self, sizeof self - 1), 0);
  prefix.insert(prefix.end(), {self, "--role"});
  words.insert(words.begin(), prefix.begin(), prefix.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  EXPECT_EQ(::posix_spawnp(&pid_, arguments[0], &actions, nullptr, arguments.data(), environ), 0);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(input[0]);
  ::close(output[1]);
  to_ = input[1];
  from_ = output[0];
}

Process::~Process() {
  ::close(to_);
  ::close(from_);
  if (!ended_) signal(SIGKILL);
  wait();
}

std::string Process::line(std::chrono::milliseconds limit) {
  for (;;) {
    const auto end = text_.find('\n');
    if (end != std::string::npos) {
      std::string first = text_.substr(0, end);
      text_.erase(0, end + 1);
      return first;
    }
    pollfd waiting{from_, POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(limit.count())) <= 0) return {};
    char more[4096];
    const ssize_t got = ::read(from_, more, sizeof more);
    if (got <= 0) return {};
    text_.append(more, static_cast<std::size_t>(got));
  }
}

void Process::tell(char command) const { EXPECT_EQ(::write(to_, &command, 1), 1); }

void Process::signal(int number) const { ::kill(pid_, number); }

int Process::wait() {
  if (ended_) return 0;
  ended_ = true;
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace ucxx::core::test

// Instead of GoogleTest's own main: this program is also the peers.
int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (argc > 1 && words[0] == "--role") {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a crashed test leaves nothing behind
    return ucxx::core::test::runRole({words.begin() + 1, words.end()});
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
