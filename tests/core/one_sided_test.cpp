// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Puts, gets and atomics on every way: mapped memory, copies by the kernel, messages.

#include <algorithm>
#include <functional>
#include <thread>

#include "core/remote.h"

namespace ucxx::core::test {
namespace {

constexpr std::size_t kSize = kRemoteBytes;

class OneSidedTest : public testing::TestWithParam<std::tuple<Route, Mode, Owner>> {
 protected:
  void expectOk(const std::shared_ptr<Request>& request) {
    ASSERT_TRUE(ends_.ended({request}));
    EXPECT_EQ(request->getStatus(), UCS_OK);
  }
  void flush() { expectOk(ends_.left->flush()); }

  Ends ends_{std::get<0>(GetParam()), std::get<1>(GetParam())};
  Remote remote_{ends_, std::get<2>(GetParam())};
};

TEST_P(OneSidedTest, PutsBytesWhereTheyBelong) {
  for (const std::size_t size : {1, 8, 1000, 16 << 10, (16 << 10) + 1, 100'000, 2 << 20}) {
    SCOPED_TRACE(size);
    std::memset(remote_.data(), 0, kSize);
    const auto sent = bytes(size);
    expectOk(ends_.left->memPut(sent.data(), size, remote_.key, 7));
    flush();
    EXPECT_TRUE(remote_.bytes(7, size) == sent);
    EXPECT_TRUE(remote_.bytes(0, 7) == std::vector<std::byte>(7));
    EXPECT_TRUE(remote_.bytes(7 + size, 64) == std::vector<std::byte>(64));
  }
}

TEST_P(OneSidedTest, GetsBytesFromWhereTheyAre) {
  const auto there = bytes(kSize);
  std::memcpy(remote_.data(), there.data(), kSize);
  for (const std::size_t size : {1, 8, 1000, 16 << 10, (16 << 10) + 1, 100'000, 2 << 20}) {
    SCOPED_TRACE(size);
    std::vector<std::byte> room(size + 1);
    expectOk(ends_.left->memGet(room.data(), size, remote_.key, 13));
    EXPECT_TRUE(std::equal(room.begin(), room.end() - 1, there.begin() + 13));
    EXPECT_EQ(room.back(), std::byte{0});
  }
}

TEST_P(OneSidedTest, ByAddressAndHandle) {
  const auto sent = bytes(100);
  const std::uint64_t address = remote_.handle->getBaseAddress() + 50;
  expectOk(ends_.left->memPut(sent.data(), 100, address, remote_.key->getHandle()));
  flush();
  std::vector<std::byte> room(100);
  expectOk(ends_.left->memGet(room.data(), 100, address, remote_.key->getHandle()));
  EXPECT_TRUE(room == sent);
  EXPECT_TRUE(remote_.bytes(50, 100) == sent);
}

TEST_P(OneSidedTest, ManyAtOnceThenOneFlush) {
  const auto sent = bytes(kSize);
  constexpr std::size_t kEach = 5000;
  Requests requests;
  for (std::size_t at = 0; at + kEach <= kSize; at += kEach)
    requests.push_back(ends_.left->memPut(sent.data() + at, kEach, remote_.key, at));
  flush();
  ASSERT_TRUE(ends_.ended(requests));
  const std::size_t all = kSize / kEach * kEach;
  EXPECT_TRUE(
      std::equal(sent.begin(), sent.begin() + static_cast<std::ptrdiff_t>(all), remote_.data()));
}

TEST_P(OneSidedTest, NothingIsFine) {
  expectOk(ends_.left->memPut(nullptr, 0, remote_.key, kSize));
  expectOk(ends_.left->memGet(nullptr, 0, remote_.key, 0));
}

TEST_P(OneSidedTest, CallbackRunsOnce) {
  std::atomic<int> calls{0};
  const auto sent = bytes(100'000);
  const auto count = [&](ucs_status_t status, const std::shared_ptr<void>&) {
    EXPECT_EQ(status, UCS_OK);
    ++calls;
  };
  expectOk(ends_.left->memPut(sent.data(), sent.size(), remote_.key, 0, false, count));
  expectOk(ends_.left->memPut(sent.data(), 8, remote_.key, 0, false, count));
  EXPECT_TRUE(ends_.until([&] { return calls == 2; }));
}

template <class Word>
struct Step {
  AtomicOperation operation;
  Word operand, result;
};

template <class Word>
void expectSteps(Ends& ends, Remote& remote) {
  constexpr Word kOnes = static_cast<Word>(~Word{0});
  const Step<Word> steps[] = {
      {AtomicOperation::Swap, 0x7f, 0x7f}, {AtomicOperation::Add, 2, 0x81},
      {AtomicOperation::Add, kOnes, 0x80}, {AtomicOperation::And, 0xf0, 0x80},
      {AtomicOperation::Or, 0x0f, 0x8f},   {AtomicOperation::Xor, 0xff, 0x70}};
  auto& word = *reinterpret_cast<Word*>(remote.data() + 16);
  for (const bool fetches : {true, false}) {
    word = 5;
    Word before = 5;
    for (const auto& step : steps) {
      Word previous = 99;
      auto request =
          fetches ? ends.left->atomicFetch(step.operation, step.operand, &previous, remote.key, 16)
                  : ends.left->atomicPost(step.operation, step.operand, remote.key, 16);
      ASSERT_TRUE(ends.ended({request, ends.left->flush()}));
      EXPECT_EQ(request->getStatus(), UCS_OK);
      EXPECT_EQ(previous, fetches ? before : 99);
      EXPECT_EQ(std::atomic_ref(word).load(), step.result);
      before = step.result;
    }
  }
}

TEST_P(OneSidedTest, AtomicsOfEightBytes) { expectSteps<std::uint64_t>(ends_, remote_); }

/// What atomics of four bytes at 16 do, and nothing beside them.
void expectOnlyFourBytes(Ends& ends, Remote& remote, void (*expect)(Ends&, Remote&)) {
  std::memset(remote.data(), 0x55, 64);
  expect(ends, remote);
  EXPECT_EQ(remote.data()[15], std::byte{0x55});
  EXPECT_EQ(remote.data()[20], std::byte{0x55});
}

TEST_P(OneSidedTest, AtomicsOfFourBytes) {
  expectOnlyFourBytes(ends_, remote_, expectSteps<std::uint32_t>);
}

template <class Word>
void expectSwaps(Ends& ends, Remote& remote) {
  auto& word = *reinterpret_cast<Word*>(remote.data() + 16);
  word = -7;
  for (const Word expected : {Word{1}, Word{-7}}) {
    Word previous = 0;
    auto request = ends.left->atomicCompareSwap<Word>(expected, 2, &previous, remote.key, 16);
    ASSERT_TRUE(ends.ended({request}));
    EXPECT_EQ(request->getStatus(), UCS_OK);
    EXPECT_EQ(previous, -7);
    EXPECT_EQ(word, expected == -7 ? 2 : -7);
  }
}

TEST_P(OneSidedTest, CompareAndSwapOfEightBytes) { expectSwaps<std::int64_t>(ends_, remote_); }

TEST_P(OneSidedTest, CompareAndSwapOfFourBytes) {
  expectOnlyFourBytes(ends_, remote_, expectSwaps<std::int32_t>);
}

/// The owner's own atomics, while the peer's come by whatever way they do.
TEST_P(OneSidedTest, AtomicsOfBothSidesAgree) {
  constexpr std::uint64_t kEach = 2000;
  std::thread owner([&] {
    const std::atomic_ref word(*reinterpret_cast<std::uint64_t*>(remote_.data()));
    for (std::uint64_t i = 0; i < kEach; ++i) word.fetch_add(1);
  });
  Requests requests;
  std::vector<std::uint64_t> previous(kEach);
  for (std::uint64_t i = 0; i < kEach; ++i) {
    requests.push_back(
        ends_.left->atomicFetch<std::uint64_t>(AtomicOperation::Add, 1, &previous[i], remote_.key));
    requests.push_back(ends_.left->atomicPost<std::uint64_t>(AtomicOperation::Add, 1, remote_.key));
  }
  EXPECT_TRUE(ends_.ended(requests));
  flush();
  owner.join();
  EXPECT_EQ(*reinterpret_cast<std::uint64_t*>(remote_.data()), 3 * kEach);
  std::sort(previous.begin(), previous.end());
  EXPECT_EQ(std::adjacent_find(previous.begin(), previous.end()), previous.end());
}

TEST_P(OneSidedTest, MemoryThatWasGivenUpIsRefused) {
  auto sent = bytes(40'000);
  expectOk(ends_.left->memPut(sent.data(), 8, remote_.key));
  flush();
  remote_.handle.reset();
  std::uint64_t previous = 0;
  for (const std::size_t size : {std::size_t{8}, sent.size()}) {
    auto get = ends_.left->memGet(sent.data(), size, remote_.key);
    ASSERT_TRUE(ends_.ended({get}));
    EXPECT_EQ(get->getStatus(), UCS_ERR_INVALID_PARAM);
    EXPECT_THROW(get->checkError(), InvalidParamError);
    auto put = ends_.left->memPut(sent.data(), size, remote_.key);
    auto settled = ends_.left->flush();
    ASSERT_TRUE(ends_.ended({put, settled}));
    EXPECT_TRUE(put->getStatus() == UCS_ERR_INVALID_PARAM ||
                settled->getStatus() == UCS_ERR_INVALID_PARAM);
  }
  auto add =
      ends_.left->atomicFetch<std::uint64_t>(AtomicOperation::Add, 1, &previous, remote_.key);
  ASSERT_TRUE(ends_.ended({add}));
  EXPECT_EQ(add->getStatus(), UCS_ERR_INVALID_PARAM);
  // ... and all else goes on.
  Remote other(ends_, Owner::Library);
  expectOk(ends_.left->memPut(sent.data(), sent.size(), other.key));
  flush();
  EXPECT_TRUE(other.bytes(0, sent.size()) == sent);
}

TEST_P(OneSidedTest, OverlappingFlushesEachWaitForThePuts) {
  const auto sent = bytes(100'000);
  for (int round = 0; round < 20; ++round) {
    std::memset(remote_.data(), 0, sent.size());
    auto put = ends_.left->memPut(sent.data(), sent.size(), remote_.key);
    auto first = ends_.left->flush();
    auto second = ends_.left->flush();
    expectOk(second);
    EXPECT_TRUE(remote_.bytes(0, sent.size()) == sent);
    expectOk(first);
    expectOk(put);
  }
}

TEST_P(OneSidedTest, MoreThanMayBeUnderWay) {
  constexpr std::size_t kMany = 1000;
  std::vector<std::uint64_t> previous(kMany), got(kMany);
  Requests requests;
  for (std::size_t i = 0; i < kMany; ++i) {
    requests.push_back(ends_.left->atomicPost<std::uint64_t>(AtomicOperation::Add, 1, remote_.key));
    requests.push_back(
        ends_.left->atomicFetch<std::uint64_t>(AtomicOperation::Add, 1, &previous[i], remote_.key));
    // Elsewhere: a get reads a word that is being added to as anybody does, bytewise.
    requests.push_back(ends_.left->memGet(&got[i], 8, remote_.key, 64));
    requests.push_back(ends_.left->flush());
  }
  ASSERT_TRUE(ends_.ended(requests));
  for (const auto& request : requests) EXPECT_EQ(request->getStatus(), UCS_OK);
  EXPECT_EQ(*reinterpret_cast<std::uint64_t*>(remote_.data()), 2 * kMany);
}

/// The puts ask whether they may go on; everything else does meanwhile, and afterwards.
TEST_P(OneSidedTest, PutsOfManyMegabytesAndAMessage) {
  const auto sent = bytes(kSize);
  Requests requests;
  for (int i = 0; i < 4; ++i)
    requests.push_back(ends_.left->memPut(sent.data(), kSize, remote_.key));
  ASSERT_TRUE(ends_.ended(requests));
  std::vector<std::byte> room(kSize);  // announced: its receiver asks for it
  auto send = ends_.right->tagSend(sent.data(), kSize, Tag{5});
  auto receive = ends_.left->tagRecv(room.data(), kSize, Tag{5});
  ASSERT_TRUE(ends_.ended({send, receive}));
  EXPECT_EQ(receive->getStatus(), UCS_OK);
  flush();
  EXPECT_TRUE(remote_.bytes(0, kSize) == sent);
}

TEST_P(OneSidedTest, CallbacksPostMore) {
  std::atomic<int> left{200};
  std::atomic<bool> failed{false};
  std::uint64_t word = 0;
  std::function<void(ucs_status_t, std::shared_ptr<void>)> again =
      [&](ucs_status_t status, const std::shared_ptr<void>&) {
        if (status != UCS_OK) failed = true;
        if (--left > 0) (void)ends_.left->memGet(&word, 8, remote_.key, 0, false, again);
      };
  (void)ends_.left->memGet(&word, 8, remote_.key, 0, false, again);
  EXPECT_TRUE(ends_.until([&] { return left <= 0; }));
  EXPECT_FALSE(failed);
}

TEST_P(OneSidedTest, WhatIsDroppedIsDoneAllTheSame) {
  const auto sent = bytes(100'000);
  (void)ends_.left->memPut(sent.data(), sent.size(), remote_.key);
  flush();
  EXPECT_TRUE(remote_.bytes(0, sent.size()) == sent);
}

TEST_P(OneSidedTest, AClosedEndpointRefuses) {
  ends_.left->closeBlocking();
  std::uint64_t word = 0;
  EXPECT_THROW((void)ends_.left->memPut(&word, 8, remote_.key), Error);
  EXPECT_THROW((void)ends_.left->memGet(&word, 8, remote_.key), Error);
  EXPECT_THROW((void)ends_.left->atomicPost<std::uint64_t>(AtomicOperation::Add, 1, remote_.key),
               Error);
}

INSTANTIATE_TEST_SUITE_P(, OneSidedTest,
                         testing::Combine(testing::ValuesIn(kRoutes), testing::ValuesIn(kModes),
                                          testing::Values(Owner::Library, Owner::User)),
                         [](const auto& instance) {
                           return nameOf(std::get<0>(instance.param)) +
                                  nameOf(std::get<1>(instance.param)) +
                                  nameOf(std::get<2>(instance.param));
                         });

}  // namespace
}  // namespace ucxx::core::test
