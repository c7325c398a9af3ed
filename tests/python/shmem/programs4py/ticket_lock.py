# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A lock made of atomics: a ticket each, and the number that is served."""

import numpy as np

from ucxx import shmem

ROUNDS = 25

me = shmem.my_pe()
pes = shmem.n_pes()
tickets = shmem.zeros(1, dtype=np.uint32)
served = shmem.zeros(1, dtype=np.uint32)
log = shmem.full(ROUNDS * pes, -1, dtype=np.int32)
end = shmem.zeros(1, dtype=np.int32)

for _ in range(ROUNDS):
    ticket = shmem.atomic_fetch_add(tickets, 1, 0)
    while shmem.atomic_fetch(served, 0) != ticket:
        pass
    place = np.empty(1, dtype=np.int32)
    shmem.get(place, end, 0)
    shmem.put(log[place[0]:place[0] + 1], np.array([me], dtype=np.int32), 0)
    shmem.put(end, place + np.int32(1), 0)
    shmem.quiet()
    shmem.atomic_inc(served, 0)
shmem.barrier_all()
if me == 0:
    assert np.array_equal(np.bincount(log), np.full(pes, ROUNDS))
shmem.barrier_all()
