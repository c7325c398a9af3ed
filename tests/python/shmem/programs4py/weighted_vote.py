# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Each PE gives its weight, an array of one element, to a candidate; PE 0 counts."""

import numpy as np

from ucxx import shmem

CANDIDATES = 3

me = shmem.my_pe()
pes = shmem.n_pes()
tallies = shmem.zeros(CANDIDATES, dtype="i8")
voters = shmem.zeros(1, dtype="i4")
largest = shmem.full(1, -1, dtype="i8")
weight = np.array([10 + me])
chosen = np.array([me % CANDIDATES], dtype="i4")
first = np.zeros(1, dtype=int)

shmem.barrier_all()
shmem.atomic_add(tallies[chosen[0] : chosen[0] + 1], weight, first)
shmem.atomic_fetch_op(voters, np.ones(1), shmem.AMO.ADD, 0)

# The largest weight wins the compare-and-swap loop.
seen = np.array([shmem.atomic_fetch(largest, first)])
while seen[0] < weight[0]:
    before = shmem.atomic_compare_swap(largest, seen, weight, first)
    if before == seen[0]:
        break
    seen[0] = before

if me == 0:
    shmem.wait_until(voters, shmem.CMP.EQ, np.array([pes]))
    expected = [sum(10 + pe for pe in range(pes) if pe % CANDIDATES == one) for one in range(CANDIDATES)]
    shmem.wait_until_all_vector(tallies, shmem.CMP_EQ, np.array(expected, dtype=float))
    assert tallies.tolist() == expected
shmem.barrier_all()
if me == 0:
    assert largest[0] == 10 + pes - 1
shmem.barrier_all()
for array in (tallies, voters, largest):
    shmem.free(array)
