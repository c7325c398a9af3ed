// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Tag messages of several blocks.

#include <cstring>

#include "core/operations.h"

namespace ucxx::core::test {
namespace {

/// `bytes` in blocks of `each`.
std::vector<ucp_dt_iov_t> blocksOf(std::vector<std::byte>& bytes, std::size_t each) {
  std::vector<ucp_dt_iov_t> blocks;
  for (std::size_t at = 0; at < bytes.size(); at += each)
    blocks.push_back({&bytes[at], std::min(each, bytes.size() - at)});
  return blocks;
}

class BlocksTest : public testing::TestWithParam<Route> {
 protected:
  Ends ends{GetParam()};
};

/// More than the kernel takes in one call.
TEST_P(BlocksTest, ManyOfThem) {
  for (const std::size_t size : {5000, 100'000, 6 << 20}) {
    auto sent = bytes(size);
    std::vector<std::byte> room(size);
    const Requests requests{ends.left->tagSend(blocksOf(sent, size / 3000), 1),
                            ends.right->tagRecv(blocksOf(room, size / 2000), 1)};
    ASSERT_TRUE(ends.ended(requests)) << size;
    for (const auto& request : requests) EXPECT_EQ(request->getStatus(), UCS_OK);
    EXPECT_TRUE(room == sent) << size;
  }
}

TEST_P(BlocksTest, OnOneSideOnly) {
  auto sent = bytes(50'000);
  std::vector<std::byte> room(sent.size());
  ASSERT_TRUE(ends.ended({ends.left->tagSend(blocksOf(sent, 700), Tag{1}),
                          ends.right->tagRecv(room.data(), room.size(), Tag{1})}));
  EXPECT_TRUE(room == sent);
  std::fill(room.begin(), room.end(), std::byte{0});
  ASSERT_TRUE(ends.ended({ends.right_worker->tagRecv(blocksOf(room, 700), Tag{1}),
                          ends.left->tagSend(sent.data(), sent.size(), Tag{1})}));
  EXPECT_TRUE(room == sent);
}

TEST_P(BlocksTest, ShorterMessagesFillTheFirstBlocks) {
  const auto sent = bytes(150);
  std::vector<std::byte> room(300);
  const auto receive = ends.right->tagRecv(blocksOf(room, 100), 1);
  ASSERT_TRUE(ends.ended({ends.left->tagSend(sent.data(), sent.size(), 1), receive}));
  EXPECT_EQ(receive->getReceivedLength(), sent.size());
  EXPECT_TRUE(std::equal(sent.begin(), sent.end(), room.begin()));
  EXPECT_EQ(std::count(room.begin() + 150, room.end(), std::byte{0}), 150);
}

TEST_P(BlocksTest, LongerMessagesAreTruncatedAndWriteNothing) {
  for (const std::size_t size : {301, 100'000}) {
    auto sent = bytes(size);
    std::vector<std::byte> room(300);
    const auto receive = ends.right->tagRecv(blocksOf(room, 100), 1);
    ASSERT_TRUE(ends.ended({ends.left->tagSend(blocksOf(sent, 100), 1), receive}));
    EXPECT_EQ(receive->getStatus(), UCS_ERR_MESSAGE_TRUNCATED);
    EXPECT_EQ(std::count(room.begin(), room.end(), std::byte{0}), 300);
  }
}

TEST_P(BlocksTest, ReceiveCanBeCancelled) {
  std::vector<std::byte> room(300);
  const auto receive = ends.right->tagRecv(blocksOf(room, 100), 1);
  receive->cancel();
  ASSERT_TRUE(ends.ended({receive}));
  EXPECT_EQ(receive->getStatus(), UCS_ERR_CANCELED);
}

TEST_P(BlocksTest, WrongListsAreRefused) {
  std::byte byte{};
  const std::vector<ucp_dt_iov_t> none, null{{&byte, 1}, {nullptr, 1}},
      endless{{&byte, SIZE_MAX}, {&byte, 1}};
  for (const auto& blocks : {none, null, endless}) {
    EXPECT_THROW((void)ends.left->tagSend(blocks, 1), std::runtime_error);
    EXPECT_THROW((void)ends.left->tagSendSync(blocks, 1), std::runtime_error);
    EXPECT_THROW((void)ends.right->tagRecv(blocks, 1), std::runtime_error);
    EXPECT_THROW((void)ends.right_worker->tagRecv(blocks, Tag{1}), std::runtime_error);
  }
  EXPECT_EQ(messageOf([&] { (void)ends.left->tagSend(null, 1); }),
            "tag send: null buffer with length 1");
  ASSERT_TRUE(ends.ended({ends.left->flush()}));
}

INSTANTIATE_TEST_SUITE_P(All, BlocksTest, testing::ValuesIn(kRoutes),
                         [](const auto& info) { return nameOf(info.param); });

}  // namespace
}  // namespace ucxx::core::test
