# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Atomics of all kinds: one PE becomes the leader, all leave their mark."""

import numpy as np

from ucxx import shmem

me = shmem.my_pe()
pes = shmem.n_pes()
leader = shmem.full(1, -1, dtype=np.int32)
marks = shmem.zeros(4, dtype=np.uint64)
marks[1] = 2**pes - 1
number = shmem.zeros(1, dtype=np.float64)
shmem.barrier_all()

before = shmem.atomic_compare_swap(leader, -1, me, 0)
assert -1 <= before < pes
shmem.atomic_or(marks[0:1], 1 << me, 0)
shmem.atomic_and(marks[1:2], ~(1 << me) & (2**64 - 1), 0)
shmem.atomic_xor(marks[2:3], 3 << me, 0)
assert not shmem.atomic_fetch_or(marks[3:4], 1 << me, 0) & 1 << me
shmem.atomic_op(marks[3:4], 1 << 20 + me, shmem.AMO_OR, 0)
shmem.atomic_set(number, 2.5, me)
assert shmem.atomic_swap(number, 3.5, me) == 2.5
assert shmem.atomic_fetch_op(number, 4.5, "set", me) == 3.5
shmem.barrier_all()

found = shmem.atomic_fetch(leader, 0)
assert (before == -1) == (found == me)
assert shmem.atomic_fetch(number, (me + 1) % pes) == 4.5
if me == 0:
    xor = 0
    for pe in range(pes):
        xor ^= 3 << pe
    assert marks.tolist() == [2**pes - 1, 0, xor, (2**pes - 1) * (1 + 2**20)]
    assert shmem.atomic_fetch_xor(marks[2:3], xor, 0) == xor
    assert shmem.atomic_fetch_and(marks[0:1], 1, 0) == 2**pes - 1
    assert marks[0] == 1 and marks[2] == 0
shmem.barrier_all()

fetched = np.zeros(3, dtype=np.int32)
shmem.atomic_fetch_nbi(fetched[0:1], leader, 0)
shmem.quiet()
assert fetched[0] == found
shmem.barrier_all()
shmem.atomic_fetch_inc_nbi(fetched[1:2], leader, 0)
shmem.atomic_fetch_add_nbi(fetched[2:3], leader, 10, 0)
shmem.quiet()
assert fetched[1] >= found and fetched[2] > fetched[1]
shmem.barrier_all()
assert shmem.atomic_fetch(leader, 0) == found + 11 * pes
shmem.barrier_all()
