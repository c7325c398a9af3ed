// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A peer of this machine that says anything of prepared transfers: each field of their messages
// wrong, too many of them, words that are never written, or by somebody else.

#include "core/hostile_plan.h"

#include <cstdint>
#include <memory>

#include "core/plan/marks.h"
#include "local/arena.h"

namespace ucxx::core::test {
namespace {

TEST_F(HostilePlanTest, HonestSenderByMessages) {
  ASSERT_NO_FATAL_FAILURE(receive());
  send({.first = 2, .length = 2 * kEach, .bytes = 2 * kEach});
  send({.first = 1});
  ASSERT_TRUE(until([&] { return receive_->arrived(1); }));
  EXPECT_TRUE(receive_->arrived(2) && receive_->arrived(3) && !receive_->arrived(0));
  send({.first = 0});
  ASSERT_TRUE(until([&] { return receive_->isCompleted(); }));
  EXPECT_EQ(receive_->getStatus(), UCS_OK);
  expectStays();
}

/// What this peer may not say of a plan of its own that the worker receives.
class HostilePlanSenderTest : public HostilePlanTest, public testing::WithParamInterface<int> {
 protected:
  void sayWrong(int which) {
    PlanOffer next = offer();
    next.id = 2;
    const auto own = local::Arena::get()->bytes();
    switch (which) {
      case 0:
        return send({.plan = 2});
      case 1:
        return send({.plan = 0});
      case 2:
        return send({.iteration = 2});
      case 3:
        return send({.iteration = 0});
      case 4:
        return send({.first = kCount});
      case 5:
        return send({.first = UINT32_MAX});
      case 6:
        return send({.first = kCount - 1, .length = 2 * kEach, .bytes = 2 * kEach});
      case 7:
        return send({.length = kEach - 1, .bytes = kEach - 1});
      case 8:
        return send({.length = 0, .bytes = 0});
      case 9:  // twice
        send({.first = 1});
        return send({.first = 1});
      case 10:  // twice, in part
        send({.first = 1});
        return send({.first = 0, .length = 2 * kEach, .bytes = 2 * kEach});
      case 11:
        return send({.length = kEach * (kCount + 1), .bytes = kEach * (kCount + 1)});
      case 12:
        next.id = 1;
        return tell(next);
      case 13:
        next.id = 3;
        return tell(next);
      case 14:
        next.shape.partitions = 0;
        return tell(next);
      case 15:
        next.shape.partitions = 3;
        return tell(next);
      case 16:
        next.shape = {UINT64_MAX - 1, UINT64_MAX - 1};
        return tell(next);
      case 17:
        next.shape = {0, 4};
        return tell(next);
      case 18:
        next.ready = 4;
        return tell(next);
      case 19:
        return tell(MessageKind::PlanOffer, &next, sizeof next - 8);
      case 20:
        return tell(answer(), 1);  // it has no send of that number
      case 21:
        return say(MessageKind::PlanReady, 1, 1, true);
      case 22:
        return say(MessageKind::PlanClosed, 1, 0, false);
      case 23:
        return say(MessageKind::PlanClose, 2, 0, false);
      case 24:
        return say(MessageKind::PlanClose, 1, 0, true);
      case 25:  // twice
        say(MessageKind::PlanClose, 1, 0, false);
        return say(MessageKind::PlanClose, 1, 0, false);
      case 26:
        say(MessageKind::PlanClose, 1, 0, false);
        return send({});
      case 27:  // no memory of this peer's
        next.ready = 8;
        return tell(next);
      case 28:
        next.ready = reinterpret_cast<std::uintptr_t>(payload_.data()) / 8 * 8;
        return tell(next);
      case 29:  // just after it
        next.ready = reinterpret_cast<std::uintptr_t>(own.data() + own.size());
        return tell(next);
      case 30:
        next.ready = UINT64_MAX - 7;
        return tell(next);
      default:  // with a payload
        WireHeader header = peer_->next(MessageKind::PlanClose);
        header.endpoint = header.sender_opened = header.length = 1;
        return peer_->send(header, std::span(payload_).first(1));
    }
  }
};

TEST_P(HostilePlanSenderTest, EndsTheLink) {
  ASSERT_NO_FATAL_FAILURE(receive());
  sayWrong(GetParam());
  expectEnds(UCS_ERR_INVALID_PARAM);
  EXPECT_TRUE(receive_->isCompleted());
  EXPECT_NE(receive_->getStatus(), UCS_OK);
  EXPECT_TRUE(room_.isWhole());
  receive_ = nullptr;
}
INSTANTIATE_TEST_SUITE_P(All, HostilePlanSenderTest, testing::Range(0, 32));

/// What it may not answer to a send of the worker.
class HostilePlanReceiverTest : public HostilePlanTest, public testing::WithParamInterface<int> {
 protected:
  void sayWrong(int which) {
    PlanAnswer wrong = answer();
    const auto own = reinterpret_cast<std::uintptr_t>(local::Arena::get()->bytes().data());
    switch (which) {
      case 0:
        return tell(answer(), 2);
      case 1:
        return tell(answer(), 0);
      case 2:  // twice
        tell(answer());
        return tell(answer());
      case 3:
        wrong.shape.partitions = 0;
        return tell(wrong);
      case 4:
        wrong.shape.partitions = UINT64_MAX;
        return tell(wrong);
      case 5:
        return tell(MessageKind::PlanAnswer, &wrong, 8);
      case 6:  // not ready for the first iteration yet
        return say(MessageKind::PlanReady, 1, 1, true);
      case 7:
        tell(answer());
        return say(MessageKind::PlanReady, 1, 2, true);
      case 8:
        tell(answer());
        return say(MessageKind::PlanReady, 1, 0, true);
      case 9:
        tell(answer());
        return say(MessageKind::PlanReady, 2, 1, true);
      case 10:  // twice
        tell(answer());
        say(MessageKind::PlanReady, 1, 1, true);
        return say(MessageKind::PlanReady, 1, 1, true);
      case 11:
        wrong.landing = 8;
        return tell(wrong);
      case 12:
        wrong.landing = own + (1 << 20);
        return tell(wrong);
      case 13:
        wrong.landing = own + local::Arena::get()->bytes().size() - 8;
        wrong.data = own;
        return tell(wrong);
      case 14:
        wrong.landing = own + 4;
        wrong.data = own;
        return tell(wrong);
      case 15:
        wrong.landing = own;
        wrong.data = UINT64_MAX - 8;
        return tell(wrong);
      case 16:
        return say(MessageKind::PlanClosed, 1, 0, true);
      case 17:
        return say(MessageKind::PlanClose, 2, 0, true);
      default: {
        WireHeader header = peer_->next(MessageKind::PlanData);
        header.endpoint = 1;
        header.length = kEach;
        return peer_->send(header, std::span(payload_).first(kEach));
      }
    }
  }
};

TEST_P(HostilePlanReceiverTest, EndsTheLink) {
  ASSERT_NO_FATAL_FAILURE(sendFromWorker());
  sayWrong(GetParam());
  expectPlansEnd(UCS_ERR_INVALID_PARAM);
}
INSTANTIATE_TEST_SUITE_P(All, HostilePlanReceiverTest, testing::Range(0, 19));

/// The last word of this peer's library memory is one as others.
TEST_F(HostilePlanTest, ReadyWordAtTheEndOfMemoryIsTaken) {
  const auto own = local::Arena::get()->bytes();
  PlanOffer last = offer();
  last.ready = reinterpret_cast<std::uintptr_t>(own.data() + own.size() - sizeof(Marks::Word));
  tell(last);
  expectStays();
}

TEST_F(HostilePlanTest, TooManyOffersEndTheLink) {
  for (std::uint64_t id = 1; id <= kMostPlans; ++id) {
    PlanOffer next = offer();
    next.id = id;
    tell(next);
    progress();
  }
  expectStays();
  PlanOffer next = offer();
  next.id = kMostPlans + 1;
  tell(next);
  expectEnds(UCS_ERR_NO_MEMORY);
}

TEST_F(HostilePlanTest, AnswerThatDoesNotFitFailsThePlanAlone) {
  ASSERT_NO_FATAL_FAILURE(sendFromWorker());
  tell(PlanAnswer{{kEach, 1}, 0, 0});
  ASSERT_TRUE(until([&] { return send_->isCompleted(); }));
  EXPECT_EQ(send_->getStatus(), UCS_ERR_INVALID_PARAM);
  expectStays();
}

/// It writes what it likes where it may write.
TEST_F(HostilePlanTest, WordsThatAreNonsenseDelayOnlyThePlan) {
  ASSERT_NO_FATAL_FAILURE(sendFromWorker());
  tell(answer());
  send_->ready(0);
  if (offered_.ready != 0) {
    auto& word = *reinterpret_cast<Marks::Word*>(offered_.ready);  // both are in this process
    for (const std::uint64_t value : {std::uint64_t{2}, UINT64_MAX, std::uint64_t{7}}) {
      word = value;
      settle();
      EXPECT_FALSE(send_->isCompleted());
      EXPECT_EQ(heard(MessageKind::PlanData), 0u);
    }
    word = 1;
  }
  ASSERT_TRUE(until([&] { return heard(MessageKind::PlanData) == 1; }));
  send_->ready(1, kCount);
  ASSERT_TRUE(until([&] { return send_->isCompleted(); }));
  EXPECT_EQ(send_->getStatus(), UCS_OK);
  expectStays();
}

/// It never says that it is ready, or sends nothing: the worker's ends close all the same.
TEST_F(HostilePlanTest, SilenceHoldsTheCloseAlone) {
  ASSERT_NO_FATAL_FAILURE(sendFromWorker());
  tell(answer());
  send_->ready();
  settle();
  EXPECT_FALSE(send_->isCompleted());
  auto closed = send_->close();
  settle();
  EXPECT_EQ(send_->getStatus(), UCS_ERR_CANCELED);
  EXPECT_FALSE(closed->isCompleted());  // it has not answered, and may write to the word
  EXPECT_EQ(heard(MessageKind::PlanClose), 1u);
  say(MessageKind::PlanClosed, 1, 0, true);
  EXPECT_TRUE(until([&] { return closed->isCompleted(); }));
  EXPECT_EQ(closed->getStatus(), UCS_OK);
  expectStays();
}

}  // namespace
}  // namespace ucxx::core::test
