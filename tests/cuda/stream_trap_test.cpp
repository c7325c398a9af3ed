// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// What is warned of: launches that block, and more streams that wait than the device can have.

#include <string>
#include <vector>

#include "core/log_lines.h"
#include "cuda/device_memory.h"
#include "cuda/stand_in_process.h"
#include "cuda/streams.h"

namespace ucxx::cuda::test {
namespace {

constexpr const char* kBlocking = "CUDA_LAUNCH_BLOCKING is 1";

TEST(BlockingLaunchesTest, AreToldOfOnce) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  for (const char* value : {"1", "0", "no"}) {
    expectWith("", [&] {
      ::setenv("CUDA_LAUNCH_BLOCKING", value, 1);
      core::test::Lines lines;
      gpu::useDevice();
      attach();
      attach();
      return lines.with(kBlocking) == (value[0] == '1' ? 1 : 0);
    });
  }
}

/// How often the worst case is told of: a worker that the caller moves.
std::size_t toldOfCaller(const char* value, Mode mode) {
  ::setenv("CUDA_LAUNCH_BLOCKING", value, 1);
  core::test::Lines lines;
  Streams streams(Route::Address, mode);
  std::uint64_t word = 1;
  Requests posted;
  for (int i = 0; i < 3; ++i) {
    posted.push_back(
        streams.ends.left->tagSendBuilder(&word, 8, kTag).condition(streams.condition()).build());
    streams.letWait(posted.back());
  }
  return streams.ends.ended(posted) ? lines.with("start a progress thread") : 99;
}

TEST(BlockingLaunchesTest, ACallerThatMovesItsWorkerIsToldOnce) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  expectWith("", [] { return toldOfCaller("1", Mode::Event) == 1; });
  expectWith("", [] { return toldOfCaller("0", Mode::Event) == 0; });
  expectWith("", [] { return toldOfCaller("1", Mode::Adaptive) == 0; });
}

constexpr const char* kStandStill = "streams that wait for nothing stand still";

/// Streams each of which waits for a message; with how many it was first told.
class WaitingForMessages {
 public:
  void add() {
    const Handle stream = gpu::makeStream();
    auto& word = *words_.emplace_back(std::make_unique<std::uint64_t>(0));
    requests_.push_back(streams_.ends.right->tagRecv(&word, 8, kTag, TagMaskFull));
    requests_.back()->waitOn(stream);
    requests_.back()->waitOn(stream);  // no stream more
    handles_.push_back(stream);
  }
  bool end() {
    const std::size_t count = handles_.size();
    for (std::size_t i = 0; i < count; ++i)
      requests_.push_back(streams_.ends.left->tagSend(&sent_, 8, kTag));
    bool is_right = streams_.ends.ended(requests_);
    for (const Handle stream : handles_) is_right &= drains("a stream that waited", stream);
    requests_.clear();
    handles_.clear();
    return is_right;
  }
  /// From now on the library has two streams of its own.
  bool receiveIntoDevice() {
    const DeviceMemory place(8);
    const Requests both{streams_.ends.right->tagRecv(place.data(), 8, kTag, TagMaskFull),
                        streams_.ends.left->tagSend(&sent_, 8, kTag)};
    return streams_.ends.ended(both) && both[0]->getStatus() == UCS_OK;
  }
  std::size_t told() { return lines_.with(kStandStill); }
  std::size_t toldOfTheVariable() { return lines_.with("set CUDA_DEVICE_MAX_CONNECTIONS=32"); }

 private:
  core::test::Lines lines_;
  Streams streams_;
  std::uint64_t sent_ = 1;
  std::vector<std::unique_ptr<std::uint64_t>> words_;
  std::vector<Handle> handles_;
  Requests requests_;
};

bool isToldWith(const char* connections, std::size_t number) {
  ::setenv("CUDA_DEVICE_MAX_CONNECTIONS", connections, 1);
  WaitingForMessages waiting;
  bool is_right = true;
  for (std::size_t i = 1; i <= number + 2; ++i) {
    waiting.add();
    is_right &= waiting.told() == (i < number ? 0 : 1);
  }
  return is_right && waiting.toldOfTheVariable() == (number < 32 ? 1 : 0) && waiting.end();
}

TEST(ConnectionsTest, AsManyStreamsThatWaitAreToldOfOnce) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  expectWith("", [] { return isToldWith("1", 1); });
  expectWith("", [] { return isToldWith("2", 2); });
  expectWith("", [] { return isToldWith("8", 8); });
  expectWith("", [] { return isToldWith("32", 32); });
  expectWith("", [] { return isToldWith("99", 32); });
  expectWith("", [] { return isToldWith("nonsense", 8); });
}

/// The library's streams for copies want a connection each.
bool isToldBesideCopiesWith(const char* connections, std::size_t number) {
  ::setenv("CUDA_DEVICE_MAX_CONNECTIONS", connections, 1);
  WaitingForMessages waiting;
  bool is_right = waiting.receiveIntoDevice() && waiting.told() == 0;
  for (std::size_t i = 1; i <= number; ++i) {
    waiting.add();
    is_right &= waiting.told() == (i < number ? 0 : 1);
  }
  return is_right && waiting.end();
}

TEST(ConnectionsTest, CopiesOfTheLibraryWantTwoOfThem) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  expectWith("", [] { return isToldBesideCopiesWith("1", 1); });
  expectWith("", [] { return isToldBesideCopiesWith("2", 1); });
  expectWith("", [] { return isToldBesideCopiesWith("8", 6); });
}

/// One after the other they hold up one connection.
TEST(ConnectionsTest, StreamsThatHaveWaitedDoNotCount) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  expectWith("", [] {
    ::setenv("CUDA_DEVICE_MAX_CONNECTIONS", "2", 1);
    WaitingForMessages waiting;
    bool is_right = true;
    for (int i = 0; i < 5; ++i) {
      waiting.add();
      is_right &= waiting.end();
    }
    return is_right && waiting.told() == 0;
  });
}

/// A post writes a word, and holds up no connection.
TEST(ConnectionsTest, StreamsThatOnlyStartTransfersDoNotCount) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  expectWith("", [] {
    ::setenv("CUDA_DEVICE_MAX_CONNECTIONS", "2", 1);
    core::test::Lines lines;
    Streams streams;
    std::uint64_t word = 1;
    Requests posted;
    for (int i = 0; i < 6; ++i)
      posted.push_back(streams.ends.left->tagSendBuilder(&word, 8, kTag)
                           .condition(Condition::stream(gpu::makeStream()))
                           .build());
    return streams.ends.ended(posted) && lines.with(kStandStill) == 0;
  });
}

}  // namespace
}  // namespace ucxx::cuda::test
