# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Each PE brings another number of elements: none, one, two ..."""

import numpy as np

from ucxx import shmem

me = shmem.my_pe()
pes = shmem.n_pes()
total = pes * (pes - 1) // 2
brought = shmem.zeros(max(1, pes), dtype=np.float32)
brought[:me] = me
everything = shmem.full(total + 1, -1, dtype=np.float32)
shmem.barrier_all()

shmem.collect(everything, brought, me)
expected = [pe for pe in range(pes) for _ in range(pe)]
assert everything.tolist() == [*expected, -1]

everything[:] = -1
shmem.barrier_all()
shmem.collect(everything, brought[:me])  # the size is that of the source
assert everything.tolist() == [*expected, -1]
shmem.free(brought)
shmem.free(everything)
