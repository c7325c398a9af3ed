// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Collectives that follow each other without a pause, members that come late, large blocks,
// barriers.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "shmem/check.h"
#include "shmem/some_teams.h"

namespace {

using ucxx::test::peOf;
using ucxx::test::SomeTeams;
using Words = std::uint64_t*;

constexpr std::size_t kMostBytes = std::size_t{256} << 10;
constexpr std::size_t kMostWords = kMostBytes / sizeof(std::uint64_t);

std::size_t pes() { return static_cast<std::size_t>(shmem_n_pes()); }

/// Takes a while, as a PE that computes.
void compute() {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
  while (std::chrono::steady_clock::now() < end) {
  }
}

std::uint64_t valueOf(int member, std::size_t at, std::size_t turn) {
  return (turn << 32) + (static_cast<std::uint64_t>(member) << 24) + at;
}

void fillBlock(Words block, std::size_t count, int member, std::size_t turn) {
  for (std::size_t at = 0; at < count; ++at) block[at] = valueOf(member, at, turn);
}

void checkBlock(const std::uint64_t* block, std::size_t count, int member, std::size_t first,
                std::size_t turn) {
  for (std::size_t at = 0; at < count; ++at) CHECK_EQ(block[at], valueOf(member, first + at, turn));
}

/// One collective of a team, with the value of a turn in all of its elements.
class Step {
 public:
  Step(shmem_team_t team, Words dest, Words source, std::size_t count, std::size_t turn)
      : team_(team), dest_(dest), source_(source), count_(count), turn_(turn) {}

  /// So much of dest is written.
  static std::size_t room(std::size_t count) { return count * pes(); }

  void fill() const { fillBlock(source_, room(count_), me_, turn_); }
  void call() const {
    const std::size_t bytes = count_ * sizeof(std::uint64_t);
    switch (turn_ % 5) {
      case 0:
        return requireDone(shmem_uint64_broadcast(team_, dest_, source_, count_, root()));
      case 1:
        return requireDone(shmem_uint64_fcollect(team_, dest_, source_, count_));
      case 2:
        return requireDone(
            shmem_collectmem(team_, dest_, source_, own(me_) * sizeof(std::uint64_t)));
      case 3:
        return requireDone(shmem_alltoallmem(team_, dest_, source_, bytes));
      default:
        return requireDone(shmem_uint64_alltoalls(team_, dest_, source_, 1, 1, count_));
    }
  }
  void check() const {
    if (turn_ % 5 == 0) return checkBlock(dest_, count_, root(), 0, turn_);
    const std::uint64_t* block = dest_;
    for (int member = 0; member < size_; ++member) {
      const std::size_t count = turn_ % 5 == 2 ? own(member) : count_;
      checkBlock(block, count, member, isAlltoall() ? static_cast<std::size_t>(me_) * count_ : 0,
                 turn_);
      block += count;
    }
  }

 private:
  static void requireDone(int status) { CHECK_EQ(status, 0); }
  int root() const { return static_cast<int>((turn_ / 5) % static_cast<std::size_t>(size_)); }
  bool isAlltoall() const { return turn_ % 5 >= 3; }
  /// Of collect.
  std::size_t own(int member) const {
    return (static_cast<std::size_t>(member) + turn_) % 3 == 0 ? 0 : count_ - turn_ % count_ / 2;
  }

  shmem_team_t team_;
  Words dest_, source_;
  std::size_t count_, turn_;
  int me_ = shmem_team_my_pe(team_), size_ = shmem_team_n_pes(team_);
};

Words allocateWords(std::size_t count) {
  return static_cast<Words>(shmem_malloc(count * sizeof(std::uint64_t)));
}

/// Pairs of different collectives, of different sizes, with nothing between the two.
void testTwoInARow() {
  const std::size_t sizes[] = {1, 7, 500, 3000, kMostWords};
  const std::size_t room = Step::room(kMostWords);
  const Words memory = allocateWords(4 * room);
  for (std::size_t turn = 0; turn < 25; ++turn) {
    const Step first(SHMEM_TEAM_WORLD, memory, memory + room, sizes[turn % 5], turn);
    const Step second(SHMEM_TEAM_WORLD, memory + 2 * room, memory + 3 * room, sizes[turn / 5],
                      turn * 3 + 1);
    first.fill();
    second.fill();
    first.call();
    second.call();
    first.check();
    second.check();
    shmem_sync_all();
  }
  shmem_free(memory);
}

/// Nobody reads the source of a member, and nobody needs it, before the member has called.
void testLateMember(shmem_team_t team, int late, std::size_t count) {
  static Words memory = nullptr;
  static std::size_t room = 0;
  if (memory == nullptr) {
    room = Step::room(3000);
    memory = allocateWords(2 * room);
  }
  for (std::size_t turn = 1; turn <= 5; ++turn) {
    const Step step(team, memory, memory + room, count, turn + 5 * static_cast<std::size_t>(late));
    std::fill_n(memory, 2 * room, ~std::uint64_t{0});
    shmem_team_sync(team);
    if (shmem_team_my_pe(team) == late) compute();
    step.fill();
    step.call();
    step.check();
  }
}

void testLateMembers() {
  const int last = shmem_n_pes() - 1;
  const shmem_team_t reversed = ucxx::test::splitTeam(SHMEM_TEAM_WORLD, last, -1, last + 1);
  testLateMember(SHMEM_TEAM_WORLD, 0, 3);
  testLateMember(SHMEM_TEAM_WORLD, last, 3000);
  testLateMember(reversed, 0, 3000);
  testLateMember(reversed, last, 3);
  shmem_team_destroy(reversed);
}

/// So many buffers that nobody who runs ahead comes to one that is still looked at: until the next
/// collective that needs all members.
void testManyInARow(shmem_team_t team, Words dests, Words source) {
  constexpr std::size_t kDests = 16, kCount = 2;
  const std::size_t room = Step::room(kCount);
  for (std::size_t turn = 0; turn < 10'000; ++turn) {
    const Step step(team, dests + turn % kDests * room, source, kCount, turn);
    step.fill();
    step.call();
    step.check();
  }
}

void testManyInARowOnTeams() {
  const SomeTeams teams;
  const std::size_t dests = 16 * Step::room(2), all = dests + Step::room(2);
  const Words memory = allocateWords(SomeTeams::kCount * all);
  teams.forEach([&](shmem_team_t team, std::size_t index) {
    if (index % 4 == 1) testManyInARow(team, memory + index * all, memory + index * all + dests);
  });
  shmem_free(memory);
}

/// Broadcasts from one root after the other: a member that is late finds each of them.
void testBroadcastsInARow(std::size_t count) {
  constexpr std::size_t kRounds = 60;
  const Words dests = allocateWords(kRounds * pes() * count), source = allocateWords(count);
  const int me = shmem_my_pe(), size = shmem_n_pes();
  for (std::size_t turn = 0; turn < kRounds * pes(); ++turn) {
    const int root = static_cast<int>(turn % pes());
    if (root == me) fillBlock(source, count, me, turn);
    CHECK_EQ(shmem_uint64_broadcast(SHMEM_TEAM_WORLD, dests + turn * count, source, count, root),
             0);
    checkBlock(dests + turn * count, count, root, 0, turn);
    if (turn % 50 == 7 && me == static_cast<int>(turn / 50) % size) compute();
  }
  shmem_free(source);
  shmem_free(dests);
}

/// The root need not wait, and may be far ahead.
void testRootRunsAhead() {
  constexpr std::size_t kTurns = 2000, kCount = 3;
  const Words dests = allocateWords(kTurns * kCount), source = allocateWords(kCount);
  if (shmem_my_pe() != 0) compute();
  for (std::size_t turn = 0; turn < kTurns; ++turn) {
    fillBlock(source, kCount, shmem_my_pe(), turn);
    CHECK_EQ(shmem_uint64_broadcast(SHMEM_TEAM_WORLD, dests + turn * kCount, source, kCount, 0), 0);
    checkBlock(dests + turn * kCount, kCount, 0, 0, turn);
  }
  shmem_free(source);
  shmem_free(dests);
}

/// Nobody leaves before all have come.
template <class Barrier>
void testMeeting(const Barrier& barrier) {
  static long arrivals;
  arrivals = 0;
  shmem_barrier_all();
  for (long round = 1; round <= 300; ++round) {
    if (round % 100 == 7 && shmem_my_pe() == round % shmem_n_pes()) compute();
    shmem_long_atomic_inc(&arrivals, 0);
    barrier();
    CHECK(shmem_long_atomic_fetch(&arrivals, 0) >= round * shmem_n_pes());
  }
  shmem_barrier_all();
}

/// barrier_all completes puts of any kind.
void testBarrierCompletes() {
  const Words words = allocateWords(pes());
  const auto me = static_cast<std::uint64_t>(shmem_my_pe());
  for (std::uint64_t round = 1; round <= 200; ++round) {
    for (int pe = 0; pe < shmem_n_pes(); ++pe) {
      const std::uint64_t value = round * 1000 + me;
      if (round % 2 == 0) shmem_uint64_p(words + me, value, pe);
      if (round % 2 == 1) shmem_uint64_put_nbi(words + me, &value, 1, pe), shmem_quiet();
    }
    shmem_barrier_all();
    for (std::size_t pe = 0; pe < pes(); ++pe) CHECK_EQ(words[pe], round * 1000 + pe);
    shmem_barrier_all();
  }
  shmem_free(words);
}

}  // namespace

int main() {
  shmem_init();
  testTwoInARow();
  testLateMembers();
  testManyInARowOnTeams();
  for (const std::size_t count : {1, 7, 2000}) testBroadcastsInARow(count);
  testRootRunsAhead();
  testMeeting([] { shmem_barrier_all(); });
  testMeeting([] { shmem_sync_all(); });
  testMeeting([] { CHECK_EQ(shmem_team_sync(SHMEM_TEAM_SHARED), 0); });
  testMeeting([] { CHECK_EQ(shmem_sync(SHMEM_TEAM_WORLD), 0); });
  testBarrierCompletes();
  shmem_finalize();
}
