// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Large active messages for registered receivers come a few at a time, whatever their sender posts.

#include <set>

#include "core/operations.h"

namespace ucxx::core::test {
namespace {

constexpr std::size_t kLimit = 8 << 20;
constexpr std::size_t kMessage = 3 << 20;

WorkerOptions narrowIntake() {
  WorkerOptions options;
  options.unexpected_bytes = kLimit;
  return options;
}

/// Host memory that knows how much of it there is.
class CountedBuffer final : public Buffer {
 public:
  CountedBuffer(std::size_t size, std::atomic<std::size_t>& alive)
      : Buffer(BufferType::Host, size), bytes_(size), alive_(alive) {
    alive_ += size;
  }
  ~CountedBuffer() override { alive_ -= bytes_.size(); }
  void* data() override { return bytes_.data(); }

 private:
  std::vector<std::byte> bytes_;
  std::atomic<std::size_t>& alive_;
};

class IntakeTest : public testing::TestWithParam<Route> {
 protected:
  IntakeTest() {
    ends.right_worker->registerAmAllocator(UCS_MEMORY_TYPE_HOST, [this](std::size_t size) {
      auto buffer = std::make_shared<CountedBuffer>(size, alive);
      most = std::max(most, alive.load());
      return buffer;
    });
  }
  void receive(std::function<void(Request&)> take) {
    ends.right_worker->registerAmReceiverCallback(
        kReceiver,
        [take = std::move(take)](std::shared_ptr<Request> request, ucp_ep_h) { take(*request); });
  }
  std::shared_ptr<Request> send(const std::vector<std::byte>& payload, std::size_t number) {
    AmSendParams params;
    params.receiverCallbackInfo = kReceiver;
    params.setUserHeader(std::to_string(number));
    return ends.left->amSend(payload.data(), payload.size(), params);
  }

  Ends ends{GetParam(), Mode::Caller, narrowIntake()};
  std::atomic<std::size_t> alive{0};
  std::size_t most = 0;
};

TEST_P(IntakeTest, MemoryIsBounded) {
  constexpr std::size_t kCount = 40;
  const auto payload = bytes(kMessage);
  std::size_t received = 0;
  std::set<std::string> headers;
  receive([&](Request& request) {
    ASSERT_EQ(request.getStatus(), UCS_OK);
    headers.insert(request.getRecvHeader());
    EXPECT_EQ(std::memcmp(request.getRecvBuffer()->data(), payload.data(), kMessage), 0);
    ++received;
  });
  Requests sends;
  for (std::size_t i = 0; i < kCount; ++i) sends.push_back(send(payload, i));
  ASSERT_TRUE(ends.until([&] { return received == kCount; })) << received;
  ASSERT_TRUE(ends.ended(sends));
  EXPECT_EQ(headers.size(), kCount);
  EXPECT_LE(most, kLimit);
}

TEST_P(IntakeTest, OneThatIsLargerThanTheLimitComesAlone) {
  const auto large = bytes(kLimit + 1), small = bytes(kMessage);
  std::vector<std::size_t> received;
  receive([&](Request& request) { received.push_back(request.getReceivedLength()); });
  const Requests sends{send(small, 0), send(large, 1), send(large, 2), send(small, 3)};
  ASSERT_TRUE(ends.until([&] { return received.size() == sends.size(); }));
  ASSERT_TRUE(ends.ended(sends));
  EXPECT_EQ(received, (std::vector<std::size_t>{kMessage, kLimit + 1, kLimit + 1, kMessage}));
  EXPECT_LE(most, kLimit + 1);
}

TEST_P(IntakeTest, OtherMessagesDoNotWaitForThem) {
  std::size_t received = 0;
  receive([&](Request&) { ++received; });
  const auto payload = bytes(kMessage);
  Requests sends;
  for (std::size_t i = 0; i < 100; ++i) sends.push_back(send(payload, i));
  const int sent = 5;
  int room = 0;
  const auto tag = ends.right->tagRecv(&room, sizeof room, Tag{1});
  ASSERT_TRUE(ends.ended({ends.left->tagSend(&sent, sizeof sent, Tag{1}), tag}));
  EXPECT_EQ(room, sent);
  if (!ends.isSelf()) {
    EXPECT_LT(received, sends.size());
  }
  ASSERT_TRUE(ends.until([&] { return received == sends.size(); }));
  ASSERT_TRUE(ends.ended(sends));
}

/// The own worker's messages do not wait: they are copied at once.
class IntakeOfPeersTest : public IntakeTest {};

/// What waits is dropped, what comes ends; the sender is told.
TEST_P(IntakeOfPeersTest, AReceiverThatClosesEndsWhatWaits) {
  const auto payload = bytes(kMessage);
  std::size_t received = 0;
  receive([&](Request&) {
    if (++received == 3) ends.right = nullptr;
  });
  Requests sends;
  for (std::size_t i = 0; i < 20; ++i) sends.push_back(send(payload, i));
  ASSERT_TRUE(ends.ended(sends)) << ends.left_worker->describe() << ends.right_worker->describe();
  EXPECT_TRUE(ends.until([&] { return !ends.left->isAlive(); }));
  EXPECT_LE(most, kLimit);
  EXPECT_NE(sends.back()->getStatus(), UCS_OK);
  EXPECT_TRUE(ends.until([&] { return alive == 0; }));
}

TEST_P(IntakeOfPeersTest, ASenderThatGoesEndsWhatWaits) {
  const auto payload = bytes(kMessage);
  std::size_t received = 0, failed = 0;
  receive([&](Request& request) { ++(request.getStatus() == UCS_OK ? received : failed); });
  Requests sends;
  for (std::size_t i = 0; i < 20; ++i) sends.push_back(send(payload, i));
  sends.push_back(ends.left->tagSend(nullptr, 0, Tag{1}));
  ASSERT_TRUE(ends.until([&] { return received != 0; }));
  ASSERT_TRUE(ends.arrived(ends.right_worker, Tag{1}));  // all were announced
  sends.clear();
  ends.left = nullptr;
  std::weak_ptr<Worker> gone = ends.left_worker;
  ends.left_worker = nullptr;
  ASSERT_TRUE(gone.expired());
  ASSERT_TRUE(compat::until({ends.right_worker}, [&] { return !ends.right->isAlive(); }));
  EXPECT_TRUE(compat::until({ends.right_worker}, [&] { return alive == 0; }));
  EXPECT_EQ(received + failed, 20u);
}

/// Of those that came for an endpoint that nobody had made here yet.
TEST_P(IntakeOfPeersTest, WhatWaitsGoesWithItsPair) {
  const auto payload = bytes(kMessage);
  std::size_t received = 0;
  receive([&](Request& request) { received += request.getStatus() == UCS_OK; });
  const auto there =
      ends.left_worker->createEndpointFromWorkerAddress(ends.right_worker->getAddress());
  AmSendParams params;
  params.receiverCallbackInfo = kReceiver;
  Requests sends;
  for (std::size_t i = 0; i < 12; ++i)
    sends.push_back(there->amSend(payload.data(), payload.size(), params));
  const auto marker = there->tagSend(nullptr, 0, Tag{1});
  ASSERT_TRUE(ends.arrived(ends.right_worker, Tag{1}));
  const auto back =
      ends.right_worker->createEndpointFromWorkerAddress(ends.left_worker->getAddress());
  ASSERT_TRUE(ends.ended(sends));
  EXPECT_TRUE(ends.until([&] { return received == sends.size(); })) << received;
}

INSTANTIATE_TEST_SUITE_P(All, IntakeOfPeersTest, testing::Values(Route::Listener, Route::Address),
                         [](const auto& info) { return nameOf(info.param); });
INSTANTIATE_TEST_SUITE_P(All, IntakeTest, testing::ValuesIn(kRoutes),
                         [](const auto& info) { return nameOf(info.param); });

}  // namespace
}  // namespace ucxx::core::test
