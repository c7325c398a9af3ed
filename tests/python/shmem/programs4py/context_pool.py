# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Contexts are made when they are first wanted; Ctx() stands for those that are not there yet."""

import numpy as np

from ucxx import shmem

PLACES = 3

me = shmem.my_pe()
pes = shmem.n_pes()
right = (me + 1) % pes
left = (me - 1) % pes
pool = [shmem.Ctx() for _ in range(PLACES)]
pool.append(shmem.Ctx(shmem.CTX_DEFAULT))
assert not any(pool[:PLACES]) and pool[PLACES] == shmem.CTX_DEFAULT


def context(place):
    """Return the context of a place."""
    if not pool[place]:
        pool[place] = shmem.Ctx.create(shmem.CTX.SERIALIZED)
    return pool[place]


rows = shmem.full((PLACES + 1, 8), -1, dtype="u2")
assert np.all(rows == 65535)
shmem.barrier_all()
try:
    for place in (0, PLACES, 0, 2):
        row = np.full(8, 10 * me + place, dtype="u2")
        shmem.put_nbi(rows[place], row, right, ctx=context(place))
        context(place).quiet()
    for ctx in pool:
        ctx.fence()
        shmem.quiet(ctx)  # also of the place that nobody has wanted
    assert [bool(ctx) for ctx in pool] == [True, False, True, True]
    assert all(ctx.get_team() == shmem.TEAM_WORLD for ctx in pool if ctx)
    try:
        pool[1].get_team()
    except RuntimeError:
        pool[1] = shmem.CTX_INVALID
finally:
    for ctx in pool + pool:
        ctx.destroy()
assert not any(pool) and shmem.CTX_DEFAULT and pool[1] is shmem.CTX_INVALID
with shmem.CTX_DEFAULT as ctx:
    ctx.quiet()
assert shmem.CTX_DEFAULT
shmem.barrier_all()
for place in (0, 2, PLACES):
    assert np.all(rows[place] == 10 * left + place)
assert np.all(rows[1] == 65535)
shmem.barrier_all()
shmem.free(rows)
