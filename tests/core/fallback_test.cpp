// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A local channel that cannot be made, on either side: its workers meet by UCX.

#include <atomic>
#include <cerrno>
#include <climits>
#include <string>

#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/met.h"

namespace {

/// How many more pidfds are watched; others are not.
std::atomic<int> can_be_watched{INT_MAX};

bool isPidfd(int fd) {
  char file[64] = {};
  return ::readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), file, sizeof file - 1) > 0 &&
         std::string(file).find("pidfd") != std::string::npos;
}

}  // namespace

/// Instead of libc's: the user's limit of watched descriptors, met at will.
extern "C" __attribute__((visibility("default"))) int epoll_ctl(int epoll, int operation, int fd,
                                                                epoll_event* event) noexcept {
  const int saved = errno;
  if (operation == EPOLL_CTL_ADD && isPidfd(fd) && can_be_watched-- <= 0) {
    errno = ENOSPC;
    return -1;
  }
  errno = saved;
  return static_cast<int>(::syscall(SYS_epoll_ctl, epoll, operation, fd, event));
}

namespace ucxx::core::test {
namespace {

class FallbackTest : public testing::TestWithParam<std::tuple<bool, int>> {};

TEST_P(FallbackTest, ProcessThatCannotBeWatchedIsMetByUcx) {
  const auto [by_name, side] = GetParam();
  can_be_watched = side;
  Met met("auto", "auto", by_name);
  ASSERT_TRUE(met.talks()) << met.left->describe() << met.right->describe();
  EXPECT_FALSE(met.isLocal());
  EXPECT_TRUE(says(met.left, "UCX channel (local channel failed: ") ||
              says(met.right, "UCX channel (local channel failed: "))
      << met.left->describe() << met.right->describe();
}

TEST_P(FallbackTest, WithoutAnotherWayTheEndpointFails) {
  const auto [by_name, side] = GetParam();
  can_be_watched = side;
  Met met("only", "only", by_name);
  if (!by_name) {  // both call; the one that fails is told
    EXPECT_TRUE(compat::until({met.left, met.right},
                              [&] { return !met.there->isAlive() || !met.back->isAlive(); }));
    return;
  }
  const std::string failure = met.failure();
  EXPECT_NE(failure.find("UCXX_LOCAL=only, local channel failed: "), std::string::npos) << failure;
}

// The answering side watches first.
INSTANTIATE_TEST_SUITE_P(By, FallbackTest, testing::Combine(testing::Bool(), testing::Values(0, 1)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param) ? "Name" : "Address") +
                                  (std::get<1>(info.param) == 0 ? "Answerer" : "Caller");
                         });

}  // namespace
}  // namespace ucxx::core::test
