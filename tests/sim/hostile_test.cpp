// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A peer that passed the door and keeps to no rule: its link ends, and it takes no more than it was
// granted.

#include <algorithm>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/link/endpoints.h"
#include "core/request/handles.h"
#include "sim/hostile_fixture.h"

namespace ucxx::sim {
namespace {

using core::MessageKind;

class HostileFrameTest : public HostileTest, public testing::WithParamInterface<bool> {};
TEST_P(HostileFrameTest, EmptyFrameBesideItsTableEndsTheLink) {
  auto receive = GetParam() ? peer_.ends[0]->tagMultiRecv(Tag{1}, TagMaskFull) : nullptr;
  const std::uint64_t multi = sendTable({core::FrameInfo{0}});
  peer_.progress();
  auto frame = next(MessageKind::MultiFrame);
  frame.argument = multi << 32;
  peer_.send(frame);
  expectEnds(UCS_ERR_INVALID_PARAM);
  EXPECT_TRUE(receive == nullptr || UCS_STATUS_IS_ERR(receive->getStatus()));
}
INSTANTIATE_TEST_SUITE_P(All, HostileFrameTest, testing::Bool(),
                         [](const auto& info) { return info.param ? "Received" : "Unexpected"; });

TEST_F(HostileTest, AnnouncedFramesOfNoMessageEndTheLink) {
  for (std::uint64_t i = 0; i < 5000; ++i) {
    auto frame = next(MessageKind::MultiFrame);
    frame.argument = (i + 10) << 32;
    frame.length = 100;
    peer_.announce(frame, 100);
  }
  expectEnds(UCS_ERR_INVALID_PARAM);
}

TEST_F(HostileTest, FramesThatAreNotAnnouncedEndTheLink) {
  for (std::uint64_t i = 0; i < 5000; ++i) {
    auto frame = next(MessageKind::MultiFrame);
    frame.argument = (i + 10) << 32;
    peer_.send(frame);
  }
  expectEnds(UCS_ERR_INVALID_PARAM);
}

class HostileAnnouncementsTest : public HostileTest,
                                 public testing::WithParamInterface<MessageKind> {};
TEST_P(HostileAnnouncementsTest, MoreThanAllowedEndTheLink) {
  const auto am = prologue(0);
  std::size_t most = 0;
  std::uint64_t multi = 0;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    if (GetParam() == MessageKind::MultiFrame && i % 50 == 0)
      multi = sendTable(std::vector(50, core::FrameInfo{100}));
    auto header = next(GetParam());
    header.argument = multi << 32 | i % 50;
    header.length = 100;
    peer_.announce(header, 100, GetParam() == MessageKind::Am ? am : std::span<const std::byte>());
    if (i % 10 == 0) peer_.progress();
    most = std::max(most, peer_.keptAnnouncements());
  }
  expectEnds(UCS_ERR_NO_MEMORY);
  EXPECT_LE(most, 500u);
}
INSTANTIATE_TEST_SUITE_P(All, HostileAnnouncementsTest,
                         testing::Values(MessageKind::Tag, MessageKind::Am, MessageKind::Stream,
                                         MessageKind::MultiFrame),
                         [](const auto& info) {
                           switch (info.param) {
                             case MessageKind::Tag:
                               return "Tag";
                             case MessageKind::Am:
                               return "Am";
                             case MessageKind::Stream:
                               return "Stream";
                             default:
                               return "Frame";
                           }
                         });

class HostileKindTest : public HostileTest, public testing::WithParamInterface<int> {};
TEST_P(HostileKindTest, AnnouncementIsFetchedOrDropped) {
  for (int i = 0; i < 3; ++i) {
    peer_.announce(next(static_cast<MessageKind>(GetParam())), 0);
    peer_.progress();
  }
  peer_.end();  // the world complains of what is left
}
INSTANTIATE_TEST_SUITE_P(All, HostileKindTest, testing::Range(1, int{core::kLastMessageKind} + 1));

TEST_F(HostileTest, UserHeadersCountAsUnexpectedBytes) {
  const std::size_t size = 8000;
  const auto am = prologue(size);
  for (int i = 0; i < 400; ++i) {
    peer_.send(next(MessageKind::Am), {}, am);
    peer_.progress();
  }
  expectEnds(UCS_ERR_NO_MEMORY);
  EXPECT_LE(peer_.worker->stats().unexpected_messages * size, std::size_t{2} << 20);
}

/// Asks for answers that it does not read.
class HostileDeafTest : public HostileTest {
 protected:
  static constexpr int kMessages = 150'000;

  void flood(const std::function<void(std::uint64_t)>& send) {
    peer_.world.network->stuck = true;
    std::size_t most = 0;
    for (int i = 0; i < kMessages; ++i) {
      send(1000 + i);
      if (i % 100 != 0) continue;
      peer_.progress();
      most = std::max(most, peer_.unsent());
    }
    EXPECT_LE(most, 70'000u);
    expectEnds(UCS_ERR_NO_MEMORY);
  }
};

TEST_F(HostileDeafTest, OpensAndClosesEndTheLink) {
  flood([&](std::uint64_t id) {
    for (const MessageKind kind : {MessageKind::Open, MessageKind::Close}) {
      if (kind == MessageKind::Close && id < 1002) continue;  // partners of the worker's
      auto header = peer_.next(kind);
      header.sender_opened = 1;
      header.endpoint = id;
      peer_.send(header);
    }
  });
}

TEST_F(HostileDeafTest, AnnouncementsForNobodyEndTheLink) {
  const auto am = prologue(0);
  flood([&](std::uint64_t id) {
    auto header = peer_.next(MessageKind::Am);
    header.endpoint = id;
    header.length = 100;
    header.announces = 1;
    peer_.send(header, {}, am);
  });
}

TEST(HostileByeTest, OnlyTheNewestIsAnswered) {
  HostilePeer peer{WorkerOptions{}};
  const auto say = [&](std::uint64_t number) {
    auto bye = peer.next(MessageKind::Bye);
    bye.argument = number;
    peer.send(bye);
  };
  peer.send(peer.next(MessageKind::Credit));
  peer.progress();
  peer.ends.clear();
  for (int i = 0; i < 100; ++i) peer.progress();
  peer.world.network->stuck = true;
  for (std::uint64_t i = 1; i <= 5000; ++i) {
    say(i);
    peer.progress();
    ASSERT_LE(peer.unsent(), 2u);
  }
  peer.world.network->stuck = false;
  for (int i = 0; i < 1000; ++i) peer.progress();
  std::vector<std::uint64_t> answers;
  for (const core::WireHeader& header : peer.received()) {
    if (header.kind == MessageKind::ByeAnswer) answers.push_back(header.argument);
  }
  EXPECT_EQ(answers, (std::vector<std::uint64_t>{1, 5000}));
  peer.end();
  EXPECT_TRUE(peer.world.complaints.empty()) << peer.world.complaints.front();
}

TEST_F(HostileTest, OpensOfItsOwnEndTheLink) {
  std::size_t most = 0;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    auto open = peer_.next(MessageKind::Open);
    open.sender_opened = 1;
    open.endpoint = 1000 + i;
    peer_.send(open);
    if (i % 100 != 0) continue;
    peer_.progress();
    most = std::max(most, endpointsOf(peer_.worker->loop()).size());
  }
  expectEnds(UCS_ERR_NO_MEMORY);
  EXPECT_LE(most, 70'000u);
}

TEST_F(HostileTest, UnansweredRequestsEndTheLink) {
  std::size_t asked = 0;
  auto listener = peer_.worker->createListener(
      0, [](ucp_conn_request_h, void* count) { ++*static_cast<std::size_t*>(count); }, &asked,
      "127.0.0.1");
  const std::uint64_t id = core::idOf(listener->getHandle());
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    auto open = peer_.next(MessageKind::Open);
    open.sender_opened = 1;
    open.endpoint = 1000 + i;
    open.argument = id;
    peer_.send(open);
    if (i % 100 == 0) peer_.progress();
  }
  expectEnds(UCS_ERR_NO_MEMORY);
  EXPECT_GT(asked, 0u);
  EXPECT_LE(asked, 70'000u);
}

TEST_F(HostileTest, RequestsWhosePeerHasLeftAreForgottenAtLast) {
  std::vector<ucp_conn_request_h> asked;
  auto listener = peer_.worker->createListener(
      0,
      [](ucp_conn_request_h request, void* all) {
        static_cast<std::vector<ucp_conn_request_h>*>(all)->push_back(request);
      },
      &asked, "127.0.0.1");
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    for (const MessageKind kind : {MessageKind::Open, MessageKind::Close}) {
      auto header = peer_.next(kind);
      header.sender_opened = 1;
      header.endpoint = 1000 + i;
      header.argument = kind == MessageKind::Open ? core::idOf(listener->getHandle()) : 0;
      peer_.send(header);
    }
    if (i % 10 == 0) peer_.progress();
  }
  for (int i = 0; i < 1000; ++i) peer_.progress();
  ASSERT_EQ(asked.size(), 20'000u);
  EXPECT_TRUE(peer_.isLinked());
  EXPECT_LE(endpointsOf(peer_.worker->loop()).size(), 5000u);
  EXPECT_FALSE(listener->createEndpointFromConnRequest(asked.back())->isAlive());
  EXPECT_THROW(listener->createEndpointFromConnRequest(asked.front()), std::invalid_argument);
  listener->reject(asked[asked.size() - 2]);
}

}  // namespace
}  // namespace ucxx::sim
