# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""C = A B in blocks of rows: the blocks of B go round the PEs."""

import numpy as np

from ucxx import shmem

EACH = 12

me = shmem.my_pe()
pes = shmem.n_pes()
order = EACH * pes
generator = np.random.default_rng(5)
a, b = generator.random((2, order, order))

rows = a[me * EACH:(me + 1) * EACH]
block = shmem.array(b[me * EACH:(me + 1) * EACH])
following = shmem.empty((EACH, order))
product = np.zeros((EACH, order))
for turn in range(pes):
    owner = (me + turn) % pes
    shmem.put_nbi(following, block, (me - 1) % pes)
    product += rows[:, owner * EACH:(owner + 1) * EACH] @ block
    shmem.barrier_all()
    block, following = following, block

assert np.allclose(product, a[me * EACH:(me + 1) * EACH] @ b)
shmem.free(block if pes % 2 == 0 else following)
shmem.free(following if pes % 2 == 0 else block)
