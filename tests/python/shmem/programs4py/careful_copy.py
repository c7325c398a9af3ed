# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A copy that tries the fast way first, and learns from the exceptions what it has to convert."""

import numpy as np

from ucxx import shmem

me = shmem.my_pe()
pes = shmem.n_pes()
right = (me + 1) % pes
left = (me - 1) % pes
ways = []


def send(target, source):
    """Put anything that NumPy can convert into the right neighbour's array."""
    try:
        shmem.put(target, source, right)
        ways.append("as it is")
    except AssertionError:
        send(target, source.astype(target.dtype))
        ways.append("converted")
    except TypeError:
        send(target, np.asarray(source))
        ways.append("made an array")


def add(target, amount):
    """Add to the first element, atomically where the dtype allows it."""
    try:
        shmem.atomic_add(target[:1], amount, me)
    except AttributeError:
        target[:1] += amount
        ways.append("not atomic")


numbers = shmem.full(3, -1, dtype="f4")
shmem.barrier_all()
send(numbers, np.full(3, me, dtype="f4"))
shmem.barrier_all()
assert numbers.tolist() == [left] * 3
shmem.barrier_all()
send(numbers, np.full(3, me + 1, dtype="u1"))
shmem.barrier_all()
assert numbers.tolist() == [left + 1] * 3
shmem.barrier_all()
send(numbers, [0.5, 1.5, me + 2])
shmem.barrier_all()
assert numbers.tolist() == [0.5, 1.5, left + 2]
add(numbers, np.array([2.0]))
assert numbers[0] == 2.5
assert ways == ["as it is", "as it is", "converted", "as it is", "converted", "made an array", "not atomic"]

try:
    shmem.get(np.zeros(4, dtype="f4"), numbers, right, 4)
except AssertionError:
    ways.append("too many")
try:
    shmem.atomic_swap(numbers, np.ones(1), right)
except AssertionError:
    ways.append("not one")
assert ways[-2:] == ["too many", "not one"]
shmem.barrier_all()
shmem.free(numbers)
