// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// How transfers from and to memory of a device end that do not end well: cancelled, given back,
// closed, in a device that fails, without memory; and many at once.

#include <cstring>
#include <thread>

#include <ucxx/exception.h>
#include <ucxx/pool.h>

#include "core/request/device_copies.h"
#include "cuda/landing.h"
#include "cuda/staging_memory.h"
#include "cuda/stand_in_process.h"

namespace ucxx::cuda::test {
namespace {

/// Copies of streams do not begin while this lives.
class Held {
 public:
  Held() { stand_in::holdCopies(); }
  ~Held() { release(); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  void release() {
    if (std::exchange(holds_, false)) stand_in::releaseCopies();
  }

 private:
  bool holds_ = true;
};

class LandingEndTest : public testing::TestWithParam<Road> {
 protected:
  static constexpr std::size_t kSize = 100'000;

  std::shared_ptr<Request> receive(const DeviceMemory& place) const {
    return ends_.back->tagRecv(place.data(), place.size(), kTag, TagMaskFull);
  }
  std::shared_ptr<Request> send() const {
    return ends_.there->tagSend(content_.data(), content_.size(), kTag);
  }
  /// The device has some of it.
  bool isCopied() const {
    return ends_.until([] { return stand_in::copiesInFlight() != 0; });
  }

  Ends ends_{GetParam()};
  std::vector<std::byte> content_ = bytes(kSize);
  const std::size_t taken_ = stagingStats().taken;  // with what devices have kept for ever
  const std::vector<std::byte> before_ = std::vector<std::byte>(kSize, std::byte{7});
};

TEST_P(LandingEndTest, AReceiveThatWaitsIsCancelled) {
  const DeviceMemory first(before_), second(kSize);
  const auto cancelled = receive(first);
  cancelled->cancel();
  ASSERT_TRUE(ends_.wait({cancelled}));
  EXPECT_EQ(cancelled->getStatus(), UCS_ERR_CANCELED);
  const Requests requests{receive(second), send()};
  ASSERT_TRUE(ends_.wait(requests));
  expectOk(requests);
  EXPECT_EQ(first.content(), before_);
  EXPECT_EQ(second.content(), content_);
}

TEST_P(LandingEndTest, ACancelIsInVainOnceTheDeviceCopies) {
  Held held;
  const DeviceMemory place(kSize);
  const Requests requests{receive(place), send()};
  ASSERT_TRUE(isCopied());
  requests[0]->cancel();
  held.release();
  ASSERT_TRUE(ends_.wait(requests));
  expectOk(requests);
  EXPECT_EQ(place.content(), content_);
}

/// It is still in the memory from which the device copies it.
TEST_P(LandingEndTest, WhatIsGivenBackWhileTheDeviceCopiesIsReceivedAgain) {
  Held held;
  const DeviceMemory first(kSize), second(kSize);
  const Requests requests{receive(first), send()};
  ASSERT_TRUE(isCopied());
  EXPECT_TRUE(requests[0]->giveBack());
  EXPECT_FALSE(requests[0]->isCompleted());
  held.release();
  ASSERT_TRUE(ends_.wait(requests));
  EXPECT_EQ(requests[0]->getStatus(), UCS_ERR_CANCELED);
  const auto again = receive(second);
  ASSERT_TRUE(ends_.wait({again}));
  EXPECT_NO_THROW(again->checkError());
  EXPECT_EQ(second.content(), content_);
}

TEST_P(LandingEndTest, BytesOfAStreamThatAreGivenBackWhileTheDeviceCopiesAreReceivedAgain) {
  Held held;
  const DeviceMemory first(kSize), second(kSize);
  const Requests requests{ends_.back->streamRecv(first.data(), kSize, false),
                          ends_.there->streamSend(content_.data(), kSize, false)};
  ASSERT_TRUE(isCopied());
  EXPECT_TRUE(requests[0]->giveBack());
  held.release();
  ASSERT_TRUE(ends_.wait(requests));
  EXPECT_EQ(requests[0]->getStatus(), UCS_ERR_CANCELED);
  const auto again = ends_.back->streamRecv(second.data(), kSize, false);
  ASSERT_TRUE(ends_.wait({again}));
  EXPECT_NO_THROW(again->checkError());
  EXPECT_EQ(second.content(), content_);
}

/// Of a device, to the own worker or another one, while it is copied: nothing takes it back.
TEST_P(LandingEndTest, ASendFromADeviceIsCancelledInVainWhileItIsCopied) {
  if (GetParam() == Road::Ucx) return;  // UCX has no CUDA here
  const DeviceMemory source(content_);
  std::vector<std::byte> place(kSize), rest(kSize / 2);
  for (const bool is_stream : {false, true}) {
    Held held;
    Requests requests;
    if (is_stream) {
      requests = {ends_.there->streamSend(source.data(), kSize, false),
                  ends_.back->streamRecv(place.data(), kSize / 2, false),
                  ends_.back->streamRecv(rest.data(), kSize / 2, false)};
    } else {
      requests = {ends_.there->tagSend(source.data(), kSize, kTag),
                  ends_.back->tagRecv(place.data(), kSize, kTag, TagMaskFull)};
    }
    ASSERT_TRUE(isCopied());
    requests[0]->cancel();
    held.release();
    ASSERT_TRUE(ends_.wait(requests));
    expectOk(requests);
    EXPECT_EQ(std::memcmp(place.data(), content_.data(), is_stream ? kSize / 2 : kSize), 0);
  }
}

TEST_P(LandingEndTest, WhatIsGivenBackBeforeIsReceivedAgain) {
  const DeviceMemory first(before_), second(kSize);
  const auto given = receive(first);
  EXPECT_TRUE(given->giveBack());
  const Requests requests{send(), receive(second)};
  ASSERT_TRUE(ends_.wait(requests));
  expectOk(requests);
  EXPECT_EQ(first.content(), before_);
  EXPECT_EQ(second.content(), content_);
}

TEST_P(LandingEndTest, WhatHasLandedDoesNotGoBack) {
  const DeviceMemory place(kSize);
  const Requests requests{receive(place), send()};
  ASSERT_TRUE(ends_.wait(requests));
  EXPECT_FALSE(requests[0]->giveBack());
  EXPECT_EQ(requests[0]->getStatus(), UCS_OK);
}

TEST_P(LandingEndTest, ACloseLeavesWhatTheDeviceCopies) {
  Held held;
  const DeviceMemory place(kSize);
  const Requests requests{receive(place), send()};
  ASSERT_TRUE(isCopied());
  const auto close = ends_.back->close();
  EXPECT_TRUE(ends_.until([&] { return close == nullptr || close->isCompleted(); }));
  EXPECT_FALSE(requests[0]->isCompleted());
  held.release();
  ASSERT_TRUE(ends_.wait(requests));
  if (requests[0]->getStatus() == UCS_OK) {
    EXPECT_EQ(place.content(), content_);
  }
}

TEST_P(LandingEndTest, AWorkerThatEndsWaitsForItsCopies) {
  const DeviceMemory place(kSize);
  const Requests requests{receive(place), send()};
  {
    Held held;
    ASSERT_TRUE(isCopied());
    std::thread releases([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      held.release();
    });
    for (const auto& request : requests) request->setParent(nullptr);
    ends_ = Ends();
    releases.join();
  }
  EXPECT_TRUE(requests[0]->isCompleted());
  if (requests[0]->getStatus() == UCS_OK) {
    EXPECT_EQ(place.content(), content_);
  }
}

TEST_P(LandingEndTest, AWorkerThatEndsDoesNotWaitForEver) {
  Held held;
  const DeviceMemory place(kSize);
  const Requests requests{receive(place), send()};
  ASSERT_TRUE(isCopied());
  for (const auto& request : requests) request->setParent(nullptr);
  ends_ = Ends();
  EXPECT_EQ(requests[0]->getStatus(), UCS_ERR_IO_ERROR);
  held.release();  // what the device does late goes to memory that is still there
  EXPECT_TRUE(compat::until({}, [] { return stand_in::copiesInFlight() == 0; }));
}

TEST_P(LandingEndTest, AThousandAtOnce) {
  constexpr std::size_t kMany = 1000, kBytes = 3000;
  const auto content = bytes(kMany * kBytes);
  const DeviceMemory place(content.size());
  Requests requests;
  for (std::size_t i = 0; i < kMany; ++i)
    requests.push_back(ends_.back->tagRecv(static_cast<std::byte*>(place.data()) + i * kBytes,
                                           kBytes, kTag, TagMaskFull));
  for (std::size_t i = 0; i < kMany; ++i)
    requests.push_back(ends_.there->tagSend(content.data() + i * kBytes, kBytes, kTag));
  ASSERT_TRUE(ends_.wait(requests));
  expectOk(requests);
  EXPECT_EQ(place.content(), content);
}

/// More than there is staging memory for.
TEST_P(LandingEndTest, ManyLongOnesAtOnce) {
  constexpr std::size_t kMany = 40, kBytes = 3'000'000;
  const auto content = bytes(kBytes);
  std::vector<DeviceMemory> places;
  Requests requests;
  for (std::size_t i = 0; i < kMany; ++i) places.emplace_back(kBytes);
  for (const DeviceMemory& place : places) requests.push_back(receive(place));
  for (std::size_t i = 0; i < kMany; ++i)
    requests.push_back(ends_.there->tagSend(content.data(), kBytes, kTag));
  ASSERT_TRUE(ends_.wait(requests));
  expectOk(requests);
  for (const DeviceMemory& place : places) EXPECT_EQ(place.content(), content);
  EXPECT_LE(stagingStats().made, std::size_t{64} << 20);
  EXPECT_EQ(stagingStats().taken, taken_);
}

TEST_P(LandingEndTest, FromTwoThreadsWithAProgressThread) {
  ends_.receiver->startProgressThread();
  if (ends_.sender != ends_.receiver) ends_.sender->startProgressThread();
  const auto talk = [&](std::uint64_t number) {
    const Tag tag{number};
    const DeviceMemory place(kSize);
    for (int i = 0; i < 50; ++i) {
      const Requests requests{ends_.back->tagRecv(place.data(), kSize, tag, TagMaskFull),
                              ends_.there->tagSend(content_.data(), kSize, tag)};
      ASSERT_TRUE(ends_.wait(requests));
      expectOk(requests);
    }
    EXPECT_EQ(place.content(), content_);
  };
  std::thread other([&] {
    gpu::useDevice();
    talk(1);
  });
  talk(2);
  other.join();
}

/// Memory that the driver has of a pool, or of virtual memory, is of no context.
TEST_P(LandingEndTest, MemoryOfPools) {
  for (const stand_in::MadeMemory how :
       {stand_in::MadeMemory{.is_of_pool = true}, stand_in::MadeMemory{.has_ipc_handle = false}}) {
    const DeviceMemory place(kSize, how);
    const Requests requests{receive(place), send()};
    ASSERT_TRUE(ends_.wait(requests));
    expectOk(requests);
    EXPECT_EQ(place.content(), content_);
  }
}

INSTANTIATE_TEST_SUITE_P(Roads, LandingEndTest, testing::Values(Road::Self, Road::Local, Road::Ucx),
                         [](const auto& info) { return nameOf(info.param); });

base::cuda::Context makeContext() {
  base::cuda::Context made = nullptr;
  gpu::must("cuCtxCreate", gpu::driver().createContext(&made, 0, 0));
  gpu::useDevice();
  return made;
}

TEST(LandingContextTest, MemoryOfAnotherContext) {
  const Ends ends(Road::Local);
  const auto content = bytes(5'000'000);
  const base::cuda::Context context = makeContext();
  {
    const DeviceMemory place(content.size(), {.context = context});
    const Requests requests{ends.back->tagRecv(place.data(), place.size(), kTag, TagMaskFull),
                            ends.there->tagSend(content.data(), content.size(), kTag)};
    ASSERT_TRUE(ends.wait(requests));
    expectOk(requests);
    EXPECT_EQ(place.content(), content);
  }
  EXPECT_EQ(gpu::driver().destroyContext(context), base::cuda::kSuccess);
}

TEST(LandingContextTest, AContextThatIsGoneIsAnError) {
  const Ends ends(Road::Local);
  const auto content = bytes(5'000'000);
  const base::cuda::Context context = makeContext();
  const DeviceMemory place(content.size(), {.context = context}), later(content.size());
  for (const bool is_gone : {false, true}) {
    if (is_gone) {
      EXPECT_EQ(gpu::driver().destroyContext(context), base::cuda::kSuccess);
    }
    const Requests requests{ends.back->tagRecv(place.data(), place.size(), kTag, TagMaskFull),
                            ends.there->tagSend(content.data(), content.size(), kTag)};
    ASSERT_TRUE(ends.wait(requests));
    EXPECT_EQ(requests[0]->getStatus(), is_gone ? UCS_ERR_IO_ERROR : UCS_OK);
  }
  const Requests requests{ends.back->tagRecv(later.data(), later.size(), kTag, TagMaskFull),
                          ends.there->tagSend(content.data(), content.size(), kTag)};
  ASSERT_TRUE(ends.wait(requests));
  expectOk(requests);
  EXPECT_EQ(later.content(), content);
}

/// Its sender takes the piece back that was to come straight, and sends another one.
TEST(LandingStreamTest, AfterAPieceThatWasTakenBackTheNextOneLands) {
  gpu::useDevice();
  WorkerOptions quick;
  quick.close_timeout = std::chrono::milliseconds(50);
  const auto context = createContext({{"UCXX_LOCAL", "off"}});
  core::test::Met met(context->createWorker(quick), context->createWorker(), false);
  ASSERT_TRUE(met.talks());
  const auto lost = bytes(3'000'000), content = bytes(1000, 5);
  const DeviceMemory place(lost.size());
  const auto receive = met.back->streamRecvSome(place.data(), place.size(), false);
  const auto taken_back = met.there->streamSend(lost.data(), lost.size(), false);
  taken_back->cancel();
  ASSERT_TRUE(compat::ended({met.left}, {taken_back}));
  EXPECT_EQ(taken_back->getStatus(), UCS_ERR_CANCELED);
  const auto sent = met.there->streamSend(content.data(), content.size(), false);
  ASSERT_TRUE(compat::ended({met.left, met.right}, {sent, receive}));
  expectOk({sent, receive});
  EXPECT_EQ(receive->getReceivedLength(), content.size());
  EXPECT_EQ(DeviceMemory::contentOf(place.data(), content.size()), content);
}

bool landsOn(int device) {
  const Ends ends(Road::Local);
  const auto content = bytes(5'000'000);
  const DeviceMemory place(content.size(), {.device = device});
  const Requests requests{ends.back->tagRecv(place.data(), place.size(), kTag, TagMaskFull),
                          ends.there->tagSend(content.data(), content.size(), kTag)};
  return ends.wait(requests) && requests[0]->getStatus() == UCS_OK && place.content() == content;
}

bool landsOnTheFirstDevice() { return landsOn(0); }
bool landsOnTheSecondDevice() { return landsOn(1); }

/// Memory that goes with its context is not the processor's afterwards.
bool outlivesAReset(std::size_t size) {
  const Ends ends(Road::Local);
  const auto content = bytes(size);
  base::cuda::Address place = 0;
  if (gpu::driver().allocate(&place, size) != base::cuda::kSuccess) return false;
  const auto receive = ends.back->tagRecv(reinterpret_cast<void*>(place), size, kTag, TagMaskFull);
  if (gpu::driver().resetContext(0) != base::cuda::kSuccess) return false;
  const auto send = ends.there->tagSend(content.data(), size, kTag);
  return ends.wait({receive, send}) && receive->getStatus() == UCS_ERR_IO_ERROR &&
         ends.there->isAlive();
}

bool failsWithTheDevice() {
  for (const Road road : {Road::Local, Road::Self}) {
    const Ends ends(road);
    const auto content = bytes(5'000'000);
    const DeviceMemory place(content.size());
    if (road == Road::Local) stand_in::failNextCopy();
    const Requests requests{ends.back->tagRecv(place.data(), place.size(), kTag, TagMaskFull),
                            ends.there->tagSend(content.data(), content.size(), kTag)};
    if (!ends.wait(requests) || requests[0]->getStatus() != UCS_ERR_IO_ERROR) return false;
    // Memory of the host is moved all the same.
    std::vector<std::byte> host(content.size());
    const Requests more{ends.back->tagRecv(host.data(), host.size(), kTag, TagMaskFull),
                        ends.there->tagSend(content.data(), content.size(), kTag)};
    if (!ends.wait(more) || more[0]->getStatus() != UCS_OK || host != content) return false;
  }
  return true;
}

bool isToldOfFailureAtItsSource() {
  const Ends ends(Road::Local);
  const auto content = bytes(5'000'000);
  const DeviceMemory source(content);
  std::vector<std::byte> place(content.size());
  stand_in::failNextCopy();
  const Requests requests{ends.back->tagRecv(place.data(), place.size(), kTag, TagMaskFull),
                          ends.there->tagSend(source.data(), source.size(), kTag)};
  return ends.wait(requests) && requests[0]->getStatus() == UCS_ERR_IO_ERROR &&
         requests[1]->getStatus() == UCS_ERR_IO_ERROR && ends.there->isAlive();
}

bool worksWithoutStaging() {
  setPoolLimits({.idle_bytes = {}, .total_bytes = {}, .staging_bytes = 0});
  const Ends ends(Road::Local);
  const auto content = bytes(5'000'000);
  const DeviceMemory place(content.size());
  const Requests requests{ends.back->tagRecv(place.data(), place.size(), kTag, TagMaskFull),
                          ends.there->tagSend(content.data(), content.size(), kTag)};
  return ends.wait(requests) && requests[0]->getStatus() == UCS_ERR_NO_MEMORY &&
         ends.there->isAlive();
}

bool worksUnlocked() {
  const Ends ends(Road::Local);
  const auto content = bytes(9'000'000);
  const DeviceMemory place(content.size());
  const Requests requests{ends.back->tagRecv(place.data(), place.size(), kTag, TagMaskFull),
                          ends.there->tagSend(content.data(), content.size(), kTag)};
  return ends.wait(requests) && requests[0]->getStatus() == UCS_OK && place.content() == content &&
         stagingStats().locked == 0 && stagingStats().made != 0;
}

TEST(LandingTrapDeathTest, TheSecondDevice) { expectWith("devices=2", landsOnTheSecondDevice); }
TEST(LandingTrapDeathTest, ADeviceThatFails) { expectWith("", failsWithTheDevice); }
TEST(LandingTrapDeathTest, ADeviceThatFailsAtTheSender) {
  expectWith("", isToldOfFailureAtItsSource);
}
TEST(LandingTrapDeathTest, MemoryThatIsGone) {
  for (const std::size_t size : {std::size_t{1000}, std::size_t{5'000'000}})
    expectWith("unreachable", [size] { return outlivesAReset(size); });
}
TEST(LandingTrapDeathTest, NoStagingMemory) { expectWith("", worksWithoutStaging); }
TEST(LandingTrapDeathTest, ADriverThatLocksNothing) {
  expectWith("fail=cuMemHostRegister=2", worksUnlocked);
}
TEST(LandingTrapDeathTest, ADeviceWithoutMemoryOperations) {
  expectWith("attribute.122=0", landsOnTheFirstDevice);
}

/// What a device may copy to is not taken from under it.
TEST(StagingMemoryTest, NothingOfItGoesBackToTheSystem) {
  const Ends ends(Road::Local);
  const auto content = bytes(2'000'000);
  const DeviceMemory place(content.size());
  const Requests requests{ends.back->tagRecv(place.data(), place.size(), kTag, TagMaskFull),
                          ends.there->tagSend(content.data(), content.size(), kTag)};
  ASSERT_TRUE(ends.wait(requests));
  std::byte* bytes_of_it = nullptr;
  {
    const auto staging = core::takeStaging(core::kMostStaged);
    ASSERT_NE(staging, nullptr);
    bytes_of_it = staging.get();
    std::memset(bytes_of_it, 0x5a, core::kMostStaged);
  }
  const std::size_t made = stagingStats().made;
  trimPool();
  const PoolLimits before{poolStats().idle_limit_bytes, poolStats().total_limit_bytes, {}};
  setPoolLimits({.idle_bytes = 0, .total_bytes = 0, .staging_bytes = {}});
  trimPool();
  EXPECT_EQ(static_cast<int>(bytes_of_it[0]), 0x5a);  // a hole would be zeros
  EXPECT_EQ(static_cast<int>(bytes_of_it[core::kMostStaged - 1]), 0x5a);
  setPoolLimits(before);
  EXPECT_EQ(stagingStats().made, made);
  EXPECT_EQ(stagingStats().locked, made);
  EXPECT_GE(poolStats().used_bytes, made);
}

}  // namespace
}  // namespace ucxx::cuda::test
