// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Messages that nobody has received when what holds their bytes ends.

#include <map>

#include "core/operations.h"

namespace ucxx::core::test {
namespace {

/// On the self channel, where a message may still be in its sender's buffer when its endpoint ends.
class LostSendsTest : public testing::Test {
 protected:
  static WorkerOptions quick() {
    WorkerOptions options = withoutFetchAhead();
    options.close_timeout = std::chrono::milliseconds(20);
    return options;
  }
  std::shared_ptr<Request> send(std::size_t size, ucp_tag_t tag,
                                RequestCallbackUserFunction callback = nullptr) {
    return ends_.left->tagSend(sent_.data(), size, Tag{tag}, false, std::move(callback));
  }
  std::shared_ptr<TagProbeInfo> take(ucp_tag_t tag) {
    auto info = ends_.left_worker->tagProbe(Tag{tag}, TagMaskFull, true);
    EXPECT_TRUE(info->isMatched());
    return info;
  }
  std::vector<std::byte> sent_ = bytes(1 << 20), received_ = bytes(1 << 20);
  Ends ends_{Route::Self, Mode::Caller, quick()};
};

TEST_F(LostSendsTest, ACallbackMayReceiveTheNextLostOne) {
  std::shared_ptr<TagProbeInfo> second;
  std::shared_ptr<Request> receive;
  const auto first_send = send(sent_.size(), 1, [&](ucs_status_t, std::shared_ptr<void>) {
    receive = ends_.left_worker->tagRecvWithHandle(received_.data(), second);
  });
  const auto second_send = send(sent_.size(), 2);
  second = take(2);
  auto close = ends_.left->close();
  ASSERT_TRUE(ends_.ended({close, first_send, second_send})) << ends_.left_worker->describe();
  EXPECT_EQ(first_send->getStatus(), UCS_ERR_CANCELED);
  EXPECT_EQ(second_send->getStatus(), UCS_ERR_CANCELED);
  ASSERT_TRUE(ends_.ended({receive}));
  EXPECT_EQ(receive->getStatus(), UCS_ERR_CONNECTION_RESET);
}

TEST_F(LostSendsTest, ASmallMessageIsNotReceivedInPlaceOfTheLostOne) {
  const auto lost = send(sent_.size(), 5), behind = send(8, 5), other = send(8, 6);
  auto close = ends_.left->close();
  ASSERT_TRUE(ends_.ended({close, lost, behind, other}));
  EXPECT_EQ(lost->getStatus(), UCS_ERR_CANCELED);
  EXPECT_FALSE(ends_.left_worker->tagProbe(Tag{5})->isMatched());
  EXPECT_TRUE(ends_.left_worker->tagProbe(Tag{6})->isMatched());
}

TEST_F(LostSendsTest, AnEmptyLostMessageIsLostToItsReceiver) {
  const auto lost = ends_.left->tagSendSync(nullptr, 0, Tag{7});
  const auto probe = take(7);
  auto close = ends_.left->close();
  ASSERT_TRUE(ends_.ended({close, lost}));
  EXPECT_EQ(lost->getStatus(), UCS_ERR_CANCELED);
  const auto receive = ends_.left_worker->tagRecvWithHandle(received_.data(), probe);
  ASSERT_TRUE(ends_.ended({receive}));
  EXPECT_EQ(receive->getStatus(), UCS_ERR_CONNECTION_RESET);
}

TEST(LossTest, WhatPeersThatHaveGoneSentHasALimit) {
  constexpr int kPeers = 10, kMessages = 40;
  WorkerOptions options;
  options.unexpected_bytes = 1 << 16;
  auto context = createContext();
  auto worker = context->createWorker(options);
  const auto address = worker->getAddress();
  auto sent = bytes(1000);
  for (int i = 0; i < kPeers; ++i) {
    sent[0] = std::byte(i);
    auto peer = context->createWorker();
    auto endpoint = peer->createEndpointFromWorkerAddress(address);
    Requests sends;
    for (int j = 0; j < kMessages; ++j)
      sends.push_back(endpoint->tagSend(sent.data(), sent.size(), Tag{static_cast<unsigned>(i)}));
    ASSERT_TRUE(compat::ended({worker, peer}, sends));
    auto close = endpoint->close();
    ASSERT_TRUE(compat::ended({worker, peer}, {close}));
    endpoint.reset();
    peer.reset();
    ASSERT_TRUE(compat::until({worker}, [&] {
      return worker->stats().messages_received == static_cast<unsigned>((i + 1) * kMessages) &&
             worker->describe().find(" 1 endpoints") == std::string::npos;
    }));
  }
  int left = 0;
  std::map<std::byte, int> of_peer;
  while (worker->tagProbe(Tag{0}, TagMask{0})->isMatched()) {
    std::vector<std::byte> received(sent.size());
    ASSERT_TRUE(compat::ended(
        {worker}, {worker->tagRecv(received.data(), received.size(), Tag{0}, TagMask{0})}));
    ++of_peer[std::exchange(received[0], sent[0])];
    EXPECT_TRUE(received == sent);
    ++left;
  }
  // All of a peer or nothing: of a part nobody could know that it is one.
  for (const auto& [peer, count] : of_peer)
    EXPECT_EQ(count, kMessages) << "peer " << static_cast<int>(peer);
  EXPECT_GE(left, kMessages);  // the newest, whose link may still be there
  EXPECT_LE(left, kMessages + (1 << 16) / 1000);
  EXPECT_EQ(worker->stats().dropped_messages, kPeers * kMessages - static_cast<unsigned>(left));
}

}  // namespace
}  // namespace ucxx::core::test
