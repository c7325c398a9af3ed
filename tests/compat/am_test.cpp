// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <algorithm>
#include <cstring>
#include <map>

#include <gtest/gtest.h>

#include <ucxx/api.h>

#include "peers.h"

namespace {

using compat::kLarge;
using compat::Pair;
using compat::pattern;
using compat::Self;

bool holds(const std::shared_ptr<ucxx::Request>& receive, const std::vector<std::uint8_t>& sent) {
  const auto buffer = receive->getRecvBuffer();
  return buffer != nullptr && buffer->getSize() == sent.size() &&
         std::equal(sent.begin(), sent.end(), static_cast<const std::uint8_t*>(buffer->data()));
}

TEST(CompatAmTest, MessagesOfEachSizeArriveInLibraryBuffers) {
  Pair pair;
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{4000}, kLarge}) {
    const auto sent = pattern(size);
    auto receive = pair.server->amRecv();
    EXPECT_EQ(receive->getRecvBuffer(), nullptr);
    auto send = pair.client->amSend(sent.data(), size, UCS_MEMORY_TYPE_HOST);
    ASSERT_TRUE(pair.wait({receive, send}));
    EXPECT_TRUE(holds(receive, sent));
    EXPECT_EQ(receive->getRecvHeader(), "");
    EXPECT_THROW(send->getRecvBuffer(), std::runtime_error);
  }
}

TEST(CompatAmTest, NullPointerWithoutLengthIsAnEmptyMessage) {
  Pair pair;
  auto receive = pair.server->amRecv();
  auto send = pair.client->amSend(nullptr, 0, UCS_MEMORY_TYPE_HOST);
  ASSERT_TRUE(pair.wait({receive, send}));
  EXPECT_EQ(receive->getRecvBuffer()->getSize(), 0u);
}

TEST(CompatAmTest, EarlyMessagesAreReceivedCompleteAndInOrder) {
  Pair pair;
  const std::uint8_t sent[] = {1, 2, 3};
  for (const auto& byte : sent)
    EXPECT_TRUE(pair.wait({pair.client->amSend(&byte, 1, UCS_MEMORY_TYPE_HOST)}));
  ASSERT_TRUE(pair.until([&] { return pair.server_worker->amProbe(pair.server->getHandle()); }));
  for (const auto& byte : sent) {
    auto receive = pair.server->amRecv();
    ASSERT_TRUE(pair.wait({receive}));
    EXPECT_TRUE(holds(receive, {byte}));
  }
  EXPECT_FALSE(pair.server_worker->amProbe(pair.server->getHandle()));
}

TEST(CompatAmTest, EarlyMessageStillCallsTheCallback) {
  Pair pair;
  const char byte = 1;
  auto send = pair.client->amSend(&byte, 1, UCS_MEMORY_TYPE_HOST);
  ASSERT_TRUE(pair.until([&] { return pair.server_worker->amProbe(pair.server->getHandle()); }));
  int calls = 0;
  auto receive = pair.server->amRecv(
      false, [&](ucs_status_t, std::shared_ptr<void>) { ++calls; }, nullptr);
  EXPECT_TRUE(pair.wait({send, receive}));
  EXPECT_EQ(calls, 1);
}

TEST(CompatAmTest, UserHeaderTravelsWithTheMessage) {
  Pair pair;
  ucxx::AmSendParams params;
  params.setUserHeader("a header");
  for (const std::size_t size : {std::size_t{16}, kLarge}) {
    const auto sent = pattern(size);
    auto receive = pair.server->amRecv();
    ASSERT_TRUE(pair.wait({receive, pair.client->amSend(sent.data(), size, params)}));
    EXPECT_TRUE(holds(receive, sent));
    EXPECT_EQ(receive->getRecvHeader(), "a header");
  }
}

TEST(CompatAmTest, SegmentsArriveAsOneMessage) {
  Pair pair;
  const auto sent = pattern(300000);
  ucxx::AmSendParams params;
  params.datatype = UCP_DATATYPE_IOV;
  std::vector<ucp_dt_iov_t> iov(3);
  for (std::size_t i = 0; i < 3; ++i)
    iov[i] = {const_cast<std::uint8_t*>(sent.data()) + i * 100000, 100000};
  auto receive = pair.server->amRecv();
  ASSERT_TRUE(pair.wait({receive, pair.client->amSend(iov, params)}));
  EXPECT_TRUE(holds(receive, sent));
  receive = pair.server->amRecvBuilder().build();
  ASSERT_TRUE(pair.wait({receive, pair.client->amSendBuilder(iov, params).build()}));
  EXPECT_TRUE(holds(receive, sent));
}

TEST(CompatAmTest, WrongArgumentsThrowInTheCall) {
  Self self;
  ucxx::AmSendParams contiguous;
  ucxx::AmSendParams iov;
  iov.datatype = UCP_DATATYPE_IOV;
  char byte = 0;
  auto& endpoint = *self.endpoint;
  EXPECT_THROW(endpoint.amSend(nullptr, 1, UCS_MEMORY_TYPE_HOST), std::runtime_error);
  EXPECT_THROW(endpoint.amSend(nullptr, 1, contiguous), std::runtime_error);
  EXPECT_THROW(endpoint.amSend(&byte, 1, iov), std::runtime_error);
  EXPECT_THROW(endpoint.amSend(std::vector<ucp_dt_iov_t>{}, iov), std::runtime_error);
  EXPECT_THROW(endpoint.amSend(std::vector<ucp_dt_iov_t>{{&byte, 1}}, contiguous),
               std::runtime_error);
  EXPECT_THROW(endpoint.amSend(std::vector<ucp_dt_iov_t>{{nullptr, 1}}, iov), std::runtime_error);
}

TEST(CompatAmTest, CancelEndsAReceiveAtOnce) {
  Pair pair;
  auto receive = pair.server->amRecv();
  receive->cancel();
  ASSERT_TRUE(pair.wait({receive}));
  EXPECT_EQ(receive->getStatus(), UCS_ERR_CANCELED);
  EXPECT_EQ(receive->getRecvBuffer(), nullptr);
}

class UserBuffer : public ucxx::Buffer {
 public:
  explicit UserBuffer(std::size_t size) : Buffer(ucxx::BufferType::Host, size), memory_(size) {}
  void* data() override { return memory_.data(); }

 private:
  std::vector<std::uint8_t> memory_;
};

TEST(CompatAmTest, LargeMessagesUseTheRegisteredAllocator) {
  Pair pair;
  std::size_t asked = 0;
  pair.server_worker->registerAmAllocator(UCS_MEMORY_TYPE_HOST, [&](std::size_t size) {
    asked = size;
    return std::make_shared<UserBuffer>(size);
  });
  const auto sent = pattern(kLarge);
  auto receive = pair.server->amRecv();
  ASSERT_TRUE(
      pair.wait({receive, pair.client->amSend(sent.data(), sent.size(), UCS_MEMORY_TYPE_HOST)}));
  EXPECT_EQ(asked, kLarge);
  EXPECT_TRUE(holds(receive, sent));
  EXPECT_NE(std::dynamic_pointer_cast<UserBuffer>(receive->getRecvBuffer()), nullptr);
}

TEST(CompatAmTest, FailingAllocatorFailsTheReceive) {
  Pair pair;
  pair.server_worker->registerAmAllocator(
      UCS_MEMORY_TYPE_HOST, [](std::size_t) -> std::shared_ptr<ucxx::Buffer> { return nullptr; });
  const auto sent = pattern(kLarge);
  auto receive = pair.server->amRecv();
  auto send = pair.client->amSend(sent.data(), sent.size(), UCS_MEMORY_TYPE_HOST);
  ASSERT_TRUE(pair.wait({receive, send}));
  EXPECT_EQ(receive->getStatus(), UCS_ERR_NO_MEMORY);
  EXPECT_THROW(receive->checkError(), ucxx::NoMemoryError);
}

TEST(CompatAmReceiverTest, MessageGoesToTheCallbackOfItsOwnerAndId) {
  Pair pair;
  std::map<int, std::shared_ptr<ucxx::Request>> received;
  ucp_ep_h key = nullptr;
  for (int id : {1, 2})
    pair.server_worker->registerAmReceiverCallback(
        ucxx::AmReceiverCallbackInfo("library", static_cast<std::uint64_t>(id)),
        [&, id](std::shared_ptr<ucxx::Request> request, ucp_ep_h endpoint) {
          EXPECT_TRUE(request->isCompleted());
          EXPECT_NO_THROW(request->checkError());
          received[id] = request;
          key = endpoint;
        });
  const auto small = pattern(10);
  const auto large = pattern(kLarge);
  EXPECT_TRUE(pair.wait({
      pair.client->amSend(small.data(), small.size(), UCS_MEMORY_TYPE_HOST,
                          ucxx::AmReceiverCallbackInfo("library", 2)),
      pair.client->amSendBuilder(large.data(), large.size(), UCS_MEMORY_TYPE_HOST)
          .receiverCallbackInfo(ucxx::AmReceiverCallbackInfo("library", 1))
          .build(),
  }));
  ASSERT_TRUE(pair.until([&] { return received.size() == 2; }));
  EXPECT_TRUE(holds(received[2], small));
  EXPECT_TRUE(holds(received[1], large));
  EXPECT_EQ(key, pair.server->getHandle());
  EXPECT_FALSE(pair.server_worker->amProbe(pair.server->getHandle()));
}

TEST(CompatAmReceiverTest, CallbackMayAnswer) {
  Pair pair;
  const char question = 1;
  const char answer = 2;
  std::shared_ptr<ucxx::Request> sent;
  pair.server_worker->registerAmReceiverCallback(
      ucxx::AmReceiverCallbackInfo("library", 1),
      [&](std::shared_ptr<ucxx::Request>, ucp_ep_h endpoint) {
        ASSERT_EQ(endpoint, pair.server->getHandle());
        sent = pair.server->amSend(&answer, 1, UCS_MEMORY_TYPE_HOST);
      });
  auto receive = pair.client->amRecv();
  auto send = pair.client->amSend(&question, 1, UCS_MEMORY_TYPE_HOST,
                                  ucxx::AmReceiverCallbackInfo("library", 1));
  ASSERT_TRUE(pair.wait({receive, send}));
  EXPECT_TRUE(holds(receive, {2}));
  EXPECT_TRUE(pair.wait({sent}));
}

TEST(CompatAmReceiverTest, TakenPairsAndTheReservedOwnerAreRefused) {
  Self self;
  const auto callback = [](std::shared_ptr<ucxx::Request>, ucp_ep_h) {};
  auto& worker = *self.worker;
  worker.registerAmReceiverCallback(ucxx::AmReceiverCallbackInfo("library", 0), callback);
  EXPECT_THROW(
      worker.registerAmReceiverCallback(ucxx::AmReceiverCallbackInfo("library", 0), callback),
      std::runtime_error);
  EXPECT_THROW(worker.registerAmReceiverCallback(ucxx::AmReceiverCallbackInfo("ucxx", 0), callback),
               std::runtime_error);
  EXPECT_NO_THROW(
      worker.registerAmReceiverCallback(ucxx::AmReceiverCallbackInfo("library", 1), callback));
}

TEST(CompatAmReceiverTest, UnknownPairsAreDroppedAndNeverReceived) {
  Pair pair;
  auto receive = pair.server->amRecv();
  const auto unknown = pattern(10);
  const auto plain = pattern(20);
  EXPECT_TRUE(pair.wait({
      pair.client->amSend(unknown.data(), 10, UCS_MEMORY_TYPE_HOST,
                          ucxx::AmReceiverCallbackInfo("nobody", 1)),
      pair.client->amSend(plain.data(), 20, UCS_MEMORY_TYPE_HOST),
      receive,
  }));
  EXPECT_TRUE(holds(receive, plain));
}

}  // namespace
