// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "base/file_descriptor.h"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ucxx/exception.h>

#include "base/poller.h"

namespace ucxx::base {
namespace {

bool isOpen(int fd) { return ::fcntl(fd, F_GETFD) >= 0; }

FileDescriptor openOne() {
  const ForkBarrier barrier;
  return FileDescriptor(::eventfd(0, EFD_CLOEXEC));
}

/// Runs `body` in a forked child; its result is whether all was well there.
template <class Body>
bool inChild(Body body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body() ? 0 : 1);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(FileDescriptorTest, ClosesAtTheEnd) {
  int number = -1;
  {
    const FileDescriptor fd = openOne();
    number = fd.get();
    EXPECT_TRUE(fd);
    EXPECT_TRUE(isOpen(number));
  }
  EXPECT_FALSE(isOpen(number));
}

TEST(FileDescriptorTest, FreeOnesAreCountedWithoutOpeningThem) {
  EXPECT_TRUE(inChild([] {
    int highest = 0;
    for (int fd = 0; fd < 1024; ++fd) highest = isOpen(fd) ? fd : highest;
    std::size_t holes = 0;
    for (int fd = 0; fd < highest; ++fd) holes += isOpen(fd) ? 0 : 1;
    const auto used = static_cast<rlim_t>(highest) + 1;
    const rlimit five_more{used + 5, used + 5};
    ::setrlimit(RLIMIT_NOFILE, &five_more);
    if (freeDescriptors(5) != 5 || freeDescriptors(1000) != holes + 5) return false;
    ::dup(0);
    return freeDescriptors(1000) == holes + 4;
  }));
}

TEST(FileDescriptorTest, MovesInsteadOfCopying) {
  FileDescriptor one = openOne();
  FileDescriptor other = openOne();
  const int number = one.get();
  const int replaced = other.get();
  other = std::move(one);
  EXPECT_EQ(other.get(), number);
  EXPECT_FALSE(isOpen(replaced));
  const FileDescriptor last(std::move(other));
  EXPECT_EQ(last.get(), number);
  EXPECT_TRUE(isOpen(number));
}

TEST(FileDescriptorTest, EmptyIsFalse) {
  FileDescriptor fd(-1);
  EXPECT_FALSE(fd);
  fd.reset();
}

TEST(FileDescriptorTest, ResetKeepsErrno) {
  FileDescriptor fd = openOne();
  errno = ENOENT;
  fd.reset();
  EXPECT_EQ(errno, ENOENT);
}

TEST(FileDescriptorTest, ForkedChildHasThemClosed) {
  FileDescriptor fd = openOne();
  const int foreign = ::eventfd(0, EFD_CLOEXEC);
  EXPECT_FALSE(isForkedChild());
  EXPECT_TRUE(inChild([&] { return isForkedChild() && !isOpen(fd.get()) && isOpen(foreign); }));
  EXPECT_FALSE(isForkedChild());
  EXPECT_TRUE(isOpen(fd.get()));
  ::close(foreign);
}

TEST(FileDescriptorTest, ForkedChildOnlyForgets) {
  FileDescriptor fd = openOne();
  EXPECT_TRUE(inChild([&] {
    // The number belongs to somebody else by now.
    const int number = fd.get();
    const int foreign = ::dup(STDIN_FILENO);
    if (foreign != number && ::dup2(foreign, number) != number) return false;
    fd.reset();
    return isOpen(number);
  }));
}

TEST(FileDescriptorTest, ForkedChildIsToldClearly) {
  const FileDescriptor fd = openOne();
  EXPECT_NO_THROW(requireNotForked());
  EXPECT_TRUE(inChild([] {
    try {
      Poller poller;
    } catch (const UnsupportedError& error) {
      return std::string(error.what()).find("fork()") != std::string::npos;
    }
    return false;
  }));
}

TEST(FileDescriptorTest, ForkedChildLeavesTheSharedEpollAlone) {
  Poller poller;
  struct Nobody final : PollHandler {
    void onReady(std::uint32_t) override {}
  } handler;
  const FileDescriptor fd(::eventfd(1, EFD_CLOEXEC));
  poller.add(fd.get(), EPOLLIN, handler);
  EXPECT_TRUE(inChild([&] {
    poller.remove(fd.get(), handler);
    return true;
  }));
  EXPECT_EQ(poller.dispatch(0), 1);
  poller.remove(fd.get(), handler);
}

// The peer of a socket sees the end of the parent's copy although a child lives on.
TEST(FileDescriptorTest, ForkedChildDoesNotKeepSocketsOpen) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  const int far = ends[1];
  FileDescriptor near(ends[0]);
  int stay[2];
  ASSERT_EQ(::pipe2(stay, O_CLOEXEC), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    char byte = 0;
    ::close(stay[1]);
    ::_exit(static_cast<int>(::read(stay[0], &byte, 1)));  // until the parent lets it go
  }
  near.reset();
  const timeval limit{20, 0};
  ::setsockopt(far, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  char byte = 0;
  EXPECT_EQ(::read(far, &byte, 1), 0);
  ::close(stay[1]);
  EXPECT_EQ(::waitpid(child, nullptr, 0), child);
  ::close(stay[0]);
  ::close(far);
}

TEST(FileDescriptorTest, ForkBetweenOpenAndCloseOfOtherThreadsLeaksNothing) {
  installForkHandlers();
  const auto open_descriptors = [] {
    int count = 0;
    for (int fd = 0; fd < 256; ++fd) count += isOpen(fd) ? 1 : 0;
    return count;
  };
  const int before = open_descriptors();
  std::atomic<bool> done{false};
  const auto work = [&] {
    while (!done) openOne();
  };
  std::thread one(work);
  std::thread other(work);
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(inChild([&] { return open_descriptors() == before; }));
  }
  done = true;
  one.join();
  other.join();
}

}  // namespace
}  // namespace ucxx::base
