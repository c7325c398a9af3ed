# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""PE 0 takes what the others produce from a ring of slots; counters are arrays of one element."""

import numpy as np

from ucxx import shmem

SLOTS, ITEMS = 4, 10

me = shmem.my_pe()
pes = shmem.n_pes()
slots = shmem.full(SLOTS, -1, dtype="i8")
head = shmem.zeros(1, dtype="u8")  # tickets that were drawn, at PE 0
taken = shmem.zeros(1, dtype="u8")  # items that PE 0 has taken, told to all
consumer = np.array([0])
empty = np.array([-1])
shmem.barrier_all()

if me == 0:
    everything = []
    count = np.zeros(1, dtype="u8")
    for number in range(ITEMS * (pes - 1)):
        slot = slots[number % SLOTS : number % SLOTS + 1]
        shmem.wait_until(slot, shmem.CMP.NE, empty)
        everything.append(shmem.atomic_swap(slot, empty, consumer))
        count += 1
        for pe in range(1, pes):
            shmem.atomic_set(taken, count, pe)
    assert sorted(everything) == sorted(100 * pe + item for pe in range(1, pes) for item in range(ITEMS))
else:
    for item in range(ITEMS):
        ticket = shmem.atomic_fetch_add(head, np.ones(1), consumer)
        if ticket >= SLOTS:
            shmem.wait_until(taken, shmem.CMP.GT, np.array([ticket - SLOTS]))
        place = ticket % SLOTS
        mine = np.array([100 * me + item])
        assert shmem.atomic_compare_swap(slots[place : place + 1], empty, mine, consumer) == empty[0]
shmem.barrier_all()
assert me != 0 or np.all(slots == -1)
shmem.free(taken)
shmem.free(head)
shmem.free(slots)
