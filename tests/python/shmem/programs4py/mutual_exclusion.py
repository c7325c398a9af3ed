# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A counter that is read and written in two steps, which only a lock makes right."""

import numpy as np

from ucxx import shmem

ROUNDS = 50

me = shmem.my_pe()
pes = shmem.n_pes()
counter = shmem.zeros(1, dtype=np.int64)
value = np.zeros(1, dtype=np.int64)


def add_one():
    """Add 1 to PE 0's counter without an atomic operation."""
    shmem.get(value, counter, 0)
    value[0] += 1
    shmem.put(counter, value, 0)
    shmem.quiet()


word = shmem.new_lock()
for _ in range(ROUNDS):
    shmem.set_lock(word)
    add_one()
    shmem.clear_lock(word)
shmem.barrier_all()
shmem.get(value, counter, 0)
assert value[0] == ROUNDS * pes
shmem.barrier_all()

for _ in range(ROUNDS):
    while shmem.test_lock(word):
        pass
    add_one()
    shmem.clear_lock(word)
shmem.barrier_all()
shmem.get(value, counter, 0)
assert value[0] == 2 * ROUNDS * pes
shmem.del_lock(word)

lock = shmem.Lock()
for _ in range(ROUNDS):
    with lock:
        add_one()
shmem.barrier_all()
if me == 0:
    assert lock.acquire(blocking=False)
    lock.release()
    assert counter[0] == 3 * ROUNDS * pes
shmem.barrier_all()
lock.destroy()
shmem.free(counter)
