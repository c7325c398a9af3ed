# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Heat in a plate, cut into columns: the halo is a column, which is strided in memory."""

import numpy as np

from ucxx import shmem

ROWS, COLUMNS, STEPS = 16, 10, 25

me = shmem.my_pe()
pes = shmem.n_pes()
width = COLUMNS + 2


def step(u):
    """Return the inside one step later."""
    return 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])


plate = np.zeros((ROWS, COLUMNS * pes + 2))
plate[0] = 1.0
mine = shmem.array(plate[:, me * COLUMNS:me * COLUMNS + width].copy())
flat = mine.reshape(-1)
for _ in range(STEPS):
    mine[1:-1, 1:-1] = step(mine)
    shmem.barrier_all()
    if me > 0:
        shmem.iput(flat[width - 1:], flat[1:], me - 1, width, width, ROWS)
    if me < pes - 1:
        shmem.iput(flat, flat[width - 2:], me + 1, tst=width, sst=width, size=ROWS)
    shmem.barrier_all()
    plate[1:-1, 1:-1] = step(plate)

assert np.allclose(mine, plate[:, me * COLUMNS:me * COLUMNS + width])
shmem.free(mine)
