# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Columns of a matrix as strided puts and gets, and a strided exchange of all with all."""

import numpy as np

from ucxx import shmem

ROWS = 6

me = shmem.my_pe()
pes = shmem.n_pes()
matrix = shmem.zeros((ROWS, pes), dtype=np.int64)
flat = matrix.ravel()
column = np.arange(ROWS) * 100 + me
for pe in range(pes):
    shmem.iput(flat[me:], column, pe, tst=pes, sst=1, size=ROWS)
shmem.barrier_all()
assert np.array_equal(matrix, np.add.outer(np.arange(ROWS) * 100, np.arange(pes)))

every_other = np.zeros(ROWS // 2, dtype=np.int64)
shmem.iget(every_other, flat[me:], (me + 1) % pes, 1, 2 * pes, ROWS // 2)
assert np.array_equal(every_other, column[::2])
shmem.barrier_all()

source = shmem.zeros(2 * pes, dtype=np.int32)
target = shmem.full(3 * pes, -1, dtype=np.int32)
source[::2] = 10 * me + np.arange(pes)
shmem.barrier_all()
shmem.alltoalls(target, source, tst=3, sst=2, size=1)
assert target[::3].tolist() == [10 * pe + me for pe in range(pes)]
assert np.all(target[1::3] == -1) and np.all(target[2::3] == -1)
