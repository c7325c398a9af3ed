# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Conway's Game of Life on a torus, cut into blocks of rows."""

import numpy as np

from ucxx import shmem

ROWS, COLUMNS, TURNS = 8, 12, 16

me = shmem.my_pe()
pes = shmem.n_pes()
up, down = (me - 1) % pes, (me + 1) % pes


def neighbours(world):
    """Count the neighbours of each cell of a torus."""
    return sum(np.roll(world, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j)


def turn_of(world, count):
    """Return the world a turn later."""
    return ((count == 3) | ((world == 1) & (count == 2))).astype(np.int8)


world = (np.random.default_rng(11).random((ROWS * pes, COLUMNS)) < 0.35).astype(np.int8)
mine = shmem.zeros((ROWS + 2, COLUMNS), dtype="b")
mine[1:-1] = world[me * ROWS:(me + 1) * ROWS]
for _ in range(TURNS):
    shmem.barrier_all()
    shmem.put(mine[-1], mine[1], up)
    shmem.put(mine[0], mine[-2], down)
    shmem.barrier_all()
    mine[1:-1] = turn_of(mine, neighbours(mine))[1:-1]
    world = turn_of(world, neighbours(world))

assert np.array_equal(mine[1:-1], world[me * ROWS:(me + 1) * ROWS])
alive = shmem.zeros(1, dtype=np.int64)
shmem.sum_reduce(alive, shmem.array([mine[1:-1].sum()], dtype=np.int64))
assert alive[0] == world.sum() > 0
