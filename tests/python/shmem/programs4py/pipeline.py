# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Data flows through all PEs in chunks; each stage works on one while the next is on its way."""

import numpy as np

from ucxx import shmem

CHUNKS, LENGTH = 12, 256

me = shmem.my_pe()
pes = shmem.n_pes()
arrived = shmem.zeros((CHUNKS, LENGTH), dtype=np.int32)
signal = shmem.new_signal()
result = np.zeros((CHUNKS, LENGTH), dtype=np.int32)
start = np.arange(CHUNKS * LENGTH, dtype=np.int32).reshape(CHUNKS, LENGTH)

for chunk in range(CHUNKS):
    if me == 0:
        result[chunk] = start[chunk]
    else:
        shmem.signal_wait_until(signal, shmem.CMP_GT, chunk)
        result[chunk] = arrived[chunk]
    result[chunk] += me + 1
    if me < pes - 1:
        shmem.put_signal_nbi(arrived[chunk], result[chunk], me + 1, signal, 1, shmem.SIGNAL_ADD)
shmem.quiet()

assert np.array_equal(result, start + sum(range(1, me + 2)))
shmem.barrier_all()
assert shmem.signal_fetch(signal) == (CHUNKS if me else 0)
