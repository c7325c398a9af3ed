# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Each PE hands a block on to its right neighbour until all have seen all."""

import numpy as np

from ucxx import shmem

me = shmem.my_pe()
pes = shmem.n_pes()
right = (me + 1) % pes

block = shmem.full(10, me, dtype="i8")
arrived = shmem.empty(10, dtype="i8")
seen = {me}
for _ in range(pes - 1):
    shmem.put(arrived, block, right)
    shmem.barrier_all()
    block[:] = arrived
    seen.add(int(block[0]))
    assert np.all(block == block[0])
    shmem.barrier_all()

assert seen == set(range(pes))
assert block[0] == (me - (pes - 1)) % pes
shmem.free(block)
shmem.free(arrived)
