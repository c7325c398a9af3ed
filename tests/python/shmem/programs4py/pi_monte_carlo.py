# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Pi by random points: each PE throws its own, a reduction counts all hits."""

import numpy as np

from ucxx import shmem

THROWS = 200_000

me = shmem.my_pe()
pes = shmem.n_pes()
generator = np.random.default_rng(seed=1000 + me)
x, y = generator.random((2, THROWS))

hits = shmem.array(np.count_nonzero(x * x + y * y <= 1.0), dtype=np.int64)
total = shmem.zeros((), dtype=np.int64)
shmem.sum_reduce(total, hits)

pi = 4.0 * total[()] / (THROWS * pes)
assert abs(pi - np.pi) < 0.02, pi
shmem.free(hits)
shmem.free(total)
