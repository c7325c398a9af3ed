// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// shmem_team_split_2d; what a team is asked for: its configuration, and addresses.
#include <algorithm>
#include <climits>
#include <cstddef>

#include "shmem/check.h"
#include "shmem/some_teams.h"

namespace {

using ucxx::test::peOf;
using ucxx::test::SomeTeams;

struct Axes {
  shmem_team_t row = SHMEM_TEAM_WORLD, column = SHMEM_TEAM_WORLD;  // marked: no result
  int status = -1;
};

Axes splitGrid(shmem_team_t parent, int xrange) {
  Axes axes;
  axes.status =
      shmem_team_split_2d(parent, xrange, nullptr, 0, &axes.row, nullptr, 0, &axes.column);
  return axes;
}

void destroy(const Axes& axes) {
  shmem_team_destroy(axes.column);
  shmem_team_destroy(axes.row);
}

/// Member i of the line is PE first + i * step of the parent.
void checkLine(shmem_team_t parent, shmem_team_t line, int first, int step, int size) {
  CHECK_EQ(shmem_team_n_pes(line), size);
  for (int i = 0; i < size; ++i)
    CHECK_EQ(shmem_team_translate_pe(line, i, parent), first + i * step);
  CHECK_EQ(shmem_team_sync(line), 0);
}

void checkGrid(shmem_team_t parent, int xrange) {
  const Axes axes = splitGrid(parent, xrange);
  CHECK_EQ(axes.status, 0);
  const int size = shmem_team_n_pes(parent), me = shmem_team_my_pe(parent);
  const int width = std::min(xrange, size), x = me % width, y = me / width;
  CHECK_EQ(shmem_team_my_pe(axes.row), x);
  CHECK_EQ(shmem_team_my_pe(axes.column), y);
  checkLine(parent, axes.row, y * width, 1, std::min(width, size - y * width));
  const int full_rows = size / width, rest = size % width;
  checkLine(parent, axes.column, x, width, full_rows + (x < rest ? 1 : 0));
  destroy(axes);
}

void testGrids(shmem_team_t parent) {
  const int size = shmem_team_n_pes(parent);
  for (int xrange = 1; xrange <= size + 2; ++xrange) checkGrid(parent, xrange);
  for (const int xrange : {1000, INT_MAX}) checkGrid(parent, xrange);
}

void testImpossibleGrids(shmem_team_t parent) {
  for (const int xrange : {0, -1, INT_MIN}) {
    const Axes axes = splitGrid(parent, xrange);
    CHECK(axes.status != 0);
    CHECK(axes.row == SHMEM_TEAM_INVALID);
    CHECK(axes.column == SHMEM_TEAM_INVALID);
  }
}

/// Three axes: each row of a grid is a grid again.
void testGridOfGrids() {
  const Axes planes = splitGrid(SHMEM_TEAM_WORLD, 4);
  checkGrid(planes.row, 2);
  checkGrid(planes.column, 2);
  destroy(planes);
}

int contextsOf(shmem_team_t team) {
  shmem_team_config_t config{-5};
  CHECK_EQ(shmem_team_get_config(team, SHMEM_TEAM_NUM_CONTEXTS, &config), 0);
  return config.num_contexts;
}

void testConfig() {
  const shmem_team_config_t wish{3};
  shmem_team_t with = SHMEM_TEAM_INVALID, without = SHMEM_TEAM_INVALID;
  const int pes = shmem_n_pes();
  CHECK_EQ(
      shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes, &wish, SHMEM_TEAM_NUM_CONTEXTS, &with),
      0);
  CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes, &wish, 0, &without), 0);
  CHECK(contextsOf(with) >= 3);
  CHECK(contextsOf(without) >= 0);
  CHECK(contextsOf(SHMEM_TEAM_WORLD) >= 0);
  shmem_team_destroy(without);
  shmem_team_destroy(with);
}

void testConfigsOfAxes() {
  const shmem_team_config_t of_row{2}, of_column{7};
  Axes axes;
  CHECK_EQ(shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, &of_row, SHMEM_TEAM_NUM_CONTEXTS, &axes.row,
                               &of_column, SHMEM_TEAM_NUM_CONTEXTS, &axes.column),
           0);
  CHECK(contextsOf(axes.row) >= 2);
  CHECK(contextsOf(axes.column) >= 7);
  destroy(axes);
}

void testConfigWithoutAction() {
  shmem_team_config_t config{-5};
  CHECK_EQ(shmem_team_get_config(SHMEM_TEAM_WORLD, 0, nullptr), 0);
  CHECK_EQ(shmem_team_get_config(SHMEM_TEAM_WORLD, 0, &config), 0);
  CHECK(shmem_team_get_config(SHMEM_TEAM_INVALID, SHMEM_TEAM_NUM_CONTEXTS, &config) != 0);
  CHECK(shmem_team_get_config(SHMEM_TEAM_INVALID, 0, nullptr) != 0);
  CHECK_EQ(config.num_contexts, -5);
}

int a_static = 0;

void testPointers(shmem_team_t team, int* on_heap) {
  int on_stack = 0;
  for (int member = 0; member < shmem_team_n_pes(team); ++member) {
    const int pe = peOf(team, member);
    CHECK_EQ(shmem_team_ptr(team, on_heap, member), shmem_ptr(on_heap, pe));
    CHECK_EQ(shmem_team_ptr(team, &a_static, member), shmem_ptr(&a_static, pe));
    CHECK(shmem_team_ptr(team, on_heap, member) != nullptr);
    CHECK(shmem_team_ptr(team, &on_stack, member) == nullptr);
  }
  for (const int beyond : {-1, shmem_team_n_pes(team), INT_MAX, INT_MIN})
    CHECK(shmem_team_ptr(team, on_heap, beyond) == nullptr);
  CHECK(shmem_team_ptr(SHMEM_TEAM_INVALID, on_heap, 0) == nullptr);
}

/// Plain stores of before the sync are there behind it. Each PE has a word at each other one.
void testSyncPublishes(shmem_team_t team, int* words) {
  const int me = shmem_team_my_pe(team), size = shmem_team_n_pes(team);
  for (int round = 1; round <= 200; ++round) {
    const int to = (me + round) % size, from = (me + size - round % size) % size;
    static_cast<int*>(shmem_team_ptr(team, words, to))[shmem_my_pe()] = round;
    CHECK_EQ(shmem_team_sync(team), 0);
    CHECK_EQ(words[peOf(team, from)], round);
    CHECK_EQ(shmem_team_sync(team), 0);
  }
}

void testEachTeam() {
  auto* const words =
      static_cast<int*>(shmem_calloc(static_cast<std::size_t>(shmem_n_pes()), sizeof(int)));
  const SomeTeams teams;
  teams.forEach([&](shmem_team_t team, std::size_t) {
    testGrids(team);
    testImpossibleGrids(team);
    testPointers(team, words);
    testSyncPublishes(team, words);
  });
}

}  // namespace

int main() {
  shmem_init();
  testEachTeam();
  testGridOfGrids();
  testConfig();
  testConfigsOfAxes();
  testConfigWithoutAction();
  shmem_finalize();
}
