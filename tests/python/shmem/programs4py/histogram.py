# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A histogram whose bins are spread over the PEs, counted by atomic additions."""

import numpy as np

from ucxx import shmem

BINS_EACH = 8
NUMBERS = 2000

me = shmem.my_pe()
pes = shmem.n_pes()
bins = shmem.zeros(BINS_EACH, dtype="int64")


def numbers_of(pe):
    """Return what a PE counts."""
    return np.random.default_rng(pe).integers(0, BINS_EACH * pes, NUMBERS)


for number in numbers_of(me):
    owner, place = divmod(int(number), BINS_EACH)
    shmem.atomic_inc(bins[place:place + 1], owner)
shmem.barrier_all()

everything = shmem.empty(BINS_EACH * pes, dtype="int64")
shmem.fcollect(everything, bins)
expected = sum(np.bincount(numbers_of(pe), minlength=BINS_EACH * pes) for pe in range(pes))
assert np.array_equal(everything, expected)

fetched = [shmem.atomic_fetch(bins[:1], pe) for pe in range(pes)]
assert fetched == expected[::BINS_EACH].tolist()
shmem.barrier_all()
shmem.free(bins)
shmem.free(everything)
