// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "door/peer.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <iostream>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "door/world.h"

extern char** environ;

namespace ucxx::door::test {
namespace {

/// Until the test, which holds the other end of standard input, is gone.
void stayUntilTheTestEnds() {
  char byte = 0;
  while (::read(STDIN_FILENO, &byte, 1) > 0) {
  }
  ::_exit(0);
}

pid_t forkChild() {
  const pid_t child = ::fork();
  if (child == 0) stayUntilTheTestEnds();
  return child;
}

}  // namespace

int runPeer(const std::string& role, std::uint16_t port) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a crashed test leaves nothing behind
  World world;
  Owner& owner = world.add();
  owner.call(farLoopback(port));
  if (!world.runUntil([&] { return owner.welcomes.size() == 1; })) return 1;
  const pid_t ready = role == "fork" ? forkChild() : ::getpid();
  if (::write(STDOUT_FILENO, &ready, sizeof ready) != sizeof ready) return 1;
  world.runFor(60s);
  return 0;
}

Peer::Peer(Role role, const SocketAddress& door) {
  int input[2];
  int output[2];
  EXPECT_EQ(::pipe2(input, O_CLOEXEC), 0);
  EXPECT_EQ(::pipe2(output, O_CLOEXEC | O_NONBLOCK), 0);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
  std::string words[] = {"peer", "--peer", role == Role::Fork ? "fork" : "hold",
                         std::to_string(door.port())};
  char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  EXPECT_EQ(::posix_spawn(&pid_, "/proc/self/exe", &actions, nullptr, arguments, environ), 0);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(input[0]);
  ::close(output[1]);
  to_peer_ = input[1];
  from_peer_ = output[0];
}

Peer::~Peer() {
  ::close(to_peer_);
  ::close(from_peer_);
  signal(SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool Peer::isReady() {
  return child_ != 0 || ::read(from_peer_, &child_, sizeof child_) == sizeof child_;
}

void Peer::signal(int number) const { ::kill(pid_, number); }

void Peer::waitUntilStopped() const {
  int status = 0;
  EXPECT_EQ(::waitpid(pid_, &status, WUNTRACED), pid_);
  EXPECT_TRUE(WIFSTOPPED(status));
}

bool Peer::childIsAlive() const { return ::kill(child_, 0) == 0; }

}  // namespace ucxx::door::test

// Instead of GoogleTest's own main: this program is also the peers.
int main(int argc, char** argv) {
  if (argc == 4 && std::string(argv[1]) == "--peer") {
    return ucxx::door::test::runPeer(argv[2], static_cast<std::uint16_t>(std::atoi(argv[3])));
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
