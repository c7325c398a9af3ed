# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Forces between bodies: the positions of all PEs come by without a copy of all at once."""

import numpy as np

from ucxx import shmem

EACH = 10

me = shmem.my_pe()
pes = shmem.n_pes()
everything = np.random.default_rng(2).random((EACH * pes, 3))
mine = shmem.array(everything[me * EACH:(me + 1) * EACH])
visitors = [np.empty((EACH, 3)), np.empty((EACH, 3))]


def forces(on, of):
    """Return the sum of softened forces on each body."""
    distance = of[None] - on[:, None]
    return np.sum(distance / (np.sum(distance**2, axis=2) + 0.01)[..., None] ** 1.5, axis=1)


force = np.zeros((EACH, 3))
shmem.get_nbi(visitors[0], mine, me)
for turn in range(pes):
    shmem.quiet()
    if turn + 1 < pes:
        shmem.get_nbi(visitors[(turn + 1) % 2], mine, (me + turn + 1) % pes)
    force += forces(mine, visitors[turn % 2])
assert np.allclose(force, forces(everything, everything)[me * EACH:(me + 1) * EACH])
shmem.barrier_all()
shmem.free(mine)
