// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "core/match/matcher.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace ucxx::core {
namespace {

constexpr std::uint64_t kAny = 0;
constexpr std::uint64_t kHigh = 0xFFFFFFFF00000000u;

std::vector<ArrivedMessage*> arrivedIn(const Matcher& matcher) {
  std::vector<ArrivedMessage*> messages;
  for (ArrivedMessage* one = matcher.oldest(); one != nullptr; one = Matcher::newerThan(*one))
    messages.push_back(one);
  return messages;
}

/// The next of its tag in `messages`, which are in their order.
ArrivedMessage* newerOfTagIn(const std::vector<ArrivedMessage*>& messages, std::size_t place) {
  for (std::size_t i = place + 1; i < messages.size(); ++i)
    if (messages[i]->tag == messages[place]->tag) return messages[i];
  return nullptr;
}

TEST(MatcherTest, PostedReceiveGetsTheMessage) {
  Matcher matcher;
  PostedReceive receive(7, kTagMaskFull);
  EXPECT_EQ(matcher.post(receive), nullptr);
  EXPECT_TRUE(receive.isWaiting());
  EXPECT_EQ(matcher.match(8), nullptr);
  EXPECT_EQ(matcher.match(7), &receive);
  EXPECT_FALSE(receive.isWaiting());
  EXPECT_EQ(matcher.match(7), nullptr);
}

TEST(MatcherTest, KeptMessageGetsTheReceive) {
  Matcher matcher;
  ArrivedMessage message(7, 100);
  matcher.keep(message);
  PostedReceive other(8, kTagMaskFull);
  EXPECT_EQ(matcher.post(other), nullptr);
  PostedReceive receive(7, kTagMaskFull);
  EXPECT_EQ(matcher.post(receive), &message);
  EXPECT_FALSE(receive.isWaiting());
  EXPECT_FALSE(message.isWaiting());
  EXPECT_TRUE(matcher.withdraw(other));
}

TEST(MatcherTest, SameTagMatchesInOrder) {
  Matcher matcher;
  std::deque<PostedReceive> receives;
  for (int i = 0; i < 5; ++i) matcher.post(receives.emplace_back(1, kTagMaskFull));
  for (PostedReceive& receive : receives) EXPECT_EQ(matcher.match(1), &receive);
  std::deque<ArrivedMessage> messages;
  for (int i = 0; i < 5; ++i) matcher.keep(messages.emplace_back(1, i));
  for (ArrivedMessage& message : messages) {
    PostedReceive receive(1, kTagMaskFull);
    EXPECT_EQ(matcher.post(receive), &message);
  }
}

TEST(MatcherTest, OldestPostedWinsOverWildcard) {
  Matcher matcher;
  PostedReceive exact(5, kTagMaskFull);
  PostedReceive wildcard(0, kAny);
  matcher.post(exact);
  matcher.post(wildcard);
  EXPECT_EQ(matcher.match(5), &exact);
  EXPECT_EQ(matcher.match(5), &wildcard);
}

TEST(MatcherTest, OldestWildcardWinsOverExact) {
  Matcher matcher;
  PostedReceive unrelated(std::uint64_t{9} << 32, kHigh);
  PostedReceive wildcard(0, kAny);
  PostedReceive exact(5, kTagMaskFull);
  matcher.post(unrelated);
  matcher.post(wildcard);
  matcher.post(exact);
  EXPECT_EQ(matcher.match(5), &wildcard);
  EXPECT_EQ(matcher.match(5), &exact);
  EXPECT_TRUE(matcher.withdraw(unrelated));
}

TEST(MatcherTest, WildcardTakesTheOldestMatchingMessage) {
  Matcher matcher;
  ArrivedMessage first((std::uint64_t{1} << 32) + 1, 0);
  ArrivedMessage second((std::uint64_t{2} << 32) + 9, 0);
  ArrivedMessage third((std::uint64_t{2} << 32) + 3, 0);
  for (ArrivedMessage* message : {&first, &second, &third}) matcher.keep(*message);
  PostedReceive high((std::uint64_t{2} << 32) + 77, kHigh);  // bits outside the mask are ignored
  EXPECT_EQ(matcher.post(high), &second);
  PostedReceive any(123, kAny);
  EXPECT_EQ(matcher.post(any), &first);
  EXPECT_EQ(matcher.post(any), &third);
}

TEST(MatcherTest, ProbeLeavesTheMessage) {
  Matcher matcher;
  ArrivedMessage message(3, 42);
  EXPECT_EQ(matcher.probe(3, kTagMaskFull), nullptr);
  matcher.keep(message);
  EXPECT_EQ(matcher.probe(3, kTagMaskFull), &message);
  EXPECT_EQ(matcher.probe(0, kAny)->size, 42u);
  EXPECT_EQ(matcher.probe(4, kTagMaskFull), nullptr);
  EXPECT_EQ(matcher.arrivedCount(), 1u);
  EXPECT_TRUE(matcher.remove(message));
}

TEST(MatcherTest, WithdrawnReceiveIsNotMatched) {
  Matcher matcher;
  std::deque<PostedReceive> receives;
  for (int i = 0; i < 3; ++i) matcher.post(receives.emplace_back(1, kTagMaskFull));
  EXPECT_TRUE(matcher.withdraw(receives[0]));  // the oldest has the tag's place in the table
  EXPECT_FALSE(matcher.withdraw(receives[0]));
  EXPECT_TRUE(matcher.withdraw(receives[2]));
  EXPECT_EQ(matcher.match(1), &receives[1]);
  EXPECT_EQ(matcher.match(1), nullptr);
}

TEST(MatcherTest, RemovedMessageIsNotFound) {
  Matcher matcher;
  std::deque<ArrivedMessage> messages;
  for (int i = 0; i < 3; ++i) matcher.keep(messages.emplace_back(1, i));
  EXPECT_TRUE(matcher.remove(messages[0]));
  EXPECT_FALSE(matcher.remove(messages[0]));
  EXPECT_TRUE(matcher.remove(messages[2]));
  EXPECT_EQ(matcher.probe(0, kAny), &messages[1]);
  EXPECT_EQ(matcher.probe(1, kTagMaskFull), &messages[1]);
}

TEST(MatcherTest, RestoredMessagesAreAtTheirOldPlaces) {
  Matcher matcher;
  std::deque<ArrivedMessage> messages;
  for (std::uint64_t i = 0; i < 6; ++i) matcher.keep(messages.emplace_back(i % 2, i));
  PostedReceive receives[] = {{0, kTagMaskFull}, {1, kTagMaskFull}, {0, kTagMaskFull}};
  for (PostedReceive& receive : receives) matcher.post(receive);  // 0, 1, 2
  for (const std::size_t i : {2, 0, 1}) {
    EXPECT_EQ(receives[i].number, messages[i].number);
    EXPECT_EQ(matcher.restore(messages[i]), nullptr);
  }
  const auto arrived = arrivedIn(matcher);
  ASSERT_EQ(arrived.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(arrived[i], &messages[i]);
  for (const std::size_t i : {0, 2, 4}) {
    PostedReceive receive(0, kTagMaskFull);
    EXPECT_EQ(matcher.post(receive), &messages[i]);
  }
}

TEST(MatcherTest, ARestoredMessageGetsTheOldestReceiveThatWaits) {
  Matcher matcher;
  PostedReceive other(2, kTagMaskFull), wildcard(0, kAny), exact(1, kTagMaskFull);
  for (PostedReceive* receive : {&other, &wildcard, &exact}) matcher.post(*receive);
  ArrivedMessage message(1, 0);
  message.number = 77;
  EXPECT_EQ(matcher.restore(message), &wildcard);
  EXPECT_EQ(wildcard.number, 77u);
  EXPECT_EQ(matcher.restore(message), &exact);
  EXPECT_EQ(matcher.restore(message), nullptr);
  EXPECT_TRUE(message.isWaiting());
}

TEST(MatcherTest, RepostedReceivesAreAtTheirOldPlaces) {
  Matcher matcher;
  std::deque<PostedReceive> receives;
  for (const std::uint64_t mask : {kTagMaskFull, kAny, kTagMaskFull, kAny, kTagMaskFull})
    matcher.post(receives.emplace_back(1, mask));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(matcher.match(1), &receives[i]);
  for (const int i : {2, 1, 3, 0}) EXPECT_EQ(matcher.repost(receives[i]), nullptr);
  for (PostedReceive& receive : receives) EXPECT_EQ(matcher.match(1), &receive);
  ArrivedMessage message(1, 100);
  matcher.keep(message);
  EXPECT_EQ(matcher.repost(receives[2]), &message);
}

TEST(MatcherTest, SnapshotsAreInOrder) {
  Matcher matcher;
  std::deque<PostedReceive> receives;
  std::deque<ArrivedMessage> messages;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    matcher.post(receives.emplace_back(i % 100 + 1000, i % 7 == 0 ? kHigh | 0xFFF : kTagMaskFull));
    matcher.keep(messages.emplace_back(i % 50, 0));
  }
  const auto posted = matcher.posted();
  const auto arrived = arrivedIn(matcher);
  ASSERT_EQ(posted.size(), 1000u);
  ASSERT_EQ(arrived.size(), 1000u);
  for (std::size_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(posted[i], &receives[i]);
    EXPECT_EQ(arrived[i], &messages[i]);
  }
}

// The obvious matcher.
struct Model {
  std::vector<PostedReceive*> receives;
  std::vector<ArrivedMessage*> messages;

  template <class T>
  static void erase(std::vector<T*>& nodes, T* node) {
    nodes.erase(std::find(nodes.begin(), nodes.end(), node));
  }

  ArrivedMessage* oldest(std::uint64_t tag, std::uint64_t mask) const {
    for (ArrivedMessage* message : messages) {
      if ((message->tag & mask) == (tag & mask)) return message;
    }
    return nullptr;
  }

  ArrivedMessage* post(PostedReceive* receive) {
    ArrivedMessage* message = oldest(receive->tag, receive->mask);
    if (message == nullptr) {
      receives.push_back(receive);
    } else {
      erase(messages, message);
    }
    return message;
  }

  PostedReceive* match(std::uint64_t tag) {
    for (PostedReceive* receive : receives) {
      if ((tag & receive->mask) == (receive->tag & receive->mask)) {
        erase(receives, receive);
        return receive;
      }
    }
    return nullptr;
  }
};

class Comparison {
 public:
  Comparison(unsigned seed, std::uint64_t tags) : random_(seed), tags_(tags) {}

  void step() {
    switch (random_() % 10) {
      case 0:
      case 1:
      case 2:
        return post();
      case 3:
      case 4:
      case 5:
        return arrive();
      case 6:
        return withdraw();
      case 7:
        return restore();
      case 8:
        return repost();
      default:
        return probe();
    }
  }

  void compareAll() {
    EXPECT_EQ(matcher_.posted(), model_.receives);
    EXPECT_EQ(arrivedIn(matcher_), model_.messages);
    EXPECT_EQ(matcher_.postedCount(), model_.receives.size());
    EXPECT_EQ(matcher_.arrivedCount(), model_.messages.size());
    for (std::size_t i = 0; i < model_.messages.size(); ++i)
      EXPECT_EQ(Matcher::newerOfTag(*model_.messages[i]), newerOfTagIn(model_.messages, i));
  }

 private:
  std::uint64_t tag() { return random_() % 3 << 32 | random_() % tags_; }
  std::uint64_t mask() {
    constexpr std::uint64_t kMasks[] = {kAny, kHigh, 1, kHigh | 0xF};
    return random_() % 4 != 0 ? kTagMaskFull : kMasks[random_() % 4];
  }

  void post() {
    PostedReceive& receive = receives_.emplace_back(tag(), mask());
    ASSERT_EQ(matcher_.post(receive), model_.post(&receive));
  }

  void arrive() {
    const std::uint64_t tag_now = tag();
    PostedReceive* receive = matcher_.match(tag_now);
    ASSERT_EQ(receive, model_.match(tag_now));
    if (receive != nullptr) return;
    ArrivedMessage& message = messages_.emplace_back(tag_now, 0);
    matcher_.keep(message);
    model_.messages.push_back(&message);
  }

  void withdraw() {
    if (!receives_.empty()) {
      PostedReceive& receive = receives_[random_() % receives_.size()];
      const bool waits = receive.isWaiting();
      ASSERT_EQ(matcher_.withdraw(receive), waits);
      if (waits) Model::erase(model_.receives, &receive);
    }
    if (!messages_.empty()) {
      ArrivedMessage& message = messages_[random_() % messages_.size()];
      const bool waits = message.isWaiting();
      ASSERT_EQ(matcher_.remove(message), waits);
      if (waits) Model::erase(model_.messages, &message);
    }
  }

  /// One that was removed.
  void restore() {
    if (messages_.empty()) return;
    ArrivedMessage& message = messages_[random_() % messages_.size()];
    if (message.isWaiting()) return;
    PostedReceive* receive = matcher_.restore(message);
    ASSERT_EQ(receive, model_.match(message.tag));
    if (receive != nullptr) return;
    auto& all = model_.messages;
    all.insert(std::find_if(all.begin(), all.end(),
                            [&](const auto* one) { return one->number > message.number; }),
               &message);
  }

  /// One that has matched.
  void repost() {
    if (receives_.empty()) return;
    PostedReceive& receive = receives_[random_() % receives_.size()];
    if (receive.isWaiting()) return;
    ArrivedMessage* message = model_.oldest(receive.tag, receive.mask);
    ASSERT_EQ(matcher_.repost(receive), message);
    if (message != nullptr) return Model::erase(model_.messages, message);
    auto& all = model_.receives;
    all.insert(std::find_if(all.begin(), all.end(),
                            [&](const auto* one) { return one->posted > receive.posted; }),
               &receive);
  }

  void probe() {
    const std::uint64_t tag_now = tag();
    const std::uint64_t mask_now = mask();
    ASSERT_EQ(matcher_.probe(tag_now, mask_now), model_.oldest(tag_now, mask_now));
  }

  std::mt19937 random_;
  std::uint64_t tags_;
  std::deque<PostedReceive> receives_;
  std::deque<ArrivedMessage> messages_;
  Matcher matcher_;
  Model model_;
};

TEST(MatcherTest, AgreesWithTheObviousMatcher) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    Comparison comparison(seed, seed % 3 == 0 ? 2000 : 5);
    for (int i = 0; i < 4000 && !testing::Test::HasFailure(); ++i) {
      comparison.step();
      if (i % 500 == 0) comparison.compareAll();
    }
    comparison.compareAll();
    ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
  }
}

// A quadratic matcher needs a minute for these; a linear one milliseconds.
class MatcherScaleTest : public testing::Test {
 protected:
  static constexpr std::uint64_t kMany = 100000;
  void TearDown() override {
    EXPECT_LT(std::chrono::steady_clock::now() - start_, std::chrono::seconds(10));
  }
  Matcher matcher_;
  std::deque<PostedReceive> receives_;
  std::deque<ArrivedMessage> messages_;

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

TEST_F(MatcherScaleTest, ManyTagsMatchedBackwards) {
  for (std::uint64_t i = 0; i < kMany; ++i) {
    matcher_.post(receives_.emplace_back(i << 20, kTagMaskFull));
  }
  for (std::uint64_t i = kMany; i-- > 0;) ASSERT_EQ(matcher_.match(i << 20), &receives_[i]);
}

TEST_F(MatcherScaleTest, ManyMessagesOfOneTag) {
  for (std::uint64_t i = 0; i < kMany; ++i) matcher_.keep(messages_.emplace_back(6, i));
  for (std::uint64_t i = 0; i < kMany; ++i) {
    PostedReceive other(i + 7, kTagMaskFull);
    ASSERT_EQ(matcher_.post(other), nullptr);
    ASSERT_TRUE(matcher_.withdraw(other));
    PostedReceive receive(6, kTagMaskFull);
    ASSERT_EQ(matcher_.post(receive), &messages_[i]);
  }
}

TEST_F(MatcherScaleTest, ManyReceivesOfOneTagWithdrawnFromBothEnds) {
  for (std::uint64_t i = 0; i < kMany; ++i) {
    matcher_.post(receives_.emplace_back(6, kTagMaskFull));
  }
  for (std::uint64_t i = 0; i < kMany / 2; ++i) {
    ASSERT_TRUE(matcher_.withdraw(receives_[i]));
    ASSERT_TRUE(matcher_.withdraw(receives_[kMany - 1 - i]));
  }
  EXPECT_EQ(matcher_.match(6), nullptr);
}

TEST_F(MatcherScaleTest, ManyMessagesRestoredAtBothEnds) {
  for (std::uint64_t i = 0; i < kMany; ++i) matcher_.keep(messages_.emplace_back(i, i));
  for (std::uint64_t i = 0; i < kMany; ++i) {
    for (ArrivedMessage* message : {&messages_.front(), &messages_.back()}) {
      ASSERT_TRUE(matcher_.remove(*message));
      ASSERT_EQ(matcher_.restore(*message), nullptr);
    }
  }
  EXPECT_EQ(matcher_.oldest(), &messages_.front());
}

TEST_F(MatcherScaleTest, AnyTagTakesManyDifferentMessages) {
  for (std::uint64_t i = 0; i < kMany; ++i) matcher_.keep(messages_.emplace_back(i, 0));
  for (std::uint64_t i = 0; i < kMany; ++i) {
    PostedReceive any(0, kAny);
    ASSERT_EQ(matcher_.post(any), &messages_[i]);
  }
}

TEST_F(MatcherScaleTest, WildcardsBehindExactReceivesAreNotWalked) {
  for (std::uint64_t i = 0; i < kMany; ++i) {
    matcher_.post(receives_.emplace_back(i, kTagMaskFull));
  }
  for (std::uint64_t i = 0; i < kMany; ++i) {
    matcher_.post(receives_.emplace_back(std::uint64_t{1} << 40, kHigh));
  }
  for (std::uint64_t i = 0; i < kMany; ++i) ASSERT_EQ(matcher_.match(i), &receives_[i]);
}

/// Tags that met in one bucket when the table multiplied by a number that everybody could read.
std::uint64_t chosenTag(std::uint64_t i) {
  std::uint64_t inverse = 1;  // of the golden ratio, by Newton
  for (int round = 0; round < 6; ++round) inverse *= 2 - 0x9E3779B97F4A7C15u * inverse;
  const std::uint64_t folded = i * inverse;
  return folded ^ folded >> 32;
}

TEST_F(MatcherScaleTest, PeerCannotChooseTagsThatMeet) {
  for (std::uint64_t i = 0; i < kMany; ++i) matcher_.keep(messages_.emplace_back(chosenTag(i), 0));
  for (std::uint64_t i = 0; i < kMany; ++i) {
    PostedReceive receive(chosenTag(i), kTagMaskFull);
    ASSERT_EQ(matcher_.post(receive), &messages_[i]);
  }
}

TEST(TagTableTest, TablesSpreadTagsDifferently) {
  std::deque<TagNode> nodes;
  std::vector<std::uint64_t> orders[2];
  for (auto& order : orders) {
    TagTable table;
    for (std::uint64_t tag = 0; tag < 100; ++tag) table.insert(nodes.emplace_back(tag));
    std::vector<TagNode*> collected;
    table.collect(collected);
    for (const TagNode* node : collected) order.push_back(node->tag);
  }
  EXPECT_NE(orders[0], orders[1]);
}

}  // namespace
}  // namespace ucxx::core
