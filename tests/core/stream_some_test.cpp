// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Stream receives of unknown length end with what is there.

#include "core/operations.h"

namespace ucxx::core::test {
namespace {

class StreamSomeTest : public testing::TestWithParam<Route> {
 protected:
  std::size_t receiveSome(std::size_t room, std::vector<std::byte>& all) {
    std::vector<std::byte> part(room);
    const auto request = ends.right->streamRecvSome(part.data(), room);
    if (!ends.ended({request}) || request->getStatus() != UCS_OK) return 0;
    const std::size_t count = request->getReceivedLength();
    all.insert(all.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(count));
    return count;
  }

  Ends ends{GetParam()};
};

TEST_P(StreamSomeTest, EndsWithLessThanItsRoom) {
  const auto sent = bytes(100);
  std::vector<std::byte> room(1000);
  const auto request = ends.right->streamRecvSome(room.data(), room.size());
  EXPECT_FALSE(request->isCompleted());
  ASSERT_TRUE(ends.ended({ends.left->streamSend(sent.data(), sent.size(), false), request}));
  ASSERT_EQ(request->getStatus(), UCS_OK);
  ASSERT_EQ(request->getReceivedLength(), sent.size());
  EXPECT_TRUE(std::equal(sent.begin(), sent.end(), room.begin()));
}

TEST_P(StreamSomeTest, NothingIsLostWhateverTheSizes) {
  std::vector<std::byte> sent, received;
  Requests sends;
  const std::size_t sizes[] = {1, 100, 16'384, 16'385, 32'769, 200'000, kAnnouncedBytes, 3};
  std::vector<std::vector<std::byte>> parts;
  for (const std::size_t size : sizes) {
    parts.push_back(bytes(size, static_cast<unsigned>(size)));
    sent.insert(sent.end(), parts.back().begin(), parts.back().end());
  }
  for (const auto& part : parts)
    sends.push_back(ends.left->streamSend(part.data(), part.size(), false));
  const std::size_t rooms[] = {1, 7, 40'000, 1 << 20, 16};
  for (std::size_t i = 0; received.size() < sent.size(); ++i) {
    const std::size_t room = rooms[i % std::size(rooms)];
    const std::size_t count = receiveSome(room, received);
    ASSERT_GT(count, 0u);
    ASSERT_LE(count, room);
  }
  ASSERT_TRUE(ends.ended(sends));
  EXPECT_TRUE(received == sent);
}

/// It does not end with the first piece when the second is here, too.
TEST_P(StreamSomeTest, TakesAllThatIsThere) {
  const auto sent = bytes(300);
  Requests sends;
  for (std::size_t i = 0; i < 3; ++i)
    sends.push_back(ends.left->streamSend(sent.data() + 100 * i, 100, false));
  const auto marker = ends.left->tagSend(nullptr, 0, Tag{1});
  ASSERT_TRUE(ends.ended({marker}) && ends.arrived(ends.right_worker, Tag{1}));
  std::vector<std::byte> received;
  EXPECT_EQ(receiveSome(250, received), 250u);
  EXPECT_EQ(receiveSome(250, received), 50u);
  EXPECT_TRUE(received == sent);
  ASSERT_TRUE(ends.ended(sends));
}

TEST_P(StreamSomeTest, MixesWithReceivesOfAllBytes) {
  const auto sent = bytes(1000);
  std::vector<std::byte> received(sent.size());
  const auto first = ends.right->streamRecv(received.data(), 600, false);
  const auto rest = ends.right->streamRecvBuilder(received.data() + 600, 400).some().build();
  ASSERT_TRUE(ends.ended({ends.left->streamSend(sent.data(), 500, false)}));
  const auto second = ends.left->streamSend(sent.data() + 500, 500, false);
  ASSERT_TRUE(ends.ended({first, rest, second}));
  EXPECT_EQ(first->getReceivedLength(), 600u);
  EXPECT_EQ(rest->getReceivedLength(), 400u);
  EXPECT_TRUE(received == sent);
}

TEST_P(StreamSomeTest, CanBeCancelledWhileNothingCame) {
  std::byte room[10];
  const auto request = ends.right->streamRecvSome(room, sizeof room);
  request->cancel();
  ASSERT_TRUE(ends.ended({request}));
  EXPECT_EQ(request->getStatus(), UCS_ERR_CANCELED);
}

TEST_P(StreamSomeTest, EndsWithTheEndpoint) {
  std::byte room[10];
  const auto request = ends.right->streamRecvSome(room, sizeof room);
  ends.left->closeBlocking();
  ASSERT_TRUE(ends.ended({request}));
  EXPECT_NE(request->getStatus(), UCS_OK);
  EXPECT_EQ(request->getReceivedLength(), 0u);
}

TEST_P(StreamSomeTest, WrongArguments) {
  std::byte room[10];
  EXPECT_THROW(ends.right->streamRecvSome(nullptr, 1), std::runtime_error);
  EXPECT_THROW(ends.right->streamRecvSome(room, 0), std::runtime_error);
  EXPECT_THROW((void)ends.left->streamSendBuilder(room, 1).some(), std::logic_error);
}

INSTANTIATE_TEST_SUITE_P(All, StreamSomeTest, testing::ValuesIn(kRoutes),
                         [](const auto& info) { return nameOf(info.param); });

}  // namespace
}  // namespace ucxx::core::test
