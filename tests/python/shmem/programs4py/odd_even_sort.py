# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Odd-even sort: neighbours exchange blocks, one keeps the small half and one the large."""

import numpy as np

from ucxx import shmem

LENGTH = 40

me = shmem.my_pe()
pes = shmem.n_pes()
unsorted = np.random.default_rng(3).permutation(LENGTH * pes).astype(np.float32)
block = shmem.array(np.sort(unsorted[me * LENGTH:(me + 1) * LENGTH]))
other = np.empty(LENGTH, dtype=np.float32)

for turn in range(pes):
    partner = me + 1 if (me + turn) % 2 == 0 else me - 1
    both = None
    if 0 <= partner < pes:
        shmem.get(other, block, partner)
        both = np.sort(np.concatenate([block, other]))
    shmem.sync_all()
    if both is not None:
        block[:] = both[:LENGTH] if me < partner else both[LENGTH:]
    shmem.barrier_all()

assert np.array_equal(block, np.arange(me * LENGTH, (me + 1) * LENGTH))
shmem.free(block)
