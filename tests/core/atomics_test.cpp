// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Three at one word: its owner, a peer on this machine, and one whose operations come over TCP.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/met.h"
#include "core/remote.h"

namespace ucxx::core::test {
namespace {

constexpr std::size_t kRound = 500;    ///< of the peer over TCP
constexpr std::uint64_t kLeast = 100;  ///< of each of the others, at the same time
constexpr std::chrono::milliseconds kLeastTime{1000};

class AtomicsTest : public testing::TestWithParam<Owner> {
 protected:
  AtomicsTest() {
    EXPECT_TRUE(near_.talks() && far_.talks());
    EXPECT_TRUE(near_.isLocal());
    EXPECT_FALSE(far_.isLocal());
    word<std::uint64_t>() = 17;
    for (std::shared_ptr<RemoteKey>* const key : {&near_key_, &far_key_}) {
      const auto& endpoint = key == &near_key_ ? near_.there : far_.there;
      *key = createRemoteKeyFromSerialized(endpoint, handle_->createRemoteKey()->serialize());
      std::uint64_t first = 0;
      expectOk(endpoint->memGet(&first, sizeof first, *key));
      EXPECT_EQ(first, 17u);
    }
    EXPECT_EQ(far_key_->getPointer(), nullptr);
    EXPECT_EQ(near_key_->getPointer() != nullptr, GetParam() == Owner::Library);
  }

  template <class Word>
  std::atomic_ref<Word> word() const {
    return std::atomic_ref(*reinterpret_cast<Word*>(handle_->getBaseAddress()));
  }
  bool until(auto done) const { return compat::until({owner_, near_.left, far_.left}, done); }
  void expectOk(const std::shared_ptr<Request>& request) {
    ASSERT_TRUE(until([&] { return request->isCompleted(); }));
    EXPECT_EQ(request->getStatus(), UCS_OK);
  }

  /// Repeats the steps of the owner and of the near peer, and meanwhile rounds of the far one,
  /// until all have done enough.
  void besides(auto owners_step, auto near_step, auto round) {
    std::atomic<bool> is_over{false};
    std::atomic<std::uint64_t> steps[2] = {0, 0};
    const auto repeat = [&](auto step, std::atomic<std::uint64_t>& done) {
      for (; !is_over; ++done) step();
    };
    std::thread owner([&] { repeat(owners_step, steps[0]); });
    std::thread near([&] { repeat(near_step, steps[1]); });
    const auto begin = compat::Clock::now();
    const auto is_enough = [&] {
      const auto took = compat::Clock::now() - begin;
      const bool has_stepped = steps[0] >= kLeast && steps[1] >= kLeast;
      return took >= (has_stepped ? compat::Clock::duration(kLeastTime) : compat::kDeadline);
    };
    while (!is_enough()) round();
    EXPECT_TRUE(steps[0] >= kLeast && steps[1] >= kLeast) << steps[0] << ' ' << steps[1];
    is_over = true;
    // What the near peer has under way may need the owner.
    std::atomic<bool> has_joined{false};
    std::thread joins([&] {
      owner.join();
      near.join();
      has_joined = true;
    });
    EXPECT_TRUE(until([&] { return has_joined.load(); }));
    joins.join();
  }
  /// In a thread that does not move the workers.
  static bool waits(const std::shared_ptr<Request>& request) {
    return in(compat::kDeadline, [&] { return request->isCompleted(); }) &&
           request->getStatus() == UCS_OK;
  }

  template <class Word>
  void expectSumOfAdds();
  template <class Word>
  void expectSumOfSwaps();

  std::vector<std::uint64_t> users_ = std::vector<std::uint64_t>(8);
  std::shared_ptr<Context> context_ = createContext({{"UCXX_LOCAL", "auto"}});
  std::shared_ptr<Worker> owner_ = context_->createWorker();
  Met near_{workerWith("auto"), owner_, false}, far_{workerWith("off"), owner_, false};
  std::shared_ptr<MemoryHandle> handle_ =
      createMemoryHandle(context_, 64, GetParam() == Owner::User ? users_.data() : nullptr);
  std::shared_ptr<RemoteKey> near_key_, far_key_;
};

/// Fetched and posted in turn, those of a far round all under way at once.
template <class Word>
void AtomicsTest::expectSumOfAdds() {
  constexpr auto kAdd = AtomicOperation::Add;
  word<Word>() = 0;
  Word owners = 0, nears = 0;
  std::vector<Word> before;
  besides([&] { word<Word>().fetch_add(1), ++owners; },
          [&] {
            Word previous = 0;
            EXPECT_TRUE(waits(++nears % 2 == 0
                                  ? near_.there->atomicPost<Word>(kAdd, 1, near_key_)
                                  : near_.there->atomicFetch<Word>(kAdd, 1, &previous, near_key_)));
          },
          [&] {
            std::vector<Word> previous(kRound);
            Requests requests;
            for (Word& one : previous) {
              requests.push_back(far_.there->atomicFetch<Word>(kAdd, 1, &one, far_key_));
              requests.push_back(far_.there->atomicPost<Word>(kAdd, 1, far_key_));
            }
            for (const auto& request : requests) expectOk(request);
            before.insert(before.end(), previous.begin(), previous.end());
          });
  expectOk(near_.there->flush());
  expectOk(far_.there->flush());
  EXPECT_EQ(word<Word>(), static_cast<Word>(owners + nears + 2 * before.size()));
  std::sort(before.begin(), before.end());
  EXPECT_EQ(std::adjacent_find(before.begin(), before.end()), before.end());
}

/// Of few values, or the far peer's would never still be there when its swap arrives.
template <class Word>
void AtomicsTest::expectSumOfSwaps() {
  constexpr Word kValues = 5;
  const auto next = [](Word value) { return static_cast<Word>((value + 1) % kValues); };
  word<Word>() = 0;
  std::uint64_t owners = 0, nears = 0, fars = 0;
  Word near_expects = 0, far_expects = 0;
  const auto counts = [&](Word& expected, Word previous, std::uint64_t& swaps) {
    EXPECT_LT(previous, kValues);
    const bool is_swapped = previous == expected;
    swaps += is_swapped ? 1 : 0;
    expected = is_swapped ? next(previous) : previous;
  };
  besides(
      [&] {
        Word expected = word<Word>();
        if (word<Word>().compare_exchange_strong(expected, next(expected))) ++owners;
      },
      [&] {
        Word previous = kValues;
        EXPECT_TRUE(waits(near_.there->atomicCompareSwap<Word>(near_expects, next(near_expects),
                                                               &previous, near_key_)));
        counts(near_expects, previous, nears);
      },
      [&] {
        for (std::size_t i = 0; i < kRound; ++i) {
          Word previous = kValues;
          expectOk(far_.there->atomicCompareSwap<Word>(far_expects, next(far_expects), &previous,
                                                       far_key_));
          counts(far_expects, previous, fars);
        }
      });
  EXPECT_EQ(word<Word>(), (owners + nears + fars) % kValues);
  EXPECT_TRUE(owners > 0 && nears > 0 && fars > 0);
}

TEST_P(AtomicsTest, AddsOfEightBytesAgree) { expectSumOfAdds<std::uint64_t>(); }
TEST_P(AtomicsTest, AddsOfFourBytesAgree) { expectSumOfAdds<std::uint32_t>(); }
TEST_P(AtomicsTest, SwapsOfEightBytesAgree) { expectSumOfSwaps<std::uint64_t>(); }
TEST_P(AtomicsTest, SwapsOfFourBytesAgree) { expectSumOfSwaps<std::uint32_t>(); }

INSTANTIATE_TEST_SUITE_P(, AtomicsTest, testing::Values(Owner::Library, Owner::User),
                         [](const auto& instance) { return nameOf(instance.param); });

}  // namespace
}  // namespace ucxx::core::test
