# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Sample sort: splitters from samples of all, then each number goes to the PE of its range."""

import numpy as np

from ucxx import shmem

LENGTH, SAMPLES = 500, 16

me = shmem.my_pe()
pes = shmem.n_pes()
numbers = np.sort(np.random.default_rng(me).integers(0, 10**6, LENGTH))

samples = shmem.array(numbers[::LENGTH // SAMPLES][:SAMPLES])
of_all = shmem.empty(SAMPLES * pes, dtype=samples.dtype)
shmem.fcollect(of_all, samples)
splitters = np.sort(of_all)[SAMPLES::SAMPLES][:pes - 1]

ends = np.searchsorted(numbers, splitters)
parts = np.split(numbers, ends)
room = shmem.empty(LENGTH * pes, dtype=numbers.dtype)
used = shmem.zeros(1, dtype=np.int64)
for pe, part in enumerate(parts):
    place = shmem.atomic_fetch_add(used, part.size, pe)
    shmem.put(room[place:place + part.size], part, pe)
shmem.barrier_all()
mine = np.sort(room[:used[0]])

lengths = shmem.empty(pes, dtype=np.int64)
shmem.fcollect(lengths, used)
assert lengths.sum() == LENGTH * pes
result = shmem.zeros(LENGTH * pes, dtype=numbers.dtype)
room[:mine.size] = mine
shmem.barrier_all()
shmem.collect(result, room, mine.size)
everything = [np.random.default_rng(pe).integers(0, 10**6, LENGTH) for pe in range(pes)]
assert np.array_equal(result, np.sort(np.concatenate(everything)))
