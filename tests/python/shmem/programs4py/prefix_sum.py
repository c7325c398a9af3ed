# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Prefix sums in log2(PEs) steps: each PE gets what a PE ever further to the left has."""

import numpy as np

from ucxx import shmem

LENGTH = 5

me = shmem.my_pe()
pes = shmem.n_pes()
own = np.arange(LENGTH, dtype="f4") + 10 * me
sums = shmem.array(own)
left = np.empty_like(own)
distance = 1
while distance < pes:
    if me >= distance:
        shmem.get(left, sums, me - distance)
    shmem.barrier_all()
    if me >= distance:
        sums += left
    shmem.barrier_all()
    distance *= 2

expected = sum(np.arange(LENGTH) + 10 * pe for pe in range(me + 1))
assert np.array_equal(sums, expected)
shmem.free(sums)
