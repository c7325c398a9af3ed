# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""PEs take numbered tasks from a counter of PE 0 until there are none."""

import numpy as np

from ucxx import shmem

TASKS = 100

me = shmem.my_pe()
pes = shmem.n_pes()
following = shmem.zeros(1, dtype=np.uint64)
results = shmem.zeros(TASKS, dtype=np.int64)
done_by = shmem.full(TASKS, -1, dtype=np.int32)

taken = 0
while True:
    task = shmem.atomic_fetch_inc(following, 0)
    if task >= TASKS:
        break
    taken += 1
    shmem.put(results[task:task + 1], np.array([task * task]), 0)
    shmem.put(done_by[task:task + 1], np.array([me], dtype=np.int32), 0)
shmem.barrier_all()

counts = shmem.zeros(pes, dtype=np.int64)
shmem.fcollect(counts, shmem.array([taken]))
assert counts.sum() == TASKS
if me == 0:
    assert following[0] == TASKS + pes
    assert np.array_equal(results, np.arange(TASKS) ** 2)
    assert np.array_equal(np.bincount(done_by, minlength=pes), counts)
shmem.barrier_all()
