// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Panels of matrices by broadcasts, within a team of each row of PEs and one of each column.

#pragma once

#include "program.h"

struct panels {
  int grid_columns;
  size_t left_count, right_count;  // of a panel of A, and of one of B
  int column, row;                 // of this PE
  double* own_left;                // who gives a panel fills them
  double* own_right;
  double* left;  // what came, until the next exchange
  double* right;
  shmem_team_t row_team, column_team;
  double* sets[2][2];  // of what comes, in turn
  int set;
};

static inline void panels_open(struct panels* panels) {
  panels->column = world_me() % panels->grid_columns;
  panels->row = world_me() / panels->grid_columns;
  shmem_team_split_2d(SHMEM_TEAM_WORLD, panels->grid_columns, NULL, 0, &panels->row_team, NULL, 0,
                      &panels->column_team);
  panels->own_left = symmetric(panels->left_count * sizeof(double));
  panels->own_right = symmetric(panels->right_count * sizeof(double));
  for (int set = 0; set < 2; set++) {
    panels->sets[set][0] = symmetric(panels->left_count * sizeof(double));
    panels->sets[set][1] = symmetric(panels->right_count * sizeof(double));
  }
  panels->set = 0;
}

// Both 'own' may be filled. Who gives does not wait for who takes: so all meet before memory is
// used again.
static inline void panels_next(struct panels* panels) {
  panels->set = !panels->set;
  if (panels->set == 0) shmem_barrier_all();
  panels->left = panels->sets[panels->set][0];
  panels->right = panels->sets[panels->set][1];
}

// The PEs of a column give A, those of a row give B.
static inline void panels_exchange(struct panels* panels, int column, int row) {
  shmem_double_broadcast(panels->row_team, panels->left, panels->own_left, panels->left_count,
                         column);
  shmem_double_broadcast(panels->column_team, panels->right, panels->own_right, panels->right_count,
                         row);
}

static inline void panels_close(struct panels* panels) {
  shmem_team_destroy(panels->row_team);
  shmem_team_destroy(panels->column_team);
}
