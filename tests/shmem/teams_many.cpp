// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Many teams: one after the other, at once, in parallel, and those that finalize has to destroy.
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "shmem/check.h"
#include "shmem/some_teams.h"

namespace {

using ucxx::test::splitTeam;

/// Any team with this PE: the same on all PEs, which make the same calls.
shmem_team_t randomTeam(std::mt19937& numbers) {
  const int pes = shmem_n_pes();
  const int start = static_cast<int>(numbers() % static_cast<unsigned>(pes));
  const bool is_down = numbers() % 2 == 0;
  const int room = is_down ? start + 1 : pes - start;
  const int size = 1 + static_cast<int>(numbers() % static_cast<unsigned>(room));
  return splitTeam(SHMEM_TEAM_WORLD, start, is_down ? -1 : 1, size);
}

/// Each member adds its number in the job.
void checkSum(shmem_team_t team, int* dest, int* source) {
  if (team == SHMEM_TEAM_INVALID) return;
  *source = shmem_my_pe();
  CHECK_EQ(shmem_int_sum_reduce(team, dest, source, 1), 0);
  int expected = 0;
  for (int member = 0; member < shmem_team_n_pes(team); ++member)
    expected += ucxx::test::peOf(team, member);
  CHECK_EQ(*dest, expected);
}

int sums[2];

void testOneAfterAnother() {
  std::mt19937 numbers(1);
  for (int time = 0; time < 2000; ++time) {
    const shmem_team_t team = randomTeam(numbers);
    checkSum(team, &sums[0], &sums[1]);
    shmem_team_destroy(team);
  }
}

/// Used in another order than made, and destroyed in a third one.
void testManyAtOnce() {
  constexpr std::size_t kTeams = 500;
  std::mt19937 numbers(2);
  std::vector<shmem_team_t> teams;
  while (teams.size() < kTeams) teams.push_back(randomTeam(numbers));
  for (std::size_t i = 0; i < 2 * kTeams; ++i) checkSum(teams[i * 7 % kTeams], &sums[0], &sums[1]);
  for (std::size_t i = 0; i < kTeams; ++i) shmem_team_destroy(teams[i * 11 % kTeams]);
}

shmem_team_t half(bool is_upper) {
  const int pes = shmem_n_pes(), middle = (pes + 1) / 2;
  return is_upper ? splitTeam(SHMEM_TEAM_WORLD, pes - 1, -1, pes - middle)
                  : splitTeam(SHMEM_TEAM_WORLD, 0, 1, middle);
}

/// Both halves at the same time, each as fast as it can and not equally often.
void testHalvesAtOnce() {
  const shmem_team_t lower = half(false);
  const shmem_team_t upper = shmem_n_pes() > 1 ? half(true) : SHMEM_TEAM_INVALID;
  for (int time = 0; time < 300; ++time) {
    checkSum(lower, &sums[0], &sums[1]);
    checkSum(upper, &sums[0], &sums[1]);
    if (upper != SHMEM_TEAM_INVALID) CHECK_EQ(shmem_team_sync(upper), 0);
    if (time % 100 == 0) shmem_barrier_all();
  }
  shmem_team_destroy(upper);
  shmem_team_destroy(lower);
}

/// Rows and columns in turn: each PE is in both, and meets other PEs in each.
void testRowsAndColumns() {
  shmem_team_t row = SHMEM_TEAM_INVALID, column = SHMEM_TEAM_INVALID;
  CHECK_EQ(shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, nullptr, 0, &row, nullptr, 0, &column), 0);
  for (int time = 0; time < 500; ++time) {
    checkSum(row, &sums[0], &sums[1]);
    checkSum(column, &sums[0], &sums[1]);
  }
  shmem_team_destroy(column);
  shmem_team_destroy(row);
}

/// Teams of PEs that have nothing to do with each other come and go at the same time.
void testLivesAtOnce() {
  const shmem_team_t lower = half(false);
  const shmem_team_t upper = shmem_n_pes() > 1 ? half(true) : SHMEM_TEAM_INVALID;
  const shmem_team_t mine = lower != SHMEM_TEAM_INVALID ? lower : upper;
  for (int time = 0; time < 300; ++time) {
    const int size = shmem_team_n_pes(mine);
    const shmem_team_t child = splitTeam(mine, size - 1, -1, size);
    checkSum(child, &sums[0], &sums[1]);
    shmem_team_destroy(child);
  }
  shmem_team_destroy(upper);
  shmem_team_destroy(lower);
}

/// Where no more can be had, all PEs are told, and it is as before when some have gone.
void testUntilNoneIsLeft() {
  if (shmem_n_pes() > 3) return;
  std::vector<shmem_team_t> teams;
  shmem_team_t team = SHMEM_TEAM_INVALID;
  while (teams.size() < 40'000 &&
         shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), nullptr, 0, &team) == 0)
    teams.push_back(team);
  CHECK(teams.size() > 10'000);
  if (teams.size() < 40'000) CHECK(team == SHMEM_TEAM_INVALID);
  checkSum(teams.back(), &sums[0], &sums[1]);
  for (const shmem_team_t some : teams) shmem_team_destroy(some);
  const shmem_team_t again = splitTeam(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes());
  checkSum(again, &sums[0], &sums[1]);
  shmem_team_destroy(again);
}

/// The last finalize destroys what is left, with its contexts: or the numbers of teams run out.
void testFinalizeDestroys() {
  std::mt19937 numbers(3);
  const int teams = shmem_n_pes() > 4 ? 50 : 450;
  for (int time = 0; time < 40; ++time) {
    for (int count = 0; count < teams; ++count) {
      const shmem_team_t team = randomTeam(numbers);
      shmem_ctx_t context = SHMEM_CTX_INVALID;
      if (team != SHMEM_TEAM_INVALID) CHECK_EQ(shmem_team_create_ctx(team, 0, &context), 0);
    }
    shmem_finalize();
    shmem_init();
  }
}

}  // namespace

int main() {
  shmem_init();
  testOneAfterAnother();
  testManyAtOnce();
  testHalvesAtOnce();
  testRowsAndColumns();
  testLivesAtOnce();
  testUntilNoneIsLeft();
  testFinalizeDestroys();
  shmem_finalize();
}
