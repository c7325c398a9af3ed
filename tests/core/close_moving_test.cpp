// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// What becomes of transfers that move, or were announced, when their endpoint closes.

#include "core/operations.h"

namespace ucxx::core::test {
namespace {

using namespace std::chrono_literals;

/// What nobody can receive any more was not sent.
class ForsakenTest : public testing::TestWithParam<Move> {};

TEST_P(ForsakenTest, AnnouncedMessageToAnEndpointThatGoesFails) {
  Ends ends(Route::Listener, Mode::Caller, withoutFetchAhead());
  Sending sending(GetParam(), *ends.left, bytes(kAnnouncedBytes));
  Sending later(Move::Tag, *ends.left, bytes(1));
  ASSERT_TRUE(ends.arrived(ends.right_worker, kTag));
  ends.right.reset();
  ASSERT_TRUE(ends.ended({sending.request}));
  EXPECT_EQ(sending.request->getStatus(), UCS_ERR_CONNECTION_RESET);
}

INSTANTIATE_TEST_SUITE_P(All, ForsakenTest, testing::Values(Move::Am, Move::Stream),
                         [](const auto& info) { return nameOf(info.param); });

/// A receive that the peer fills while it does not progress any more.
class MovingTest : public testing::TestWithParam<Move> {};

TEST_P(MovingTest, EndsWithTheCloseOfItsEndpoint) {
  const Move move = GetParam();
  WorkerOptions quick;
  quick.close_timeout = 50ms;
  Ends ends(Route::Listener, Mode::Caller, quick);
  const auto sent = bytes(4 * kAnnouncedBytes);
  std::vector<std::byte> room(sent.size());
  auto receive = move == Move::Stream ? ends.right->streamRecv(room.data(), room.size(), false)
                                      : ends.right->tagRecv(room.data(), room.size(), kTag);
  auto send = move == Move::Stream ? ends.left->streamSend(sent.data(), sent.size(), false)
                                   : ends.left->tagSend(sent.data(), sent.size(), kTag);
  auto other = ends.right->amRecv();
  const auto pending = [&] { return ends.right_worker->stats().pending_requests; };
  EXPECT_EQ(pending(), 2u);
  ASSERT_TRUE(ends.until([&] { return room.front() == sent.front(); }));  // the first piece
  ASSERT_FALSE(receive->isCompleted());
  auto close = ends.right->close();
  ASSERT_TRUE(compat::until({ends.right_worker}, [&] {
    return close->isCompleted() && receive->isCompleted() && other->isCompleted();
  }));
  EXPECT_EQ(other->getStatus(), UCS_ERR_CANCELED);
  EXPECT_EQ(pending(), 0u) << ends.right_worker->describe();
  const std::vector<std::byte> then = room;
  ASSERT_TRUE(ends.ended({send}));
  for (int i = 0; i < 1000; ++i) ends.left_worker->progress(), ends.right_worker->progress();
  EXPECT_TRUE(room == then) << "written to after its end";
}

INSTANTIATE_TEST_SUITE_P(All, MovingTest, testing::Values(Move::Tag, Move::Stream),
                         [](const auto& info) { return nameOf(info.param); });

}  // namespace
}  // namespace ucxx::core::test
