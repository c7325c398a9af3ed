# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Pi as an integral: PE 0 adds the parts that it gets from the others."""

import numpy as np

from ucxx import shmem

STEPS = 300_000

me = shmem.my_pe()
pes = shmem.n_pes()
i = np.arange(me, STEPS, pes)
part = shmem.array([np.sum(4.0 / (1.0 + ((i + 0.5) / STEPS) ** 2)) / STEPS])

if me == 0:
    pi = 0.0
    other = np.empty(1)
    for pe in range(pes):
        shmem.get(other, part, pe)
        pi += other[0]
    assert abs(pi - np.pi) < 1e-9
shmem.barrier_all()
shmem.free(part)
