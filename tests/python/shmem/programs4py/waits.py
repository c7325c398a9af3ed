# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""PE 0 takes answers in the order in which they come: any, some, all."""

import numpy as np

from ucxx import shmem

me = shmem.my_pe()
pes = shmem.n_pes()
flags = shmem.zeros(pes, dtype=np.int64)
answers = shmem.zeros(pes, dtype=np.float64)


def answer(turn):
    """Put this PE's answer into its place."""
    shmem.put(answers[me:me + 1], np.array([turn + 0.5 * me]), 0)
    shmem.fence()
    shmem.atomic_set(flags[me:me + 1], turn + me, 0)


def by_any():
    """Take one after the other."""
    status = [0] * pes
    for _ in range(pes):
        pe = shmem.wait_until_any(flags, shmem.CMP_NE, 0, status)
        assert answers[pe] == 10 + 0.5 * pe and flags[pe] == 10 + pe
        status[pe] = 1
    assert shmem.wait_until_any(flags, shmem.CMP_NE, 0, status) is None
    assert shmem.test_any(flags, shmem.CMP_NE, 0, status) is None


def by_some():
    """Take as many as there are."""
    status = np.zeros(pes, dtype=np.int32)
    while not status.all():
        for pe in shmem.wait_until_some(flags, ">=", 20, status):
            assert answers[pe] == 20 + 0.5 * pe
            status[pe] = 1
    assert shmem.wait_until_some(flags, ">=", 20, status) == []
    assert shmem.test_some(flags, ">=", 20) == list(range(pes))


def by_all():
    """Wait for all, each with its own value."""
    values = [30 + pe for pe in range(pes)]
    shmem.wait_until_all_vector(flags, shmem.CMP_EQ, values)
    assert shmem.test_all(flags, shmem.CMP_GE, 30) is True
    assert shmem.test_all_vector(flags, shmem.CMP_LT, values) is False
    assert shmem.test_any_vector(flags, shmem.CMP_EQ, values) in range(pes)
    assert shmem.test_some_vector(flags, shmem.CMP_EQ, values) == list(range(pes))
    assert np.array_equal(answers, 30 + 0.5 * np.arange(pes))


for turn, take in ((10, by_any), (20, by_some), (30, by_all)):
    answer(turn)
    if me == 0:
        take()
    shmem.barrier_all()
assert not shmem.test(flags[:1], "==", 5)
