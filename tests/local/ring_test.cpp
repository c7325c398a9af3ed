// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "local/ring.h"

#include <array>
#include <cstring>
#include <deque>

#include <gtest/gtest.h>

#include <ucxx/exception.h>

#include "local/memory.h"
#include "sim/random.h"

namespace ucxx::local::test {
namespace {

using sim::Random;

bool put(Ring& ring, std::uint64_t number, std::size_t header, std::size_t payload) {
  const auto bytes = content(number, header + payload);
  return ring.producer.put(std::span(bytes).first(header), bytes.data() + header, payload);
}

bool take(Ring& ring, std::uint64_t number, std::size_t header, std::size_t payload) {
  const auto record = ring.consumer.peek();
  if (!record) return false;
  const auto bytes = content(number, header + payload);
  const bool same = equal(record->header, std::span(bytes).first(header)) &&
                    equal(record->payload, std::span(bytes).subspan(header));
  ring.consumer.pop();
  return same;
}

TEST(RingTest, EachSideNeedsLittleMemory) {
  EXPECT_LE(RingMemory::bytesFor(RingMemory::kDefaultLines), std::size_t{256} << 10);
}

TEST(RingTest, ShapeIsChecked) {
  std::vector<std::byte> bytes(RingMemory::bytesFor(64) + kLineBytes);
  const auto skip = kLineBytes - reinterpret_cast<std::uintptr_t>(bytes.data()) % kLineBytes;
  const auto memory = std::span(bytes).subspan(skip);
  ASSERT_GE(memory.size(), RingMemory::bytesFor(63));
  EXPECT_NO_THROW(Producer(memory, 32));
  EXPECT_THROW(Producer(memory, 128), InvalidParamError);
  EXPECT_THROW(Consumer(memory, 48), InvalidParamError);
  EXPECT_THROW(Consumer(memory, 8), InvalidParamError);
  EXPECT_THROW(Consumer(memory.subspan(8), 16), InvalidParamError);
  const auto large = base::SharedMemory::create(RingMemory::bytesFor(16384));
  EXPECT_THROW(Producer(large.bytes(), 16384), InvalidParamError);
  EXPECT_NO_THROW(Producer(large.bytes(), 4096));
}

TEST(RingTest, EmptyAtFirst) {
  Ring ring(16);
  EXPECT_FALSE(ring.consumer.peek());
  ring.consumer.pop();
  EXPECT_FALSE(ring.consumer.peek());
  EXPECT_FALSE(ring.consumer.isBroken());
}

TEST(RingTest, SmallMessageTakesOneLine) {
  Ring ring(16);
  for (std::uint64_t i = 0; i < 15; ++i) ASSERT_TRUE(put(ring, i, 40, 16));
  EXPECT_FALSE(put(ring, 15, 40, 16));
  for (std::uint64_t i = 0; i < 15; ++i) ASSERT_TRUE(take(ring, i, 40, 16));
}

TEST(RingTest, HeaderInRegistersMakesTheSameRecord) {
  constexpr std::size_t kHeader = 40;
  std::array<std::uint64_t, kHeader / sizeof(std::uint64_t)> header;
  Ring ring(64);
  for (std::size_t size : {0, 1, 7, 8, 9, 16, 17, 64, 100, 8, 700}) {
    const auto bytes = content(size, kHeader + size);
    std::memcpy(header.data(), bytes.data(), kHeader);
    ASSERT_TRUE(ring.producer.put(header, bytes.data() + kHeader, size)) << size;
    ASSERT_TRUE(take(ring, size, kHeader, size)) << size;
  }
  const auto bytes = content(0, ring.producer.maxRecordBytes());
  EXPECT_FALSE(ring.producer.put(header, bytes.data(), bytes.size() - kHeader + 1));
  int put = 0;
  while (ring.producer.put(header, bytes.data(), 8)) ++put;
  EXPECT_EQ(put, 63) << "one line stays free";
}

TEST(RingTest, PeekedRecordStaysUntilPop) {
  Ring ring(16);
  ASSERT_TRUE(put(ring, 1, 8, 100));
  ASSERT_TRUE(put(ring, 2, 8, 100));
  EXPECT_EQ(ring.consumer.peek()->payload.data(), ring.consumer.peek()->payload.data());
  EXPECT_TRUE(take(ring, 1, 8, 100));
  EXPECT_TRUE(take(ring, 2, 8, 100));
}

TEST(RingTest, EverySizeArrives) {
  Ring ring(64);
  std::uint64_t number = 0;
  for (std::size_t size = 0; size <= ring.producer.maxRecordBytes(); ++size) {
    for (const std::size_t header : {std::size_t{0}, size / 3, size}) {
      ASSERT_TRUE(put(ring, number, header, size - header)) << size;
      ASSERT_TRUE(take(ring, number++, header, size - header)) << size;
      ASSERT_FALSE(ring.consumer.peek());
      ring.consumer.release();
    }
  }
  EXPECT_FALSE(put(ring, 0, 0, ring.producer.maxRecordBytes() + 1));
  EXPECT_FALSE(ring.producer.isRoomFor(1, SIZE_MAX));
}

TEST(RingTest, LargestRingNamesItsLargestRecords) {
  Ring ring(4096);
  const std::size_t most = ring.producer.maxRecordBytes();
  for (std::uint64_t i = 0; i < 20; ++i) {
    const std::size_t header = i % 2 == 0 ? 0 : Producer::kMaxHeaderBytes;
    ASSERT_TRUE(put(ring, i, header, most - header));
    ASSERT_TRUE(take(ring, i, header, most - header));
  }
  EXPECT_FALSE(put(ring, 0, Producer::kMaxHeaderBytes + 1, 0));
}

TEST(RingTest, BlocksArriveAsOnePayload) {
  Ring ring(16);
  auto bytes = content(3, 150);
  const iovec blocks[] = {{bytes.data(), 1}, {nullptr, 0}, {bytes.data() + 1, 149}};
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(ring.producer.put(bytesOf(i), blocks));
    const auto record = ring.consumer.peek();
    ASSERT_TRUE(record);
    EXPECT_EQ(valueOf<int>(record->header), i);
    EXPECT_TRUE(equal(record->payload, bytes));
    ring.consumer.pop();
  }
  const iovec huge[] = {{bytes.data(), 1}, {bytes.data(), SIZE_MAX}};
  EXPECT_FALSE(ring.producer.put({}, huge));
}

struct Sent {
  std::uint64_t number;
  std::size_t header;
  std::size_t payload;
};

/// Random puts and takes beside a queue that says what must come out.
class Model {
 public:
  Model(std::size_t lines, std::uint64_t seed) : ring_(lines), random_(seed) {}

  void run(int steps) {
    for (int i = 0; i < steps && !testing::Test::HasFailure(); ++i) step();
    while (!sent_.empty() && !testing::Test::HasFailure()) takeOne();
    EXPECT_FALSE(ring_.producer.isBroken() || ring_.consumer.isBroken());
  }

 private:
  void step() {
    if (random_.chance(1)) filling_ = !filling_;
    if (random_.chance(filling_ ? 70 : 30)) {
      putOne();
    } else {
      takeOne();
    }
  }
  void putOne() {
    const std::size_t most = random_.chance(50) ? 56 : ring_.producer.maxRecordBytes();
    const std::size_t size = random_.below(most + 1);
    const Sent next{number_, random_.below(size + 1), size};
    const bool room = ring_.producer.isRoomFor(next.header, size - next.header);
    ASSERT_EQ(put(ring_, number_, next.header, size - next.header), room);
    if (room) {
      sent_.push_back(next);
      ++number_;
    } else {
      ASSERT_FALSE(sent_.empty());
    }
  }
  void takeOne() {
    if (sent_.empty()) {
      ASSERT_FALSE(ring_.consumer.peek());
      ring_.consumer.release();
      return;
    }
    const Sent next = sent_.front();
    sent_.pop_front();
    ASSERT_TRUE(take(ring_, next.number, next.header, next.payload - next.header));
    if (random_.chance(30)) ring_.consumer.release();
  }

  Ring ring_;
  Random random_;
  std::deque<Sent> sent_;
  std::uint64_t number_ = 0;
  bool filling_ = true;
};

TEST(RingTest, RandomRecordsComeOutAsTheyWentIn) {
  for (std::uint64_t seed = 1; seed <= 20 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Model(std::size_t{16} << seed % 5, seed).run(5000);
  }
}

/// Words that would be flags of small records in each of the next laps, at every place of the ring.
std::vector<std::byte> craftedFlags(std::uint64_t lap, std::size_t size, Random& random) {
  std::vector<std::uint64_t> words(size / sizeof(std::uint64_t) + 1);
  for (std::uint64_t& word : words) {
    const auto mark = static_cast<std::uint32_t>(2 * (lap + random.below(4)) + 1);
    word = RingFlag::make(mark, random.chance(20) ? RingFlag::kPad : 8, 8);
  }
  const auto bytes = std::as_bytes(std::span(words));
  return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)};
}

TEST(RingTest, UserBytesAreNeverReadAsFlags) {
  Ring ring(16);
  Random random(7);
  std::uint64_t lines = 0;
  for (std::uint64_t i = 0; i < 200000; ++i) {
    const std::size_t size = random.below(ring.producer.maxRecordBytes() + 1);
    const auto bytes = craftedFlags(lines / ring.lines, size, random);
    const std::size_t header = std::min(size, random.below(4) * 8);
    ASSERT_TRUE(
        ring.producer.put(std::span(bytes).first(header), bytes.data() + header, size - header));
    lines += RingFlag::linesOf(header, size - header);
    const auto record = ring.consumer.peek();
    ASSERT_TRUE(record);
    ASSERT_EQ(record->header.size() + record->payload.size(), size);
    ASSERT_TRUE(equal(record->payload, std::span(bytes).subspan(header)));
    ring.consumer.pop();
    ASSERT_FALSE(ring.consumer.peek()) << i;
    ASSERT_FALSE(ring.consumer.isBroken()) << i;
    ring.consumer.release();
  }
}

TEST(RingTest, ConsumerFreesEachQuarterWithoutBeingAsked) {
  Ring ring(16);
  while (put(ring, 0, 8, 8)) {
  }
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(take(ring, 0, 8, 8));
  EXPECT_FALSE(ring.producer.isRoomFor(8, 8));
  ASSERT_TRUE(take(ring, 0, 8, 8));
  EXPECT_TRUE(ring.producer.isRoomFor(8, 8));
  EXPECT_FALSE(ring.consumer.release());
}

TEST(RingTest, WaitingProducerIsRungOnce) {
  Ring ring(16);
  while (put(ring, 0, 8, 8)) {
  }
  ring.producer.announceWaiting();
  EXPECT_FALSE(put(ring, 0, 8, 8));
  EXPECT_FALSE(ring.consumer.release());  // nothing was freed, so there is nothing to tell
  ASSERT_TRUE(take(ring, 0, 8, 8));
  EXPECT_TRUE(ring.consumer.release());
  EXPECT_TRUE(put(ring, 0, 8, 8));
  ASSERT_TRUE(take(ring, 0, 8, 8));
  EXPECT_FALSE(ring.consumer.release());
}

TEST(RingTest, WaitingProducerIsRungForSpaceThatIsFreeAlready) {
  Ring ring(16);
  while (put(ring, 0, 8, 8)) {
  }
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(take(ring, 0, 8, 8));  // published by pop
  ring.producer.announceWaiting();
  EXPECT_TRUE(ring.consumer.release());
}

TEST(RingTest, ConsumedBeyondWhatWasPutBreaksTheRing) {
  Ring ring(16);
  while (put(ring, 0, 8, 8)) {
  }
  ring.control().consumed = 16;
  EXPECT_FALSE(put(ring, 0, 8, 8));
  EXPECT_TRUE(ring.producer.isBroken());
  ring.control().consumed = 4;
  EXPECT_FALSE(put(ring, 0, 8, 8));
  EXPECT_TRUE(ring.producer.isBroken());
}

TEST(RingTest, ConsumedThatGoesBackBreaksTheRing) {
  Ring ring(16);
  for (int i = 0; i < 15; ++i) ASSERT_TRUE(put(ring, 0, 8, 8));
  ring.control().consumed = 15;
  for (int i = 0; i < 15; ++i) ASSERT_TRUE(put(ring, 0, 8, 8));
  EXPECT_FALSE(ring.producer.isBroken());
  ring.control().consumed = 14;
  EXPECT_FALSE(put(ring, 0, 8, 8));
  EXPECT_TRUE(ring.producer.isBroken());
}

void expectBroken(std::uint64_t flag, std::size_t records_before = 0) {
  Ring ring(16);
  for (std::size_t i = 0; i < records_before; ++i) {
    ASSERT_TRUE(put(ring, i, 8, 8));
    ASSERT_TRUE(take(ring, i, 8, 8));
  }
  ring.consumer.release();
  ring.flag(records_before) = flag;
  EXPECT_FALSE(ring.consumer.peek());
  EXPECT_TRUE(ring.consumer.isBroken());
  ring.flag(records_before) = RingFlag::make(1, 8, 8);
  EXPECT_FALSE(ring.consumer.peek()) << "broken for ever";
  EXPECT_TRUE(ring.consumer.isBroken());
}

TEST(RingTest, FlagThatMakesNoSenseBreaksTheRing) {
  expectBroken(RingFlag::make(1, 0, 249));  // 4 lines hold 248 bytes behind the flag
  expectBroken(RingFlag::make(1, 249, 0));
  expectBroken(RingFlag::make(1, RingFlag::kPad - 1, (1 << RingFlag::kPayloadBits) - 1));
  expectBroken(RingFlag::make(1, 8, 100), 15);  // beyond the end of the ring
  expectBroken(RingFlag::make(3, 8, 8));        // the next lap's
  expectBroken(RingFlag::make(2, 8, 8));
  expectBroken(42);
}

TEST(RingTest, PadThatMakesNoSenseBreaksTheRing) {
  expectBroken(RingFlag::make(1, RingFlag::kPad, 0));      // a whole ring
  expectBroken(RingFlag::make(1, RingFlag::kPad, 0), 12);  // every record fits into four lines
  expectBroken(RingFlag::make(1, RingFlag::kPad, 0), 13);  // leads to no record
}

TEST(RingTest, PadThatLeadsToAPadBreaksTheRing) {
  Ring ring(16);
  for (std::uint64_t i = 0; i < 14; ++i) {
    ASSERT_TRUE(put(ring, i, 8, 8));
    ASSERT_TRUE(take(ring, i, 8, 8));
  }
  ring.flag(14) = RingFlag::make(1, RingFlag::kPad, 0);
  ring.flag(0) = RingFlag::make(3, RingFlag::kPad, 0);
  EXPECT_FALSE(ring.consumer.peek());
  EXPECT_TRUE(ring.consumer.isBroken());
}

TEST(RingTest, SizesOfAPeekedRecordStayWhatTheyWere) {
  Ring ring(16);
  ASSERT_TRUE(put(ring, 1, 8, 8));
  ASSERT_TRUE(put(ring, 2, 8, 8));
  ASSERT_TRUE(ring.consumer.peek());
  ring.flag(0) = RingFlag::make(1, 8, 200);
  ring.consumer.pop();
  EXPECT_TRUE(take(ring, 2, 8, 8));
}

}  // namespace
}  // namespace ucxx::local::test
