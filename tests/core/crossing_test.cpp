// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Two workers call each other, and one of the calls never arrives.

#include <utility>

#include "core/meet/worker_address.h"
#include "core/met.h"
#include "door/world.h"

namespace ucxx::core::test {
namespace {

const door::SocketAddress kLoopback = door::resolve("127.0.0.1", 0, false).front();

WorkerAddress partsOf(const std::shared_ptr<Worker>& worker) {
  return *readWorkerAddress(worker->getAddress()->getStringView());
}

class CrossingTest : public testing::Test {
 protected:
  CrossingTest() {
    if (partsOf(right_).worker < partsOf(left_).worker) std::swap(left_, right_);
  }
  std::shared_ptr<Address> leadingNowhere(const std::shared_ptr<Worker>& worker) const {
    WorkerAddress parts = partsOf(worker);
    parts.doors = {silent_.address()};
    return createAddressFromString(writeWorkerAddress(parts));
  }

  /// Nobody accepts, and the queue is full: connecting takes for ever.
  const door::test::Raw silent_ = door::test::Raw::listenOn(kLoopback, 0);
  const door::test::Raw fills_the_queue_ = door::test::Raw::connectTo(silent_.address());
  /// Of crossing calls that of `left_` wins.
  std::shared_ptr<Worker> left_ = workerWith("off"), right_ = workerWith("off");
};

TEST_F(CrossingTest, TheOneThatArrivesIsTakenWhenTheOtherDoesNot) {
  auto there = left_->createEndpointFromWorkerAddress(leadingNowhere(right_));
  auto back = right_->createEndpointFromWorkerAddress(left_->getAddress());
  const int out = 42;
  int in[2] = {0, 0};
  const Tag tag{7};
  // Long before the call that leads nowhere is given up.
  ASSERT_TRUE(compat::ended(
      {left_, right_}, {there->tagSend(&out, sizeof out, tag), back->tagSend(&out, sizeof out, tag),
                        left_->tagRecv(&in[0], sizeof out, tag, TagMaskFull),
                        right_->tagRecv(&in[1], sizeof out, tag, TagMaskFull)}))
      << left_->describe() << right_->describe();
  EXPECT_EQ(in[0] + in[1], 84);
  EXPECT_TRUE(there->isAlive() && back->isAlive());
}

/// An endpoint that has waited for another link finds there what its partner has sent before it.
TEST_F(CrossingTest, WhatCameBeforeTheyMetKeepsItsOrder) {
  auto there = left_->createEndpointFromWorkerAddress(right_->getAddress());
  const auto send = [&](int number) {
    const auto sent = there->amSend(&number, sizeof number, UCS_MEMORY_TYPE_HOST);
    const auto unexpected = right_->stats().unexpected_messages;
    EXPECT_TRUE(compat::until({left_, right_}, [&] {
      return sent->isCompleted() && right_->stats().unexpected_messages != unexpected;
    }));
  };
  for (int number = 0; number < 3; ++number) send(number);
  const door::SocketAddress door = partsOf(left_).doors.front();
  auto back = right_->createEndpointFromHostname(door.ip(), door.port());
  ASSERT_TRUE(compat::until({left_, right_}, [&] { return back->hasConnected(); }));
  send(3);
  const auto receive = [&] {
    const auto request = back->amRecv();
    EXPECT_TRUE(compat::ended({left_, right_}, {request}));
    request->checkError();
    return request;
  };
  receive();
  Requests given{receive(), receive()};
  for (const auto& request : given) EXPECT_TRUE(request->giveBack());
  for (int number = 1; number < 4; ++number)
    EXPECT_EQ(*static_cast<int*>(receive()->getRecvBuffer()->data()), number);
}

}  // namespace
}  // namespace ucxx::core::test
