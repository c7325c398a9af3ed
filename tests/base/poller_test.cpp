// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "base/poller.h"

#include <atomic>
#include <csignal>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <ucxx/exception.h>

#include "base/clock.h"

namespace ucxx::base {
namespace {

/// An eventfd that is ready from the beginning.
struct Bell final : PollHandler {
  explicit Bell(Poller& poller) : poller(poller) { poller.add(fd.get(), EPOLLIN, *this); }
  ~Bell() { poller.remove(fd.get(), *this); }
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;
  void onReady(std::uint32_t events) override {
    EXPECT_TRUE(events & EPOLLIN);
    ++rung;
    if (on_ring) on_ring();
  }

  Poller& poller;
  FileDescriptor fd{::eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK)};
  int rung = 0;
  std::function<void()> on_ring;
};

TEST(PollerTest, CallsWhoIsReady) {
  Poller poller;
  EXPECT_EQ(poller.dispatch(0), 0);
  Bell bell(poller);
  EXPECT_EQ(poller.dispatch(-1), 1);
  EXPECT_EQ(bell.rung, 1);
}

TEST(PollerTest, ModifiedInterestCounts) {
  Poller poller;
  Bell bell(poller);
  poller.modify(bell.fd.get(), 0, bell);
  EXPECT_EQ(poller.dispatch(0), 0);
  poller.modify(bell.fd.get(), EPOLLIN, bell);
  EXPECT_EQ(poller.dispatch(0), 1);
}

TEST(PollerTest, HandlerMayDestroyItself) {
  Poller poller;
  auto bell = std::make_unique<Bell>(poller);
  bell->on_ring = [&] { bell.reset(); };
  EXPECT_EQ(poller.dispatch(0), 1);
  EXPECT_EQ(poller.dispatch(0), 0);
}

TEST(PollerTest, HandlerMayDestroyTheOthersOfItsRound) {
  Poller poller;
  std::vector<std::unique_ptr<Bell>> bells;
  int rung = 0;
  for (int i = 0; i < 10; ++i) {
    auto& bell = *bells.emplace_back(std::make_unique<Bell>(poller));
    bell.on_ring = [&] {
      ++rung;
      std::erase_if(bells, [&](const auto& each) { return each.get() != &bell; });
    };
  }
  EXPECT_EQ(poller.dispatch(0), 1);
  EXPECT_EQ(rung, 1);
}

TEST(PollerTest, MoreThanABatchAreServedFairly) {
  Poller poller;
  std::vector<std::unique_ptr<Bell>> bells(150);
  for (auto& bell : bells) bell = std::make_unique<Bell>(poller);
  for (int i = 0; i < 3; ++i) poller.dispatch(0);
  for (const auto& bell : bells) {
    EXPECT_GE(bell->rung, 1);
    EXPECT_LE(bell->rung, 2);
  }
}

TEST(PollerTest, DispatchInsideAHandlerDoesNothing) {
  Poller poller;
  Bell bell(poller);
  bell.on_ring = [&] { EXPECT_EQ(poller.dispatch(-1), 0); };
  EXPECT_EQ(poller.dispatch(0), 1);
}

TEST(PollerTest, ExceptionOfAHandlerLeavesThePollerWhole) {
  Poller poller;
  Bell bell(poller);
  bell.on_ring = [] { throw std::runtime_error("handler"); };
  EXPECT_THROW(poller.dispatch(0), std::runtime_error);
  bell.on_ring = nullptr;
  EXPECT_EQ(poller.dispatch(0), 1);
}

TEST(PollerTest, SignalEndsTheWait) {
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = [](int) {};
  ::sigaction(SIGUSR1, &action, &before);
  Poller poller;
  std::atomic<bool> awake{false};
  std::thread other([&awake, sleeper = ::pthread_self()] {
    while (!awake) {
      ::pthread_kill(sleeper, SIGUSR1);
      std::this_thread::yield();
    }
  });
  EXPECT_EQ(poller.dispatch(60000), 0);
  awake = true;
  other.join();
  ::sigaction(SIGUSR1, &before, nullptr);
}

TEST(PollerTest, ItsDescriptorCanBePolledByOthers) {
  Poller inner;
  Poller outer;
  struct Forward final : PollHandler {
    void onReady(std::uint32_t) override { ++called; }
    int called = 0;
  } forward;
  outer.add(inner.fd(), EPOLLIN, forward);
  EXPECT_EQ(outer.dispatch(0), 0);
  Bell bell(inner);
  EXPECT_EQ(outer.dispatch(0), 1);
  outer.remove(inner.fd(), forward);
}

TEST(PollerTest, WrongDescriptorThrows) {
  Poller poller;
  struct Nobody final : PollHandler {
    void onReady(std::uint32_t) override {}
  } nobody;
  EXPECT_THROW(poller.add(-1, EPOLLIN, nobody), Error);
}

TEST(PollerTest, IsClosedOnExec) {
  Poller poller;
  EXPECT_TRUE(::fcntl(poller.fd(), F_GETFD) & FD_CLOEXEC);
}

}  // namespace
}  // namespace ucxx::base
