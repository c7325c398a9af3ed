# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Heat in a rod: each PE has a piece with a cell of each neighbour, put there in each step."""

import numpy as np

from ucxx import shmem

CELLS, STEPS = 30, 40

me = shmem.my_pe()
pes = shmem.n_pes()


def step(u):
    """Return the inner cells one step later."""
    return u[1:-1] + 0.25 * (u[:-2] - 2 * u[1:-1] + u[2:])


rod = np.sin(np.linspace(0, 3 * np.pi, CELLS * pes + 2)) ** 2
mine = shmem.array(rod[me * CELLS:(me + 1) * CELLS + 2])
ready = shmem.zeros(2, dtype=np.int64)  # of the left and of the right neighbour
neighbours = [(pe, side) for pe, side in ((me - 1, 0), (me + 1, 1)) if 0 <= pe < pes]

for now in range(1, STEPS + 1):
    mine[1:-1] = step(mine)
    shmem.barrier_all()  # all have read their edges
    for pe, side in neighbours:
        if side == 0:
            shmem.put(mine[-1:], mine[1:2], pe)
        else:
            shmem.put(mine[:1], mine[-2:-1], pe)
        shmem.fence()
        shmem.atomic_set(ready[1 - side:2 - side], now, pe)
    for _, side in neighbours:
        shmem.wait_until(ready[side:side + 1], ">=", now)
    rod[1:-1] = step(rod)

assert np.allclose(mine, rod[me * CELLS:(me + 1) * CELLS + 2])
shmem.barrier_all()
shmem.free(mine)
shmem.free(ready)
