// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "local/free_space.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace ucxx::local::test {
namespace {

using Part = FreeSpace::Part;

/// Of 1000 cold pages; a page is 1 here.
class FreeSpaceTest : public testing::Test {
 protected:
  FreeSpace::Place take(std::size_t bytes) {
    const auto place = space_.take(bytes);
    EXPECT_TRUE(place.has_value());
    return place.value_or(FreeSpace::Place{SIZE_MAX, 0});
  }
  void expectTakes(std::size_t bytes, std::size_t offset, std::size_t warm_bytes) {
    const auto place = take(bytes);
    EXPECT_EQ(place.offset, offset);
    EXPECT_EQ(place.warm_bytes, warm_bytes);
  }
  FreeSpace space_{{0, 1000}};
};

TEST_F(FreeSpaceTest, TakesTheFirstColdPart) {
  expectTakes(100, 0, 0);
  expectTakes(100, 100, 0);
  space_.addCold({0, 100});
  expectTakes(101, 200, 0);
  expectTakes(100, 0, 0);
  EXPECT_FALSE(space_.take(700));
}

TEST_F(FreeSpaceTest, TakesTheSmallestWarmPartThatIsLargeEnough) {
  take(1000);
  space_.addWarm({0, 50});
  space_.addWarm({100, 20});
  space_.addWarm({200, 30});
  expectTakes(20, 100, 20);
  expectTakes(20, 200, 20);
  expectTakes(10, 220, 10);  // what was left of it
  expectTakes(10, 0, 10);
  EXPECT_EQ(space_.warmBytes(), 40u);
}

TEST_F(FreeSpaceTest, GoesOnFromAWarmPartIntoAColdOne) {
  take(500);
  space_.addWarm({300, 200});
  space_.addWarm({0, 250});  // used memory lies behind it
  expectTakes(400, 300, 200);
  EXPECT_EQ(space_.warmBytes(), 250u);
  expectTakes(300, 700, 0);
}

TEST_F(FreeSpaceTest, LeavesAWarmPartThatHasLessThanHalf) {
  take(500);
  space_.addWarm({401, 99});
  expectTakes(200, 500, 0);
  EXPECT_EQ(space_.warmBytes(), 99u);
}

TEST_F(FreeSpaceTest, NeighboursBecomeOnePart) {
  take(1000);
  space_.addWarm({0, 100});
  space_.addWarm({200, 100});
  space_.addWarm({100, 100});
  expectTakes(300, 0, 300);
  space_.addCold({0, 100});
  space_.addCold({200, 100});
  space_.addCold({100, 100});
  expectTakes(300, 0, 0);
}

TEST_F(FreeSpaceTest, TheOldestGoesFirstFromItsEnd) {
  take(1000);
  space_.addWarm({0, 100});
  space_.addWarm({200, 100});
  space_.addWarm({400, 100});
  space_.addWarm({300, 10});  // makes its neighbour young
  const auto expect_oldest = [&](std::size_t at_most, Part expected) {
    const auto part = space_.takeOldest(at_most);
    ASSERT_TRUE(part.has_value());
    EXPECT_EQ(part->offset, expected.offset);
    EXPECT_EQ(part->bytes, expected.bytes);
  };
  expect_oldest(30, {70, 30});
  expect_oldest(1000, {0, 70});
  expect_oldest(1000, {400, 100});
  expect_oldest(1000, {200, 110});
  EXPECT_FALSE(space_.takeOldest(1000));
  EXPECT_EQ(space_.warmBytes(), 0u);
}

/// Beside a list of all pages.
TEST_F(FreeSpaceTest, NothingIsTakenTwiceOrLost) {
  enum class Page : char { Cold, Warm, Used };
  std::vector<Page> pages(1000, Page::Cold);
  std::map<std::size_t, std::size_t> used;
  const auto set = [&](std::size_t begin, std::size_t bytes, Page to) {
    for (std::size_t page = begin; page < begin + bytes; ++page) pages[page] = to;
  };
  std::minstd_rand random(7);
  for (int step = 0; step < 20'000; ++step) {
    const unsigned what = random() % 8;
    if (what < 4) {
      const std::size_t bytes = random() % 60 + 1;
      const auto place = space_.take(bytes);
      if (!place) continue;
      for (std::size_t i = 0; i < bytes; ++i)
        ASSERT_EQ(pages[place->offset + i], i < place->warm_bytes ? Page::Warm : Page::Cold);
      set(place->offset, bytes, Page::Used);
      used.emplace(place->offset, bytes);
    } else if (what < 7 && !used.empty()) {
      const auto block =
          std::next(used.begin(), static_cast<std::ptrdiff_t>(random() % used.size()));
      const auto [offset, bytes] = *block;
      used.erase(block);
      set(offset, bytes, what == 6 ? Page::Cold : Page::Warm);
      what == 6 ? space_.addCold({offset, bytes}) : space_.addWarm({offset, bytes});
    } else if (const auto part = space_.takeOldest(random() % 40)) {
      for (std::size_t i = 0; i < part->bytes; ++i) ASSERT_EQ(pages[part->offset + i], Page::Warm);
      set(part->offset, part->bytes, Page::Cold);
      space_.addCold(*part);
    }
    ASSERT_EQ(static_cast<std::size_t>(std::count(pages.begin(), pages.end(), Page::Warm)),
              space_.warmBytes());
  }
  for (const auto& [offset, bytes] : used) space_.addWarm({offset, bytes});
  while (const auto part = space_.takeOldest(1000)) space_.addCold(*part);
  expectTakes(1000, 0, 0);
}

}  // namespace
}  // namespace ucxx::local::test
