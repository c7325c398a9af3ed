// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/channel/credit.h"

#include <cstddef>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace ucxx::core {
namespace {

constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();

SendCredit sendCredit(std::uint64_t bytes, std::uint32_t announcements = 1) {
  SendCredit credit;
  credit.grant(bytes, announcements);
  return credit;
}

TEST(SendCreditTest, WithoutAGrantNothingGoes) {
  const SendCredit credit;
  EXPECT_FALSE(credit.covers(1));
  EXPECT_FALSE(credit.mayAnnounce());
}

TEST(SendCreditTest, AllThatIsGrantedMayBeSpent) {
  SendCredit credit = sendCredit(100);
  EXPECT_TRUE(credit.covers(100));
  EXPECT_FALSE(credit.covers(101));
  credit.spend(60);
  EXPECT_EQ(credit.left(), 40U);
  EXPECT_TRUE(credit.covers(40));
  EXPECT_FALSE(credit.covers(41));
  credit.spend(40);
  EXPECT_FALSE(credit.covers(1));
  EXPECT_EQ(credit.granted(), 100U);
}

TEST(SendCreditTest, ItComesBackInParts) {
  SendCredit credit = sendCredit(100);
  credit.spend(100);
  credit.restore(25);
  EXPECT_EQ(credit.left(), 25U);
  credit.restore(50);
  EXPECT_EQ(credit.left(), 75U);
  credit.spend(70);
  credit.restore(95);
  EXPECT_EQ(credit.left(), 100U);
}

TEST(SendCreditTest, NoPeerGivesBackMoreThanItWasSent) {
  for (const std::uint64_t bytes : {std::uint64_t{41}, std::uint64_t{101}, kAll - 59, kAll}) {
    SendCredit credit = sendCredit(100);
    credit.spend(40);
    credit.restore(bytes);
    EXPECT_EQ(credit.left(), 100U) << bytes;
  }
}

TEST(SendCreditTest, AGrantWithoutLimitDoesNotWrap) {
  SendCredit credit = sendCredit(kAll);
  credit.spend(1000);
  credit.restore(10);
  EXPECT_EQ(credit.left(), kAll - 990);
  credit.restore(kAll);
  EXPECT_EQ(credit.left(), kAll);
  credit.restore(1);
  EXPECT_EQ(credit.left(), kAll);
}

TEST(SendCreditTest, AnnouncementsAreHeldBackAtTheirLimit) {
  SendCredit credit = sendCredit(0, 2);
  credit.announce();
  EXPECT_TRUE(credit.mayAnnounce());
  credit.announce();
  EXPECT_FALSE(credit.mayAnnounce());
  EXPECT_EQ(credit.announced(), 2U);
  EXPECT_EQ(credit.announcementsGranted(), 2U);
  credit.announcementEnded();
  EXPECT_TRUE(credit.mayAnnounce());
}

/// The frames of the message that was the last one to go.
TEST(SendCreditTest, AnnouncementsAboveTheLimitHoldBackUntilTheyHaveEnded) {
  SendCredit credit = sendCredit(0, 1);
  for (int i = 0; i < 3; ++i) credit.announce();
  EXPECT_FALSE(credit.mayAnnounce());
  credit.announcementEnded();
  credit.announcementEnded();
  EXPECT_FALSE(credit.mayAnnounce());
  credit.announcementEnded();
  EXPECT_TRUE(credit.mayAnnounce());
}

TEST(SendCreditTest, OneAnnouncementMayAlwaysGo) {
  SendCredit credit = sendCredit(0, 0);
  EXPECT_TRUE(credit.mayAnnounce());
  credit.announce();
  EXPECT_FALSE(credit.mayAnnounce());
}

ReceiveCredit receiveCredit(std::size_t bytes) { return ReceiveCredit({.bytes = bytes}); }

TEST(ReceiveCreditTest, APeerMaySendWhatIsGranted) {
  ReceiveCredit credit = receiveCredit(100);
  EXPECT_FALSE(credit.take(101));
  EXPECT_TRUE(credit.take(60));
  EXPECT_TRUE(credit.take(40));
  EXPECT_FALSE(credit.take(1));
}

/// What is refused is not counted, and no number wraps.
TEST(ReceiveCreditTest, APeerThatClaimsMoreGetsNothing) {
  ReceiveCredit credit = receiveCredit(100);
  ASSERT_TRUE(credit.take(60));
  EXPECT_FALSE(credit.take(kAll));
  EXPECT_FALSE(credit.take(kAll - 59));  // the sum would be 0
  EXPECT_FALSE(credit.take(41));
  EXPECT_TRUE(credit.take(40));
}

TEST(ReceiveCreditTest, ConsumedBytesGoBackInQuarters) {
  ReceiveCredit credit = receiveCredit(100);
  ASSERT_TRUE(credit.take(100));
  EXPECT_EQ(credit.giveBack(24), 0U);
  EXPECT_EQ(credit.giveBack(1), 25U);
  EXPECT_EQ(credit.giveBack(10), 0U);
  EXPECT_EQ(credit.giveBack(60), 70U);
}

TEST(ReceiveCreditTest, WhatIsConsumedMakesRoom) {
  ReceiveCredit credit = receiveCredit(100);
  ASSERT_TRUE(credit.take(100));
  EXPECT_EQ(credit.giveBack(10), 0U);
  EXPECT_FALSE(credit.take(11));
  EXPECT_TRUE(credit.take(10));
}

TEST(ReceiveCreditTest, MoreGivenBackThanTakenDoesNotWrap) {
  ReceiveCredit credit = receiveCredit(100);
  ASSERT_TRUE(credit.take(10));
  EXPECT_EQ(credit.giveBack(20), 0U);
  EXPECT_TRUE(credit.take(100));
  EXPECT_FALSE(credit.take(1));
}

TEST(ReceiveCreditTest, WhatPassesIsOwedUntilMuchIs) {
  ReceiveCredit credit = receiveCredit(100);
  EXPECT_FALSE(credit.mayPass(25));  // for the peer would have to be told
  ASSERT_TRUE(credit.mayPass(24));
  credit.pass(24);
  EXPECT_FALSE(credit.mayPass(1));
  ASSERT_TRUE(credit.take(100));  // what passed holds no room
  EXPECT_EQ(credit.giveBack(1), 25U);
  EXPECT_FALSE(credit.mayPass(2));  // no room
  EXPECT_TRUE(credit.mayPass(1));
}

TEST(ReceiveCreditTest, AClaimThatWouldWrapDoesNotPass) {
  ReceiveCredit credit = receiveCredit(100);
  ASSERT_TRUE(credit.take(60));
  credit.pass(10);
  EXPECT_FALSE(credit.mayPass(kAll));
  EXPECT_FALSE(credit.mayPass(kAll - 59));
  EXPECT_FALSE(credit.mayPass(kAll - 9));
}

TEST(ReceiveCreditTest, WithoutAGrantNothingIsTaken) {
  ReceiveCredit credit = receiveCredit(0);
  EXPECT_FALSE(credit.take(1));
  EXPECT_FALSE(credit.mayPass(0));
}

TEST(ReceiveCreditTest, AnnouncementsAreLimited) {
  ReceiveCredit credit({.announcements = 2});
  EXPECT_TRUE(credit.takeAnnouncement(false));
  EXPECT_TRUE(credit.takeAnnouncement(false));
  EXPECT_FALSE(credit.takeAnnouncement(false));
  EXPECT_FALSE(credit.takeAnnouncement(true));
  credit.giveBackAnnouncement();
  EXPECT_TRUE(credit.takeAnnouncement(false));
  EXPECT_FALSE(credit.takeAnnouncement(false));
}

TEST(ReceiveCreditTest, FramesOfOneMessageComeOnTop) {
  ReceiveCredit credit({.announcements = 1, .frames = 2});
  ASSERT_TRUE(credit.takeAnnouncement(false));
  EXPECT_TRUE(credit.takeAnnouncement(true));
  EXPECT_FALSE(credit.takeAnnouncement(false));
  EXPECT_TRUE(credit.takeAnnouncement(true));
  EXPECT_FALSE(credit.takeAnnouncement(true));
  credit.giveBackAnnouncement();
  EXPECT_FALSE(credit.takeAnnouncement(false));  // the others are above its limit still
  EXPECT_TRUE(credit.takeAnnouncement(true));
}

TEST(ReceiveCreditTest, FramesWithoutLimitDoNotWrap) {
  ReceiveCredit credit({.announcements = 1, .frames = std::numeric_limits<std::size_t>::max()});
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(credit.takeAnnouncement(true));
  EXPECT_FALSE(credit.takeAnnouncement(false));
}

TEST(ReceiveCreditTest, MoreAnnouncementsGivenBackThanTakenDoNotWrap) {
  ReceiveCredit credit({.announcements = 1});
  credit.giveBackAnnouncement();
  EXPECT_TRUE(credit.takeAnnouncement(false));
  EXPECT_FALSE(credit.takeAnnouncement(false));
}

}  // namespace
}  // namespace ucxx::core
