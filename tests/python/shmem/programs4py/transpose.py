# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The transpose of a matrix in blocks of columns: blocks change places by alltoall."""

import numpy as np

from ucxx import shmem

EACH = 6

me = shmem.my_pe()
pes = shmem.n_pes()
order = EACH * pes
matrix = np.arange(order * order, dtype=np.float64).reshape(order, order)

mine = matrix[me * EACH:(me + 1) * EACH]  # rows of this PE
out = shmem.empty((pes, EACH, EACH))
arrived = shmem.empty((pes, EACH, EACH))
for pe in range(pes):
    out[pe] = mine[:, pe * EACH:(pe + 1) * EACH].T
shmem.barrier_all()
shmem.alltoall(arrived, out, EACH * EACH)

transposed = arrived.transpose(1, 0, 2).reshape(EACH, order)
assert np.array_equal(transposed, matrix.T[me * EACH:(me + 1) * EACH])

arrived[:] = 0
shmem.barrier_all()
shmem.alltoall(arrived, out)  # the size is that of the arrays
assert np.array_equal(arrived.transpose(1, 0, 2).reshape(EACH, order), transposed)
shmem.free(out)
shmem.free(arrived)
