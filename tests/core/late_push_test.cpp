// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// The worker ends the link to a peer that may be in the middle of a push into a plan's buffer. The
// plan closes when the peer can write no more, and no sooner.

#include <cstring>
#include <memory>
#include <span>

#include <ucxx/memory_handle.h>
#include <ucxx/pool.h>
#include <ucxx/prepared.h>

#include "core/another_process.h"
#include "core/hostile_local.h"
#include "core/plan/plan_wire.h"

namespace ucxx::core::test {
namespace {

constexpr std::size_t kBytes = 4096;

class LatePushTest : public HostileLocalTest {
 protected:
  void SetUp() override {
    HostileLocalTest::SetUp();
    if (IsSkipped()) return;
    peer_->say(MessageKind::PlanClosed, 1);  // there is no plan
    expectEnds(UCS_ERR_INVALID_PARAM);
    meetPeer([this] { return process_.fork(); });
    memory_ = createMemoryHandle(createContext({}), kBytes);
    ASSERT_NO_FATAL_FAILURE(prepare());
  }
  void prepare() {
    receive_ =
        ends_[0]->prepareRecv(reinterpret_cast<void*>(memory_->getBaseAddress()), kBytes, kTag);
    receive_->start();
    const PlanOffer offer{1, {kBytes, 1}, 0};
    WireHeader header = next(MessageKind::PlanOffer);
    header.argument = kTag;
    header.length = sizeof offer;
    peer_->send(header, std::as_bytes(std::span(&offer, 1)));
    ASSERT_TRUE(until([&] { return heard(MessageKind::PlanAnswer) == 1; }));
    PlanAnswer answer;
    std::memcpy(&answer, last(MessageKind::PlanAnswer).payload.data(), sizeof answer);
    ASSERT_NE(answer.landing, 0u) << "nothing is pushed";
  }
  void endLink() {
    peer_->say(MessageKind::PlanClosed, 7);
    expectEnds(UCS_ERR_INVALID_PARAM);
    EXPECT_EQ(receive_->getStatus(), UCS_ERR_INVALID_PARAM);
  }
  void expectHeld(const std::shared_ptr<Request>& close) {
    settle();
    EXPECT_FALSE(close->isCompleted());
  }
  void expectClosed(const std::shared_ptr<Request>& close, ucs_status_t status = UCS_OK) {
    EXPECT_TRUE(until([&] { return close->isCompleted(); }));
    EXPECT_EQ(close->getStatus(), status);
  }

  AnotherProcess process_;
  std::shared_ptr<MemoryHandle> memory_;
  std::shared_ptr<PreparedRecv> receive_;
};

TEST_F(LatePushTest, ClosesWhenThePeerHasLeft) {
  endLink();
  const auto close = receive_->close();
  expectHeld(close);
  peer_->ownEnd().left = 1;
  expectClosed(close);
}

TEST_F(LatePushTest, ClosesWhenThePeerIsKilled) {
  endLink();
  const auto close = receive_->close();
  expectHeld(close);
  process_.kill();
  expectClosed(close);
}

TEST_F(LatePushTest, ClosesAtOnceWhenThePeerHasHungUp) {
  peer_->hangUp();
  EXPECT_TRUE(until([&] { return receive_->isCompleted(); }));
  expectClosed(receive_->close());
}

/// Its answer counts, whatever else it does.
TEST_F(LatePushTest, ClosesWithTheAnswerBeforeTheEndOfTheLink) {
  const auto close = receive_->close();
  EXPECT_TRUE(until([&] { return heard(MessageKind::PlanClose) == 1; }));
  expectHeld(close);
  WireHeader header = peer_->next(MessageKind::PlanClosed);
  header.endpoint = 1;
  header.sender_opened = 1;
  peer_->send(header);
  expectClosed(close);
}

TEST_F(LatePushTest, DroppedPlansKeepTheirWords) {
  endLink();
  const std::uint64_t used = poolStats().used_bytes;
  receive_ = nullptr;
  settle();
  EXPECT_EQ(poolStats().used_bytes, used);
  peer_->ownEnd().left = 1;
  EXPECT_TRUE(until([&] { return poolStats().used_bytes < used; }));
}

/// A sleep is not in the way of the look.
TEST_F(LatePushTest, AWaiterIsWoken) {
  endLink();
  const auto close = receive_->close();
  expectHeld(close);
  process_.kill();
  EXPECT_TRUE(close->wait(std::chrono::seconds(10)));
}

TEST_F(LatePushTest, TheEndOfTheWorkerEndsTheClose) {
  endLink();
  const auto close = receive_->close();
  expectHeld(close);
  const std::uint64_t used = poolStats().used_bytes;
  for (auto& end : ends_) end = nullptr;
  to_honest_ = from_honest_ = nullptr;
  pending_ = nullptr;
  for (Posted& posted : posted_) posted.request->setParent(nullptr);
  close->setParent(nullptr);
  receive_ = nullptr;
  worker_ = nullptr;
  EXPECT_TRUE(close->isCompleted());
  EXPECT_EQ(close->getStatus(), UCS_ERR_CANCELED);
  EXPECT_LE(poolStats().used_bytes, used);
  worker_ = makeWorker();  // for the end of the fixture
  to_honest_ = worker_->createEndpointFromWorkerAddress(honest_->getAddress());
  from_honest_ = honest_->createEndpointFromWorkerAddress(worker_->getAddress());
}

}  // namespace
}  // namespace ucxx::core::test
