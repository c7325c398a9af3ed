// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/link/order.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace ucxx::core {
namespace {

constexpr std::uint32_t kLast = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kMostAheadOfTurn = 1 << 20;
constexpr std::size_t kBesideCredit = 16 << 20;

std::span<const std::byte> bytesOf(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}
std::string textOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
std::string textOf(const ucp::Payload& payload) {
  return {static_cast<const char*>(payload.bytes), payload.size};
}

WireHeader headerOf(std::uint32_t sequence) {
  WireHeader header;
  header.sequence = sequence;
  return header;
}

bool keep(Order& order, std::uint32_t sequence, std::string_view text = "",
          std::string_view prologue = "") {
  return order.keep(headerOf(sequence), bytesOf(prologue), {text.data(), text.size(), nullptr});
}

bool keepBytes(Order& order, std::uint32_t sequence, std::size_t size) {
  const std::vector<std::byte> bytes(size);
  return order.keep(headerOf(sequence), {}, {bytes.data(), size, nullptr});
}

bool keepAnnounced(Order& order, std::uint32_t sequence, std::string_view prologue = "") {
  WireHeader header = headerOf(sequence);
  header.announces = static_cast<std::uint8_t>(Announces::Payload);
  return order.keep(header, bytesOf(prologue), {});
}

/// UCX announces it, and holds it.
bool keepOfUcx(Order& order, std::uint32_t sequence, void* announcement) {
  return order.keep(headerOf(sequence), {}, {nullptr, kBesideCredit, announcement});
}

/// The sequences of those that have their turn, in which they are handled.
std::vector<std::uint32_t> handleAll(Order& order) {
  std::vector<std::uint32_t> handled;
  while (const std::optional<Order::Early> message = order.release()) {
    EXPECT_TRUE(order.isTurn(message->header.sequence));
    handled.push_back(message->header.sequence);
    order.advance();
  }
  return handled;
}

using Sequences = std::vector<std::uint32_t>;

TEST(OrderTest, ATurnIsOverWhenItsMessageIsHandled) {
  Order order({});
  EXPECT_EQ(order.next(), 0U);
  EXPECT_TRUE(order.isTurn(0));
  EXPECT_FALSE(order.isTurn(1));
  order.advance();
  EXPECT_EQ(order.next(), 1U);
  EXPECT_FALSE(order.isTurn(0));
  EXPECT_TRUE(order.isTurn(1));
}

TEST(OrderTest, WhatCameEarlyWaitsForItsTurn) {
  Order order({.bytes = 1000, .announcements = 0});
  EXPECT_TRUE(order.isEmpty());
  ASSERT_TRUE(keep(order, 3));
  ASSERT_TRUE(keep(order, 1));
  ASSERT_TRUE(keep(order, 2));
  EXPECT_FALSE(order.isEmpty());
  EXPECT_FALSE(order.release().has_value());
  order.advance();
  EXPECT_EQ(handleAll(order), (Sequences{1, 2, 3}));
  EXPECT_TRUE(order.isEmpty());
  EXPECT_EQ(order.next(), 4U);
}

TEST(OrderTest, AGapStopsThoseBehindIt) {
  Order order({});
  ASSERT_TRUE(keep(order, 1));
  ASSERT_TRUE(keep(order, 3));
  order.advance();
  EXPECT_EQ(handleAll(order), Sequences{1});
  EXPECT_FALSE(order.isEmpty());
  order.advance();
  EXPECT_EQ(handleAll(order), Sequences{3});
}

/// A link that is not up keeps even the message that has its turn.
TEST(OrderTest, TheMessageThatHasItsTurnMayWait) {
  Order order({});
  ASSERT_TRUE(keep(order, 0));
  EXPECT_TRUE(order.isTurn(0));
  EXPECT_EQ(handleAll(order), Sequences{0});
}

TEST(OrderTest, BytesStayAsTheyCame) {
  Order order({});
  {
    std::string text = "payload", prologue = "prologue";
    ASSERT_TRUE(keep(order, 0, text, prologue));
    text.assign(text.size(), '-');
    prologue.assign(prologue.size(), '-');
  }
  const std::optional<Order::Early> message = order.release();
  ASSERT_TRUE(message.has_value());
  EXPECT_EQ(textOf(message->payload()), "payload");
  EXPECT_EQ(textOf(message->prologue), "prologue");
  EXPECT_EQ(message->payload().announcement, nullptr);
}

TEST(OrderTest, TheOrderOutlivesTheWrapOfSequences) {
  Order order({}, kLast - 1);
  ASSERT_TRUE(keep(order, 1));
  ASSERT_TRUE(keep(order, kLast));
  ASSERT_TRUE(keep(order, 0));
  EXPECT_FALSE(keep(order, kLast - 2));  // its turn is over
  order.advance();
  EXPECT_EQ(handleAll(order), (Sequences{kLast, 0, 1}));
  EXPECT_EQ(order.next(), 2U);
  EXPECT_FALSE(keep(order, kLast));
}

TEST(OrderTest, ASequenceComesOnce) {
  Order order({});
  ASSERT_TRUE(keep(order, 1, "first"));
  EXPECT_FALSE(keep(order, 1, "second"));
  order.advance();
  const std::optional<Order::Early> message = order.release();
  ASSERT_TRUE(message.has_value());
  EXPECT_EQ(textOf(message->payload()), "first");
  order.advance();
  EXPECT_FALSE(keep(order, 0));
  EXPECT_FALSE(keep(order, 1));
  EXPECT_TRUE(order.isEmpty());
}

TEST(OrderTest, NoMessageIsTooFarAhead) {
  for (const std::uint32_t first : {0U, kLast - 1}) {
    Order order({}, first);
    EXPECT_TRUE(keep(order, first + kMostAheadOfTurn));
    EXPECT_FALSE(keep(order, first + kMostAheadOfTurn + 1));
    order.advance();
    EXPECT_TRUE(keep(order, first + kMostAheadOfTurn + 1));
  }
}

TEST(OrderTest, BytesAreLimited) {
  constexpr std::size_t kCredit = 1 << 20, kMost = kCredit + kBesideCredit;
  Order order({.bytes = kCredit, .announcements = 0});
  EXPECT_FALSE(keepBytes(order, 1, kMost - kRecordBytes + 1));
  ASSERT_TRUE(keepBytes(order, 1, kMost - kRecordBytes));
  EXPECT_FALSE(keep(order, 2));  // an empty one has a record, too
  order.advance();
  EXPECT_EQ(handleAll(order), Sequences{1});
  EXPECT_TRUE(keep(order, 3));
}

TEST(OrderTest, ARefusedMessageTakesNoRoom) {
  constexpr std::size_t kHalf = kBesideCredit / 2 - kRecordBytes;
  Order order({});
  ASSERT_TRUE(keepBytes(order, 1, kHalf));
  EXPECT_FALSE(keepBytes(order, 1, kHalf));
  EXPECT_FALSE(keepBytes(order, 2 * kMostAheadOfTurn, kHalf));
  EXPECT_TRUE(keepBytes(order, 2, kHalf));
  EXPECT_FALSE(keep(order, 3));
}

TEST(OrderTest, APrologueCosts) {
  const std::string prologue(kBesideCredit - kRecordBytes, '-');
  Order order({});
  EXPECT_FALSE(keep(order, 1, "-", prologue));
  ASSERT_TRUE(keep(order, 1, "", prologue));
  EXPECT_FALSE(keep(order, 2));
}

/// The prologues of announcements are limited with them.
TEST(OrderTest, APrologueOfAnAnnouncementCostsNothing) {
  Order order({.bytes = 0, .announcements = 1});
  ASSERT_TRUE(keepAnnounced(order, 1, std::string(kBesideCredit, '-')));
  EXPECT_TRUE(keep(order, 2));
}

TEST(OrderTest, AnnouncementsAreLimited) {
  int of_ucx = 0;
  Order order({.bytes = 0, .announcements = 2});
  ASSERT_TRUE(keepAnnounced(order, 1));
  ASSERT_TRUE(keepOfUcx(order, 2, &of_ucx));
  EXPECT_FALSE(keepAnnounced(order, 3));
  EXPECT_FALSE(keepOfUcx(order, 3, &of_ucx));
  EXPECT_TRUE(keep(order, 3));
  order.advance();
  EXPECT_EQ(handleAll(order), (Sequences{1, 2, 3}));
  EXPECT_TRUE(keepAnnounced(order, 5));
  EXPECT_TRUE(keepOfUcx(order, 6, &of_ucx));
  EXPECT_FALSE(keepAnnounced(order, 7));
}

TEST(OrderTest, WhatUcxHoldsCostsNoBytes) {
  int of_ucx = 0;
  Order order({.bytes = 0, .announcements = 1});
  ASSERT_TRUE(keepOfUcx(order, 0, &of_ucx));
  EXPECT_TRUE(keepBytes(order, 1, kBesideCredit - 2 * kRecordBytes));
  const std::optional<Order::Early> message = order.release();
  ASSERT_TRUE(message.has_value());
  EXPECT_EQ(message->payload().announcement, &of_ucx);
  EXPECT_EQ(message->payload().size, kBesideCredit);
}

TEST(OrderTest, ClearGivesBackWhatUcxHolds) {
  int one = 0, two = 0;
  Order order({.bytes = 0, .announcements = 2}, 7);
  ASSERT_TRUE(keepOfUcx(order, 8, &one));
  ASSERT_TRUE(keepOfUcx(order, 9, &two));
  ASSERT_TRUE(keepBytes(order, 10, kBesideCredit - 3 * kRecordBytes));
  std::vector<void*> dropped;
  order.clear([&](const ucp::Payload& payload) { dropped.push_back(payload.announcement); });
  EXPECT_EQ(dropped, (std::vector<void*>{&one, &two, nullptr}));
  EXPECT_TRUE(order.isEmpty());
  EXPECT_TRUE(order.isTurn(7));
  EXPECT_TRUE(keepAnnounced(order, 8));  // all the room is there again
  EXPECT_TRUE(keepAnnounced(order, 9));
  EXPECT_TRUE(keepBytes(order, 10, kBesideCredit - 3 * kRecordBytes));
}

}  // namespace
}  // namespace ucxx::core
