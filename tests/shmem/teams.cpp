// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Teams: splits against a model of lists, translation, configuration, edges.
#include <algorithm>
#include <climits>
#include <vector>

#include "shmem/check.h"

namespace {

/// PEs of the job, in the order of the team.
using Members = std::vector<int>;

Members allPes() {
  Members pes;
  for (int pe = 0; pe < shmem_n_pes(); ++pe) pes.push_back(pe);
  return pes;
}

int numberOf(const Members& members, int pe) {
  const auto found = std::find(members.begin(), members.end(), pe);
  return found == members.end() ? -1 : static_cast<int>(found - members.begin());
}

struct Triplet {
  int start, stride, size;
};

bool isValid(const Members& parent, const Triplet& wish) {
  const auto count = static_cast<long>(parent.size());
  const long last = wish.start + (wish.size - 1L) * wish.stride;
  return wish.size >= 1 && wish.start >= 0 && wish.start < count && last >= 0 && last < count;
}

Members strided(const Members& parent, const Triplet& wish) {
  Members members;
  for (int i = 0; i < wish.size; ++i)
    members.push_back(parent[static_cast<std::size_t>(wish.start + i * wish.stride)]);
  return members;
}

void checkTranslations(shmem_team_t team, const Members& members) {
  const int size = static_cast<int>(members.size());
  for (int member = 0; member < size; ++member) {
    const int pe = members[static_cast<std::size_t>(member)];
    CHECK_EQ(shmem_team_translate_pe(team, member, SHMEM_TEAM_WORLD), pe);
    CHECK_EQ(shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, team), member);
    CHECK_EQ(shmem_team_translate_pe(team, member, team), member);
    CHECK_EQ(shmem_team_translate_pe(team, member, SHMEM_TEAM_INVALID), -1);
  }
  for (int pe = 0; pe < shmem_n_pes(); ++pe)
    CHECK_EQ(shmem_team_translate_pe(SHMEM_TEAM_SHARED, pe, team), numberOf(members, pe));
  for (const int beyond : {-1, size, INT_MIN, INT_MAX})
    CHECK_EQ(shmem_team_translate_pe(team, beyond, SHMEM_TEAM_WORLD), -1);
  CHECK_EQ(shmem_team_translate_pe(SHMEM_TEAM_INVALID, 0, team), -1);
}

/// Of a team that should have these members, on each PE.
void checkTeam(shmem_team_t team, const Members& members) {
  const int me = numberOf(members, shmem_my_pe());
  CHECK_EQ(team != SHMEM_TEAM_INVALID, me >= 0);
  CHECK_EQ(shmem_team_my_pe(team), me);
  if (me < 0) return CHECK_EQ(shmem_team_n_pes(team), -1);
  CHECK_EQ(shmem_team_n_pes(team), static_cast<int>(members.size()));
  checkTranslations(team, members);
  CHECK_EQ(shmem_team_sync(team), 0);
}

shmem_team_t marked() { return SHMEM_TEAM_WORLD; }

/// A split that may be impossible; for members of the parent.
shmem_team_t trySplit(shmem_team_t parent, const Members& members, const Triplet& wish) {
  shmem_team_t team = marked();
  const int status =
      shmem_team_split_strided(parent, wish.start, wish.stride, wish.size, nullptr, 0, &team);
  CHECK_EQ(status == 0, isValid(members, wish));
  if (status != 0) CHECK(team == SHMEM_TEAM_INVALID);
  return team;
}

void checkSplit(shmem_team_t parent, const Members& members, const Triplet& wish) {
  const shmem_team_t team = trySplit(parent, members, wish);
  if (isValid(members, wish)) checkTeam(team, strided(members, wish));
  shmem_team_destroy(team);
}

// Stride 0 with more than one member is undefined.
void testAllTriplets(shmem_team_t parent, const Members& members) {
  const int count = std::min(static_cast<int>(members.size()), 7);
  for (int start = -1; start <= count; ++start) {
    for (int stride = -count - 1; stride <= count + 1; ++stride) {
      for (int size = -1; size <= count + 1; ++size) {
        if (stride != 0 || size == 1) checkSplit(parent, members, {start, stride, size});
      }
    }
  }
}

void testPredefined() {
  for (const shmem_team_t team : {SHMEM_TEAM_WORLD, SHMEM_TEAM_SHARED}) {
    checkTeam(team, allPes());
    CHECK_EQ(shmem_team_my_pe(team), shmem_my_pe());
  }
}

void testInvalidHandle() {
  CHECK_EQ(shmem_team_my_pe(SHMEM_TEAM_INVALID), -1);
  CHECK_EQ(shmem_team_n_pes(SHMEM_TEAM_INVALID), -1);
  CHECK_EQ(shmem_team_translate_pe(SHMEM_TEAM_INVALID, 0, SHMEM_TEAM_INVALID), -1);
  shmem_team_destroy(SHMEM_TEAM_INVALID);
  shmem_team_t team = marked(), other = marked();
  CHECK(shmem_team_split_strided(SHMEM_TEAM_INVALID, 0, 1, 1, nullptr, 0, &team) != 0);
  CHECK(team == SHMEM_TEAM_INVALID);
  team = marked();
  CHECK(shmem_team_split_2d(SHMEM_TEAM_INVALID, 1, nullptr, 0, &team, nullptr, 0, &other) != 0);
  CHECK(team == SHMEM_TEAM_INVALID);
  CHECK(other == SHMEM_TEAM_INVALID);
}

void testExtremeTriplets() {
  const Members pes = allPes();
  for (const int much : {INT_MAX, INT_MIN, INT_MAX - 1, INT_MIN + 1, 1 << 30}) {
    checkSplit(SHMEM_TEAM_WORLD, pes, {0, much, 2});
    checkSplit(SHMEM_TEAM_WORLD, pes, {shmem_n_pes() - 1, much, 3});
    checkSplit(SHMEM_TEAM_WORLD, pes, {much, 1, 1});
    checkSplit(SHMEM_TEAM_WORLD, pes, {0, 1, much});
    checkSplit(SHMEM_TEAM_WORLD, pes, {0, much, much});
    checkSplit(SHMEM_TEAM_WORLD, pes, {0, much, 1});
  }
}

/// Splits of a split: against the order, and every second one of these.
void testNested() {
  const Members pes = allPes();
  const int count = shmem_n_pes();
  const Triplet down{count - 1, -1, count}, second{0, 2, (count + 1) / 2};
  const shmem_team_t reversed = trySplit(SHMEM_TEAM_WORLD, pes, down);
  testAllTriplets(reversed, strided(pes, down));
  const shmem_team_t half = trySplit(reversed, strided(pes, down), second);
  const Members members = strided(strided(pes, down), second);
  checkTeam(half, members);
  if (half != SHMEM_TEAM_INVALID) testAllTriplets(half, members);
  shmem_team_destroy(half);
  shmem_team_destroy(reversed);
}

/// A wide stride of one member means nothing, also in a parent that has a stride.
void testWideStrideOfOne() {
  const int count = shmem_n_pes();
  const Members pes = allPes();
  const Triplet wide{count - 1, count > 2 ? 1 - count : -1, count > 1 ? 2 : 1};
  const shmem_team_t parent = trySplit(SHMEM_TEAM_WORLD, pes, wide);
  if (parent != SHMEM_TEAM_INVALID) {
    for (const int stride : {0, INT_MAX, INT_MIN, 1 << 30})
      checkSplit(parent, strided(pes, wide), {0, stride, 1});
  }
  shmem_team_destroy(parent);
}

/// A parent can be split by its members alone, while others do the same elsewhere.
void testParallelSplits() {
  const int count = shmem_n_pes(), middle = (count + 1) / 2;
  const Members pes = allPes();
  const Triplet low{0, 1, middle}, high{count - 1, -1, count - middle};
  const shmem_team_t lower = trySplit(SHMEM_TEAM_WORLD, pes, low);
  const shmem_team_t upper = trySplit(SHMEM_TEAM_WORLD, pes, high);
  if (lower != SHMEM_TEAM_INVALID) testAllTriplets(lower, strided(pes, low));
  if (upper != SHMEM_TEAM_INVALID) testAllTriplets(upper, strided(pes, high));
  shmem_team_destroy(upper);
  shmem_team_destroy(lower);
}

}  // namespace

int main() {
  shmem_init();
  testPredefined();
  testInvalidHandle();
  testAllTriplets(SHMEM_TEAM_WORLD, allPes());
  testExtremeTriplets();
  testNested();
  testWideStrideOfOne();
  testParallelSplits();
  shmem_finalize();
}
