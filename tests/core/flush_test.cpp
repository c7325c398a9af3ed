// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// What a flush waits for.

#include "core/operations.h"

namespace ucxx::core::test {
namespace {

TEST(FlushTest, CallbackOfAFlushMayReceiveTheStream) {
  Ends ends(Route::Self);
  const auto sent = bytes(100000);
  std::vector<std::byte> first(100000), second(100000);
  std::shared_ptr<Request> next;
  auto send = ends.left->streamSend(sent.data(), sent.size(), false);
  auto flush = ends.left->flush(false, [&](ucs_status_t, std::shared_ptr<void>) {
    next = ends.left->streamRecv(second.data(), second.size(), false);
  });
  auto again = ends.left->streamSend(sent.data(), sent.size(), false);
  auto receive = ends.left->streamRecv(first.data(), first.size(), false);
  ASSERT_TRUE(ends.ended({send, flush, receive}));
  EXPECT_TRUE(first == sent);
  ASSERT_NE(next, nullptr);
  ASSERT_TRUE(ends.ended({next, again}));
  EXPECT_TRUE(second == sent);
}

TEST(FlushTest, EndsAfterTheSendsBefore) {
  Ends ends(Route::Listener);
  std::vector<std::unique_ptr<Sending>> sends;
  for (int i = 0; i < 20; ++i)
    sends.push_back(std::make_unique<Sending>(Move::Tag, *ends.left, bytes(1 << 18, i)));
  auto of_endpoint = ends.left->flush();
  auto of_worker = ends.left_worker->flush();
  for (int i = 0; i < 1000; ++i) ends.left_worker->progress(), ends.right_worker->progress();
  std::vector<std::vector<std::byte>> received(20, std::vector<std::byte>(1 << 18));
  Requests receives;
  for (auto& one : received) receives.push_back(ends.right->tagRecv(one.data(), one.size(), kTag));
  ASSERT_TRUE(ends.ended({of_endpoint, of_worker}));
  for (auto& send : sends) EXPECT_TRUE(send->request->isCompleted());
  ASSERT_TRUE(ends.ended(receives));
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(received[i] == sends[i]->payload());
}

TEST(FlushTest, LaterSendsDoNotHoldIt) {
  Ends ends(Route::Listener, Mode::Caller, withoutFetchAhead());
  Sending before(Move::Tag, *ends.left, bytes(100));
  auto flush = ends.left->flush();
  Sending after(Move::Tag, *ends.left, bytes(kAnnouncedBytes));
  ASSERT_TRUE(ends.ended({flush}));
  EXPECT_EQ(flush->getStatus(), UCS_OK);
  EXPECT_FALSE(after.request->isCompleted());
  std::vector<std::byte> one(kAnnouncedBytes), two(kAnnouncedBytes);
  ASSERT_TRUE(ends.ended({ends.right->tagRecv(one.data(), one.size(), kTag),
                          ends.right->tagRecv(two.data(), two.size(), kTag), after.request}));
}

TEST(FlushTest, OfTheWorkerWaitsForAnEndpointThatCloses) {
  Ends ends(Route::Listener);
  const auto sent = bytes(kAnnouncedBytes);
  std::vector<std::byte> received(sent.size());
  auto receive = ends.right->tagRecv(received.data(), received.size(), kTag);
  auto send = ends.left->tagSend(sent.data(), sent.size(), kTag);
  ends.left.reset();
  auto flush = ends.left_worker->flush();
  ASSERT_TRUE(ends.ended({flush}));
  EXPECT_EQ(flush->getStatus(), UCS_OK);
  EXPECT_EQ(send->getStatus(), UCS_OK);
  ends.left_worker.reset();
  ASSERT_TRUE(ends.ended({receive}));
  EXPECT_TRUE(received == sent);
}

TEST(FlushTest, ManyBehindOneSendEndOneAfterTheOther) {
  for (const Route route : kRoutes) {
    SCOPED_TRACE(nameOf(route));
    Ends ends(route);
    Sending before(Move::Tag, *ends.left, bytes(kAnnouncedBytes));
    Requests flushes;
    for (int i = 0; i < 100'000; ++i) flushes.push_back(ends.left->flush());
    Received none;
    Receiving receiving(Move::Tag, *ends.right, kAnnouncedBytes, none);
    ASSERT_TRUE(ends.ended({before.request, receiving.request, flushes.back()}));
    for (const auto& flush : flushes) ASSERT_EQ(flush->getStatus(), UCS_OK);
  }
}

TEST(FlushTest, CanBeCancelledWhileItWaits) {
  Ends ends(Route::Listener, Mode::Caller, withoutFetchAhead());
  Sending before(Move::Tag, *ends.left, bytes(kAnnouncedBytes));
  auto cancelled = ends.left->flush();
  auto kept = ends.left->flush();
  cancelled->cancel();
  EXPECT_EQ(cancelled->getStatus(), UCS_ERR_CANCELED);
  EXPECT_EQ(kept->getStatus(), UCS_INPROGRESS);
  Received none;
  Receiving receiving(Move::Tag, *ends.right, kAnnouncedBytes, none);
  ASSERT_TRUE(ends.ended({before.request, receiving.request, kept}));
  EXPECT_EQ(kept->getStatus(), UCS_OK);
}

}  // namespace
}  // namespace ucxx::core::test
