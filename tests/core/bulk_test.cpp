// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Payloads that go through the bulk ring, or would where it has memory.

#include <thread>

#include "core/bulk_memory.h"
#include "core/link/link.h"
#include "core/match/endpoint_state.h"
#include "core/operations.h"
#include "core/request/handles.h"

namespace ucxx::core::test {
namespace {

constexpr std::size_t kMostAtOnce = local::choices::kMostAtOnce;

/// With memory for the bulk rings, and without.
class BulkTest : public testing::TestWithParam<bool> {
 protected:
  BulkTest() { setBulkMemory(GetParam()); }
  ~BulkTest() override { setBulkMemory(true); }

  const local::Channel& channelOf(const Endpoint& endpoint) const {
    return *endpoint.state().inlet->local;
  }

  Ends ends{Route::Address, Mode::Caller, withoutFetchAhead()};
};
INSTANTIATE_TEST_SUITE_P(All, BulkTest, testing::Bool(),
                         [](const auto& info) { return info.param ? "Memory" : "NoMemory"; });

constexpr std::size_t kSizes[] = {3072,     3073,   8191,   8192,   8193,        16'384,
                                  16'385,   40'000, 65'536, 65'537, kMostAtOnce, kMostAtOnce + 1,
                                  3'000'000};

TEST_P(BulkTest, EverySizeArrivesWholeInItsBuffer) {
  unsigned seed = 0;
  for (const bool is_posted_first : {true, false}) {
    for (const std::size_t size : kSizes) {
      SCOPED_TRACE(size);
      const auto sent = bytes(size, ++seed);
      std::vector<std::byte> room(size + 2, std::byte{0xcc});
      std::shared_ptr<Request> receive, send;
      const auto post = [&] { receive = ends.right->tagRecv(&room[1], size, Tag{1}); };
      if (is_posted_first) post();
      send = ends.left->tagSend(sent.data(), size, Tag{1});
      if (!is_posted_first) {
        ASSERT_TRUE(ends.arrived(ends.right_worker, Tag{1}));
        post();
      }
      ASSERT_TRUE(ends.ended({receive, send}));
      EXPECT_EQ(receive->getStatus(), UCS_OK);
      EXPECT_TRUE(std::equal(sent.begin(), sent.end(), room.begin() + 1));
      EXPECT_EQ(room.front(), std::byte{0xcc});
      EXPECT_EQ(room.back(), std::byte{0xcc});
    }
  }
  EXPECT_EQ(channelOf(*ends.left).hasBulkMemory(), GetParam());
}

TEST_P(BulkTest, ManyUnderWayKeepTheirOrderBothWays) {
  constexpr int kRounds = 3;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::vector<std::byte>> sent, rooms;
    std::vector<std::shared_ptr<Request>> requests;
    for (unsigned i = 0; i < 120; ++i) sent.push_back(bytes(kSizes[i % std::size(kSizes)], i));
    for (const auto& each : sent) {
      requests.push_back(ends.left->tagSend(each.data(), each.size(), Tag{1}));
      requests.push_back(ends.right->tagSend(each.data(), each.size(), Tag{2}));
    }
    for (const auto& each : sent) {
      rooms.emplace_back(each.size());
      requests.push_back(ends.right->tagRecv(rooms.back().data(), each.size(), Tag{1}));
      rooms.emplace_back(each.size());
      requests.push_back(ends.left->tagRecv(rooms.back().data(), each.size(), Tag{2}));
    }
    ASSERT_TRUE(ends.ended(requests));
    for (const auto& request : requests) EXPECT_EQ(request->getStatus(), UCS_OK);
    for (std::size_t i = 0; i < sent.size(); ++i) {
      EXPECT_TRUE(rooms[2 * i] == sent[i]) << i;
      EXPECT_TRUE(rooms[2 * i + 1] == sent[i]) << i;
    }
  }
}

TEST_P(BulkTest, WhatIsTooLongForItsReceiveDisturbsNoOther) {
  const auto sent = bytes(60'000);
  std::vector<std::byte> room(60'000);
  for (const bool is_posted_first : {true, false}) {
    std::shared_ptr<Request> small, large;
    const auto post = [&] {
      small = ends.right->tagRecv(room.data(), 20'000, Tag{1});
      large = ends.right->tagRecv(room.data(), room.size(), Tag{1});
    };
    if (is_posted_first) post();
    const Requests sends{ends.left->tagSend(sent.data(), sent.size(), Tag{1}),
                         ends.left->tagSend(sent.data(), sent.size(), Tag{1})};
    if (!is_posted_first) post();
    ASSERT_TRUE(ends.ended(sends));
    ASSERT_TRUE(ends.ended({small, large}));
    EXPECT_EQ(small->getStatus(), UCS_ERR_MESSAGE_TRUNCATED);
    EXPECT_EQ(large->getStatus(), UCS_OK);
    EXPECT_TRUE(room == sent);
  }
}

TEST_P(BulkTest, SynchronousSendsStayAnnounced) {
  const auto sent = bytes(60'000);
  std::vector<std::byte> room(60'000);
  const auto send = ends.left->tagSendSync(sent.data(), sent.size(), Tag{1});
  ASSERT_TRUE(ends.arrived(ends.right_worker, Tag{1}));
  EXPECT_FALSE(send->isCompleted());
  ASSERT_TRUE(ends.ended({send, ends.right->tagRecv(room.data(), room.size(), Tag{1})}));
  EXPECT_TRUE(room == sent);
}

class BulkAtOnceTest : public testing::Test {
 protected:
  Ends ends{Route::Address, Mode::Caller, withoutFetchAhead()};
};

TEST_F(BulkAtOnceTest, SendsEndInTheCallWithoutAReceive) {
  for (const std::size_t size : {std::size_t{9000}, std::size_t{70'000}, kMostAtOnce}) {
    const auto sent = bytes(size);
    EXPECT_TRUE(ends.left->tagSend(sent.data(), size, Tag{1})->isCompleted()) << size;
  }
  std::vector<std::byte> room(kMostAtOnce);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(ends.ended({ends.right->tagRecv(room.data(), room.size(), Tag{1})}));
  }
}

TEST_F(BulkAtOnceTest, WhatHasGoneIsNotRecalled) {
  const auto sent = bytes(70'000);
  std::vector<std::byte> room(sent.size());
  const auto send = ends.left->tagSend(sent.data(), sent.size(), Tag{1});
  send->cancel();
  const auto receive = ends.right->tagRecv(room.data(), room.size(), Tag{1});
  ASSERT_TRUE(ends.ended({send, receive}));
  EXPECT_EQ(send->getStatus(), UCS_OK);
  EXPECT_EQ(receive->getStatus(), UCS_OK);
  EXPECT_TRUE(room == sent);
}

TEST_F(BulkAtOnceTest, WithoutRoomTheyAreAnnounced) {
  const auto sent = bytes(256 << 10);
  std::vector<std::shared_ptr<Request>> sends;
  while (sends.empty() || sends.back()->isCompleted()) {
    ASSERT_LT(sends.size(), 10u);  // 2 MiB take fewer
    sends.push_back(ends.left->tagSend(sent.data(), sent.size(), Tag{1}));
  }
  EXPECT_GT(sends.size(), 5u);
  std::vector<std::byte> room(sent.size());
  for (std::size_t i = 0; i < sends.size(); ++i) {
    room.assign(room.size(), std::byte{0});
    ASSERT_TRUE(ends.ended({ends.right->tagRecv(room.data(), room.size(), Tag{1})}));
    EXPECT_TRUE(room == sent);
  }
  EXPECT_TRUE(ends.ended(sends));
}

/// Its thread may have other things to do for long.
TEST_F(BulkAtOnceTest, AnAnnouncedPayloadComesThoughItsSenderSleeps) {
  const auto sent = bytes(60'000);
  std::vector<std::byte> room(sent.size());
  const auto send = ends.left->tagSendSync(sent.data(), sent.size(), Tag{1});
  ASSERT_TRUE(ends.arrived(ends.right_worker, Tag{1}));
  ends.left_worker->initBlockingProgressMode();
  ASSERT_TRUE(ends.until([&] { return ends.left_worker->arm(); }));
  const auto receive = ends.right->tagRecv(room.data(), room.size(), Tag{1});
  ASSERT_TRUE(compat::ended({ends.right_worker}, {receive}));
  EXPECT_TRUE(room == sent);
  EXPECT_TRUE(ends.ended({send}));
}

TEST_F(BulkAtOnceTest, MemoryOfSilentPeersIsGivenBack) {
  const auto sent = bytes(kMostAtOnce);
  std::vector<std::byte> room(sent.size());
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(ends.ended({ends.left->tagSend(sent.data(), sent.size(), Tag{1}),
                            ends.right->tagRecv(room.data(), room.size(), Tag{1})}));
  }
  const local::Channel& channel = *ends.left->state().inlet->local;
  EXPECT_TRUE(channel.hasBulkMemory());
  EXPECT_TRUE(ends.until([&] { return !channel.hasBulkMemory(); }));
  ASSERT_TRUE(ends.ended({ends.left->tagSend(sent.data(), sent.size(), Tag{1}),
                          ends.right->tagRecv(room.data(), room.size(), Tag{1})}));
  EXPECT_TRUE(room == sent);
}

TEST(BulkCreditTest, UnexpectedBytesHoldWhatNobodyReceives) {
  WorkerOptions options = withoutFetchAhead();
  options.unexpected_bytes = 150'000;
  Ends ends(Route::Address, Mode::Caller, options);
  const auto sent = bytes(70'000);
  std::vector<std::shared_ptr<Request>> sends;
  for (int i = 0; i < 3; ++i) sends.push_back(ends.left->tagSend(sent.data(), sent.size(), Tag{1}));
  EXPECT_TRUE(sends[0]->isCompleted());
  EXPECT_TRUE(sends[1]->isCompleted());
  EXPECT_FALSE(sends[2]->isCompleted());
  std::vector<std::byte> room(sent.size());
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(ends.ended({ends.right->tagRecv(room.data(), room.size(), Tag{1})}));
  }
  EXPECT_TRUE(ends.ended(sends));
}

/// Its receives end, and what still comes of a message goes nowhere.
TEST(BulkCloseTest, AClosedReceiverTakesTheRestOfNothing) {
  Ends ends(Route::Address);
  const auto sent = bytes(kMostAtOnce);
  std::vector<std::byte> room(sent.size());
  // So many that one look takes a part of the large one.
  for (int i = 0; i < 10; ++i) ends.left->tagSend(sent.data(), 8, Tag{2});
  const auto receive = ends.right->tagRecv(room.data(), room.size(), Tag{1});
  const auto send = ends.left->tagSend(sent.data(), sent.size(), Tag{1});
  EXPECT_TRUE(send->isCompleted());
  ends.right_worker->progressOnce();
  EXPECT_FALSE(receive->isCompleted());
  EXPECT_EQ(room.front(), sent.front());
  EXPECT_NE(room.back(), sent.back());
  ends.right->closeBlocking();
  ASSERT_TRUE(ends.ended({receive}));
  EXPECT_NE(receive->getStatus(), UCS_OK);
  EXPECT_NE(room.back(), sent.back());
}

/// Messages of every size, to a receiver that lags.
TEST(BulkLagTest, OddSizesToOneThatLags) {
  Ends ends(Route::Address, Mode::Caller, withoutFetchAhead());
  std::uint64_t random = 1;
  const auto sent = bytes(kMostAtOnce);
  std::vector<std::byte> room(kMostAtOnce);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::shared_ptr<Request>> sends;
    std::vector<std::size_t> sizes;
    do {
      random = random * 6364136223846793005u + 1442695040888963407u;
      sizes.push_back(8200 + (random >> 33) % (kMostAtOnce - 8200));
      sends.push_back(ends.left->tagSend(sent.data(), sizes.back(), Tag{1}));
    } while (sends.back()->isCompleted());
    for (const std::size_t size : sizes) {
      const auto receive = ends.right->tagRecv(room.data(), room.size(), Tag{1});
      ASSERT_TRUE(ends.ended({receive}));
      ASSERT_EQ(receive->getStatus(), UCS_OK);
      ASSERT_TRUE(
          std::equal(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(size), sent.begin()));
    }
    ASSERT_TRUE(ends.ended(sends));
  }
}

TEST_F(BulkAtOnceTest, ActiveMessagesAndCallbacksGoTheSameWay) {
  const auto sent = bytes(60'000);
  std::vector<std::byte> room(sent.size());
  const auto am = ends.left->amSend(sent.data(), sent.size(), UCS_MEMORY_TYPE_HOST);
  EXPECT_TRUE(am->isCompleted());
  EXPECT_TRUE(ends.left->state().inlet->local->hasBulkMemory());
  bool called = false;
  const auto tag = ends.left->tagSend(sent.data(), sent.size(), Tag{1}, false,
                                      [&](ucs_status_t, std::shared_ptr<void>) { called = true; });
  EXPECT_TRUE(tag->isCompleted());
  EXPECT_TRUE(called);
  const auto receive = ends.right->amRecv();
  ASSERT_TRUE(ends.ended({receive, ends.right->tagRecv(room.data(), room.size(), Tag{1})}));
  EXPECT_TRUE(room == sent);
  EXPECT_EQ(std::memcmp(receive->getRecvBuffer()->data(), sent.data(), sent.size()), 0);
  EXPECT_EQ(ends.right->state().inlet->local->note().bytes, sent.size() % (8 << 10));
}

/// Their threads send at once, and to two peers.
TEST(BulkThreadsTest, SeveralThreadsSendThroughOneRing) {
  Ends ends(Route::Address, Mode::Polling);
  constexpr int kThreads = 3, kMessages = 200;
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      const auto sent = bytes(30'000 + 1000 * thread, thread);
      std::vector<std::byte> room(sent.size());
      for (int i = 0; i < kMessages; ++i) {
        const auto receive = ends.right->tagRecv(room.data(), room.size(), Tag{thread});
        const auto send = ends.left->tagSend(sent.data(), sent.size(), Tag{thread});
        if (in(compat::kDeadline, [&] { return send->isCompleted() && receive->isCompleted(); }) &&
            room == sent)
          ++good;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, kThreads * kMessages);
}

}  // namespace
}  // namespace ucxx::core::test
