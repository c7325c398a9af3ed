// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Prepared transfers with a peer that keeps to no rule, over UCX: what it says wrongly ends its
// link alone, and nothing is written beside a buffer.

#include <algorithm>
#include <cstring>

#include <ucxx/prepared.h>

#include "core/plan/plan_wire.h"
#include "sim/hostile_fixture.h"

namespace ucxx::sim {
namespace {

using core::MessageKind;

constexpr std::uint64_t kEach = 16, kCount = 4;
constexpr Tag kTag{3};

class HostilePlansTest : public HostileTest {
 protected:
  ~HostilePlansTest() override {
    receive_ = nullptr;
    send_ = nullptr;
  }
  template <class Body>
  void tell(MessageKind kind, const Body& body, std::uint64_t plan = 0,
            std::size_t size = sizeof(Body)) {
    auto header = next(kind);
    if (kind == MessageKind::PlanOffer)
      header.argument = kTag;
    else
      header.endpoint = plan;
    header.length = size;
    const auto* first = reinterpret_cast<const std::byte*>(&body);
    peer_.send(header, {first, first + size});
  }
  void offer(core::PlanShape shape = {kEach * kCount, kCount}, std::uint64_t id = 1) {
    tell(MessageKind::PlanOffer, core::PlanOffer{id, shape, 0});
  }
  void answer(core::PlanShape shape = {kEach * kCount, kCount}, std::uint64_t plan = 1) {
    tell(MessageKind::PlanAnswer, core::PlanAnswer{shape, 0, 0}, plan);
  }
  void say(MessageKind kind, std::uint64_t plan, std::uint64_t argument, bool is_workers) {
    auto header = peer_.next(kind);
    header.endpoint = plan;
    header.argument = argument;
    header.sender_opened = is_workers ? 0 : 1;
    peer_.send(header);
  }
  void send(std::uint32_t first, std::size_t size, std::uint32_t iteration = 1,
            std::uint64_t plan = 1) {
    auto header = peer_.next(MessageKind::PlanData);
    header.endpoint = plan;
    header.argument = core::PlanPart{first, iteration}.word();
    header.length = size;
    peer_.send(header, std::vector<std::byte>(size, std::byte{7}));
  }
  /// The worker receives, and is ready for the first iteration.
  void receive() {
    receive_ = peer_.ends[0]->prepareRecv(room_.data() + kEach, kEach * kCount, kTag, {kCount});
    receive_->start();
    offer();
    for (int i = 0; i < 10; ++i) peer_.progress();
    EXPECT_EQ(count(MessageKind::PlanReady), 1u);
  }
  void sendFromWorker() {
    send_ = peer_.ends[0]->prepareSend(room_.data(), kEach * kCount, kTag, {kCount});
    send_->start();
    peer_.progress();
    EXPECT_EQ(count(MessageKind::PlanOffer), 1u);
  }
  std::size_t count(MessageKind kind) const {
    const auto all = peer_.received();
    return static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [&](const auto& one) { return one.kind == kind; }));
  }
  bool isUntouchedBeside() const {
    const auto is_untouched = [](std::byte byte) { return byte == std::byte{0}; };
    return std::all_of(room_.begin(), room_.begin() + kEach, is_untouched) &&
           std::all_of(room_.end() - kEach, room_.end(), is_untouched);
  }

  std::vector<std::byte> room_ = std::vector<std::byte>(kEach * (kCount + 2));
  std::shared_ptr<PreparedRecv> receive_;
  std::shared_ptr<PreparedSend> send_;
};

TEST_F(HostilePlansTest, HonestSender) {
  receive();
  send(2, 2 * kEach);
  send(0, kEach);
  for (int i = 0; i < 10; ++i) peer_.progress();
  EXPECT_TRUE(receive_->arrived(0) && !receive_->arrived(1) && receive_->arrived(3));
  send(1, kEach);
  for (int i = 0; i < 10; ++i) peer_.progress();
  EXPECT_EQ(receive_->getStatus(), UCS_OK);
  EXPECT_TRUE(isUntouchedBeside());
}

TEST_F(HostilePlansTest, HonestReceiver) {
  sendFromWorker();
  send_->ready(0, 2);
  answer();
  for (int i = 0; i < 10; ++i) peer_.progress();
  EXPECT_EQ(count(MessageKind::PlanData), 0u);
  say(MessageKind::PlanReady, 1, 1, true);
  for (int i = 0; i < 10; ++i) peer_.progress();
  EXPECT_EQ(count(MessageKind::PlanData), 1u);
  send_->ready(2);
  send_->ready(3);
  for (int i = 0; i < 10; ++i) peer_.progress();
  EXPECT_EQ(count(MessageKind::PlanData), 3u);
  EXPECT_EQ(send_->getStatus(), UCS_OK);
}

/// What comes after its PlanClose would end the link.
TEST_F(HostilePlansTest, ReceiveThatIsClosedAsItsSendDoesNotFitIsAnsweredBefore) {
  receive_ = peer_.ends[0]->prepareRecv(room_.data(), kEach, kTag);
  receive_->start();
  const auto end = receive_->request(
      [&](ucs_status_t, const std::shared_ptr<void>&) { (void)receive_->close(); });
  offer();
  for (int i = 0; i < 10; ++i) peer_.progress();
  EXPECT_EQ(end->getStatus(), UCS_ERR_INVALID_PARAM);
  std::vector<MessageKind> said;
  for (const auto& one : peer_.received())
    if (core::isOfPlan(one.kind)) said.push_back(one.kind);
  EXPECT_EQ(said, (std::vector{MessageKind::PlanAnswer, MessageKind::PlanClose}));
}

class HostilePlanDataTest : public HostilePlansTest, public testing::WithParamInterface<int> {};
TEST_P(HostilePlanDataTest, EndsTheLink) {
  receive();
  switch (GetParam()) {
    case 0:
      send(0, kEach, 2);
      break;
    case 1:
      send(0, kEach, 0);
      break;
    case 2:
      send(kCount, kEach);
      break;
    case 3:
      send(UINT32_MAX, kEach);
      break;
    case 4:
      send(kCount - 1, 2 * kEach);
      break;
    case 5:
      send(0, kEach - 1);
      break;
    case 6:
      send(0, 0);
      break;
    case 7:
      send(0, kEach, 1, 2);
      break;
    case 8:
      send(1, kEach);
      send(1, kEach);
      break;
    case 9:
      offer();  // the same number again
      break;
    case 10:
      offer({kEach, 1}, 3);
      break;
    case 11:
      offer({kEach, 0}, 2);
      break;
    case 12:
      offer({UINT64_MAX, 1 << 20}, 2);
      break;
    case 13:
      tell(MessageKind::PlanOffer, core::PlanOffer{2, {kEach, 1}, 0}, 0, 24);
      break;
    case 14:
      say(MessageKind::PlanReady, 1, 1, true);
      break;
    case 15:
      say(MessageKind::PlanClosed, 1, 0, false);
      break;
    case 16:
      say(MessageKind::PlanClose, 9, 0, false);
      break;
    default:
      say(MessageKind::PlanClose, 1, 0, false);
      send(0, kEach);
  }
  expectEnds(UCS_ERR_INVALID_PARAM);
  EXPECT_TRUE(UCS_STATUS_IS_ERR(receive_->getStatus())) << receive_->describe();
  EXPECT_TRUE(isUntouchedBeside());
}
INSTANTIATE_TEST_SUITE_P(All, HostilePlanDataTest, testing::Range(0, 18));

class HostilePlanAnswerTest : public HostilePlansTest, public testing::WithParamInterface<int> {};
TEST_P(HostilePlanAnswerTest, EndsTheLink) {
  sendFromWorker();
  switch (GetParam()) {
    case 0:
      answer({kEach, 1}, 2);
      break;
    case 1:
      answer({kEach * kCount, kCount + 1});
      break;
    case 2:
      answer();
      answer();
      break;
    case 3:
      say(MessageKind::PlanReady, 1, 1, true);
      break;
    case 4:
      answer();
      say(MessageKind::PlanReady, 1, 3, true);
      break;
    case 5:
      answer();
      say(MessageKind::PlanReady, 1, 1, true);
      say(MessageKind::PlanReady, 1, 1, true);
      break;
    case 6:
      say(MessageKind::PlanClosed, 1, 0, true);
      break;
    default:
      send(0, kEach);
  }
  expectEnds(UCS_ERR_INVALID_PARAM);
  EXPECT_TRUE(UCS_STATUS_IS_ERR(send_->getStatus())) << send_->describe();
}
INSTANTIATE_TEST_SUITE_P(All, HostilePlanAnswerTest, testing::Range(0, 8));

}  // namespace
}  // namespace ucxx::sim
