// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "core/bulk/way_choice.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace ucxx::core::test {
namespace {

constexpr double kCyclesPerSecond = 3e9;
constexpr WayChoice::Ways kAll = WayChoice::bitOf(Way::Cached) | WayChoice::bitOf(Way::Streaming) |
                                 WayChoice::bitOf(Way::Copied);

/// What each way moves, GB/s.
struct Speeds {
  double cached, streaming, copied;

  double of(Way way) const noexcept {
    return way == Way::Cached ? cached : way == Way::Streaming ? streaming : copied;
  }
  Way best() const noexcept {
    if (cached >= streaming && cached >= copied) return Way::Cached;
    return streaming >= copied ? Way::Streaming : Way::Copied;
  }
};
// Measured with 64 KiB and 1 MiB; docs/explanation/local_payloads.md says what they follow from.
constexpr Speeds kNear{26, 11.3, 13};
constexpr Speeds kFar{2, 14.7, 12.5};
constexpr Speeds kHugePages{27, 20, 46};
constexpr Speeds kIntel{10, 9, 27};

/// Payloads of one size, one after the other, on a machine that a script describes.
class Traffic {
 public:
  explicit Traffic(std::size_t size, Way first = Way::Cached, WayChoice::Ways ways = kAll)
      : size_(size) {
    choice_.allow(ways, first, size > 1 << 20);
  }

  /// So many payloads come; one of a thousand waits for a processor.
  void run(int payloads, const Speeds& speeds) {
    for (int i = 0; i < payloads; ++i) {
      payload_way_ = choice_.way();
      for (std::size_t left = size_; left != 0;) {
        const std::size_t part =
            payload_way_ == Way::Copied ? left : std::min<std::size_t>(left, 4 << 20);
        left -= part;
        take(part, speeds);
      }
      now_ += gap_;
    }
  }
  /// Of the bytes since the last time, how many came in another than the best way.
  double takeShareOfWrong() {
    const double share = static_cast<double>(wrong_) / static_cast<double>(bytes_);
    bytes_ = wrong_ = 0;
    return share;
  }
  int payloadsFor(std::size_t bytes) const { return static_cast<int>(bytes / size_) + 1; }

  WayChoice choice_;
  double seconds_ = 0;  // that payloads have taken
  WayChoice::Ways ways_seen_ = 0;
  std::uint64_t gap_ = 0;  // cycles between two payloads

 private:
  void take(std::size_t bytes, const Speeds& speeds) {
    // Through the ring, each fragment is written as its receiver wants it now.
    if (payload_way_ != Way::Copied && choice_.way() != Way::Copied) payload_way_ = choice_.way();
    double cycles = static_cast<double>(bytes) / (speeds.of(payload_way_) * 1e9 / kCyclesPerSecond);
    if (++count_ % 1000 == 0) cycles += kCyclesPerSecond / 2500;
    seconds_ += cycles / kCyclesPerSecond;
    ways_seen_ |= WayChoice::bitOf(payload_way_);
    now_ += static_cast<std::uint64_t>(cycles);
    choice_.came(payload_way_, bytes, static_cast<std::uint64_t>(cycles), now_);
    bytes_ += bytes;
    if (payload_way_ != speeds.best()) wrong_ += bytes;
  }

  Way payload_way_ = Way::Cached;
  std::size_t size_;
  std::uint64_t now_ = 0;
  std::uint64_t count_ = 0;
  std::size_t bytes_ = 0;
  std::size_t wrong_ = 0;
};

constexpr std::size_t kMuch = std::size_t{4} << 30;
constexpr double kMostWrong = 0.05;

class WayChoiceTest : public testing::TestWithParam<std::size_t> {
 protected:
  Traffic traffic_{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(All, WayChoiceTest,
                         testing::Values(16 << 10, 64 << 10, 256 << 10, 1 << 20, 16 << 20,
                                         64 << 20),
                         [](const auto& info) { return std::to_string(info.param >> 10) + "KiB"; });

TEST_P(WayChoiceTest, TheBestWayIsFoundAndKept) {
  for (const Speeds& speeds : {kNear, kFar, kHugePages, kIntel}) {
    Traffic traffic(GetParam());
    traffic.run(traffic.payloadsFor(std::size_t{256} << 20) + 100, speeds);  // it learns
    traffic.takeShareOfWrong();
    traffic.run(traffic.payloadsFor(kMuch) + 100, speeds);
    EXPECT_EQ(traffic.choice_.usual(), speeds.best());
    EXPECT_LE(traffic.takeShareOfWrong(), kMostWrong);
  }
}

TEST_P(WayChoiceTest, ItFollowsProcessorsThatMove) {
  for (const Speeds& speeds : {kNear, kFar, kNear, kHugePages, kFar, kIntel, kNear}) {
    traffic_.run(traffic_.payloadsFor(kMuch) + 300, speeds);
    EXPECT_EQ(traffic_.choice_.usual(), speeds.best());
  }
}

/// The host moves the processors once or twice.
TEST_P(WayChoiceTest, MovesDuringAGigabyteCostLessThanAnyConstantWay) {
  constexpr std::size_t kGigabyte = 1 << 30;
  for (const int parts : {2, 3}) {
    Traffic traffic(GetParam());
    traffic.run(traffic.payloadsFor(kMuch) + 300, kNear);
    const int each = std::max(1, traffic.payloadsFor(kGigabyte) / parts);
    std::array<double, local::kWays> constant{};
    const double before = traffic.seconds_;
    for (int part = 0; part < parts; ++part) {
      const Speeds& speeds = part % 2 == 0 ? kNear : kFar;
      traffic.run(each, speeds);
      for (std::size_t way = 0; way < local::kWays; ++way)
        constant[way] +=
            static_cast<double>(GetParam()) * each / speeds.of(static_cast<Way>(way)) / 1e9;
    }
    EXPECT_LE(traffic.seconds_ - before, 1.1 * std::ranges::min(constant)) << parts << " parts";
  }
}

TEST_P(WayChoiceTest, TrialsOfAFewPayloadsNowAndThenAreRare) {
  traffic_.gap_ = static_cast<std::uint64_t>(kCyclesPerSecond / 100);  // 100 payloads a second
  traffic_.run(3000, kNear);
  traffic_.takeShareOfWrong();
  traffic_.run(30'000, kNear);
  EXPECT_LE(traffic_.takeShareOfWrong(), kMostWrong);
}

TEST_P(WayChoiceTest, OnlyWhatIsAllowedIsTried) {
  constexpr WayChoice::Ways kRing =
      WayChoice::bitOf(Way::Cached) | WayChoice::bitOf(Way::Streaming);
  Traffic ring(GetParam(), Way::Cached, kRing);
  ring.run(2000, kIntel);
  EXPECT_EQ(ring.ways_seen_, kRing);
  Traffic copied(GetParam(), Way::Copied, WayChoice::bitOf(Way::Copied));
  copied.run(2000, kNear);
  EXPECT_EQ(copied.ways_seen_, WayChoice::bitOf(Way::Copied));
}

TEST(WayChoiceLimitTest, AWayThatNobodyTakesIsGivenUp) {
  constexpr std::size_t kSize = 64 << 10;
  WayChoice choice;
  choice.allow(kAll, Way::Cached, false);
  std::uint64_t now = 0;
  int began = 0, ended = 0;
  bool is_trial = false;
  for (int i = 0; i < 10'000; ++i) {
    now += 10'000;
    const bool was_trial = std::exchange(is_trial, choice.way() != choice.usual());
    if (is_trial && !was_trial) ++began;
    if (was_trial && !is_trial) ++ended;
    choice.came(Way::Cached, kSize, 9'000, now);  // its sender has no room for another
  }
  EXPECT_GT(began, 0);
  EXPECT_GE(ended, began - 1);
  EXPECT_EQ(choice.usual(), Way::Cached);
}

/// What is not measured, such as a payload without a receive.
TEST(WayChoiceLimitTest, ATrialEndsByWhatPassesBy) {
  constexpr std::size_t kSize = 1 << 20;
  WayChoice choice;
  choice.allow(kAll, Way::Cached, false);
  std::uint64_t now = 0;
  while (choice.way() == choice.usual()) {
    ASSERT_LT(now += 150'000, 1'000'000'000u);
    choice.came(Way::Cached, kSize, 150'000, now);
  }
  int passed = 0;
  while (choice.way() != choice.usual()) {
    ASSERT_LT(++passed, 1000);
    choice.strayed(kSize, now += 150'000);
  }
  EXPECT_FALSE(choice.strayed(kSize, now));
  EXPECT_EQ(choice.usual(), Way::Cached);
}

TEST(WayChoiceLimitTest, OneLongWaitIsForgotten) {
  constexpr std::size_t kSize = 1 << 20;
  WayChoice choice;
  choice.allow(WayChoice::bitOf(Way::Cached) | WayChoice::bitOf(Way::Copied), Way::Copied, false);
  std::uint64_t now = 0;
  for (int i = 0; i < 2'000; ++i) {
    const Way way = choice.way();
    const std::uint64_t took = way == Way::Copied ? (i == 500 ? 30'000'000 : 150'000) : 300'000;
    now += took;
    choice.came(way, kSize, took, now);
  }
  EXPECT_EQ(choice.usual(), Way::Copied);
}

/// As measured on Intel with payloads of 1 MiB, in cycles a byte: 0.21 by the ring, 0.25 past the
/// caches, 0.105 by copies but for the first two.
TEST(WayChoiceLimitTest, CopiesAreFoundSoonThoughTheFirstOnesAreDear) {
  constexpr std::size_t kSize = 1 << 20;
  constexpr int kSoon = 10;
  constexpr std::uint64_t kCached = 220'000, kStreamed = 262'000, kCopied = 110'000;
  WayChoice choice;
  choice.allow(kAll, Way::Cached, false);
  std::uint64_t now = 0;
  int copies = 0;
  for (int i = 0; i < kSoon; ++i) {
    const Way way = choice.way();
    const std::uint64_t took = way == Way::Cached      ? kCached
                               : way == Way::Streaming ? kStreamed
                               : ++copies <= 2         ? 200'000
                                                       : kCopied;
    choice.came(way, kSize, took, now += took);
  }
  EXPECT_EQ(choice.usual(), Way::Copied);
}

/// Pages of the pool are new to a process that has not copied to them for a while.
TEST(WayChoiceLimitTest, CopiesOfLargePayloadsAreJudgedByPagesThatAreMapped) {
  constexpr std::size_t kSize = 2 << 20, kNew = 24 << 20;
  constexpr std::uint64_t kStreamed = 500'000, kCopied = 350'000, kCopiedToNew = 900'000;
  WayChoice choice;
  choice.allow(kAll, Way::Copied, true);
  std::uint64_t now = 0;
  std::size_t copied = 0;  // in a row
  for (int i = 0; i < 2'000; ++i) {
    const Way way = choice.way();
    copied = way == Way::Copied ? copied + kSize : 0;
    const std::uint64_t took = way != Way::Copied ? kStreamed
                               : copied <= kNew   ? kCopiedToNew
                                                  : kCopied;
    now += took;
    choice.came(way, kSize, took, now);
  }
  EXPECT_EQ(choice.usual(), Way::Copied);
}

}  // namespace
}  // namespace ucxx::core::test
