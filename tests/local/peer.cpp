// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "local/peer.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace ucxx::local::test {
namespace {

constexpr int kSocketOfRole = 100;

void setDeadline(int socket) {
  const timeval limit{20, 0};
  EXPECT_EQ(::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit), 0);
}

/// A message of one byte and one descriptor.
struct Parcel {
  char byte = 0;
  iovec text{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};

  Parcel() {
    message.msg_iov = &text;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
  }
};

}  // namespace

Peer::Peer(std::string role) {
  int ends[2];
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], kSocketOfRole);
  char self[4096] = {};
  EXPECT_GT(::readlink("/proc/self/exe", self, sizeof self - 1), 0);
  char flag[] = "--role";
  char* arguments[] = {self, flag, role.data(), nullptr};
  EXPECT_EQ(::posix_spawn(&pid_, self, &actions, nullptr, arguments, environ), 0);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  socket_ = base::FileDescriptor(ends[0]);
  setDeadline(ends[0]);
}

Peer::~Peer() {
  if (!ended_) kill();
  wait();
}

void Peer::kill() { ::kill(pid_, SIGKILL); }

int Peer::wait() {
  if (ended_) return 0;
  ended_ = true;
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void sendDescriptor(int socket, int descriptor) {
  Parcel parcel;
  cmsghdr* head = CMSG_FIRSTHDR(&parcel.message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof descriptor);
  std::memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
  EXPECT_EQ(::sendmsg(socket, &parcel.message, MSG_NOSIGNAL), 1);
}

base::FileDescriptor receiveDescriptor(int socket) {
  Parcel parcel;
  int descriptor = -1;
  EXPECT_EQ(::recvmsg(socket, &parcel.message, MSG_CMSG_CLOEXEC), 1);
  const cmsghdr* head = CMSG_FIRSTHDR(&parcel.message);
  if (head != nullptr) std::memcpy(&descriptor, CMSG_DATA(head), sizeof descriptor);
  return base::FileDescriptor(descriptor);
}

unsigned long litmusRounds() {
  const char* text = std::getenv("UCXX_LITMUS_ROUNDS");
#if defined(__SANITIZE_THREAD__)
  constexpr std::size_t usual = 3000;
#else
  constexpr std::size_t usual = 100000;
#endif
  return text == nullptr ? usual : std::strtoul(text, nullptr, 10);
}

}  // namespace ucxx::local::test

// Instead of GoogleTest's own main: this program is also the peers.
int main(int argc, char** argv) {
  using namespace ucxx::local::test;
  if (argc == 3 && std::string(argv[1]) == "--role") {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a crashed test leaves nothing behind
    setDeadline(kSocketOfRole);
    return runRole(argv[2], kSocketOfRole);
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
