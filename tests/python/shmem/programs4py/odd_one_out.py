# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Who is in no team learns it from a RuntimeError, as of calls that the library refuses."""

import numpy as np

from ucxx import shmem

me = shmem.my_pe()
pes = shmem.n_pes()


def place(team):
    """Return the number of this PE in a team, or None."""
    try:
        return team.my_pe()
    except RuntimeError:
        return None


def number_in(team, pe):
    """Return the number of any PE in a team, or None."""
    try:
        return shmem.TEAM_WORLD.translate_pe(pe, team)
    except RuntimeError:
        return None


few = shmem.TEAM_WORLD.split_strided(size=max(1, pes - 1))
assert place(few) == (me if me < max(1, pes - 1) else None)
if few:
    assert [number_in(few, pe) for pe in range(pes)][: few.n_pes()] == list(range(few.n_pes()))
    assert pes == 1 or number_in(few, pes - 1) is None

refused = []
for call in (few.n_pes, few.sync, few.create_ctx, lambda: few.split_strided(0, 1, 1), shmem.CTX_INVALID.get_team):
    if few and call != shmem.CTX_INVALID.get_team:
        continue
    try:
        call()
    except RuntimeError:
        refused.append(call)
assert len(refused) == (1 if few else 5)
assert few.get_config()["num_contexts"] == 0

try:
    shmem.TEAM_WORLD.split_strided(0, 1, pes + 1)
except RuntimeError:
    too_many = shmem.Team()
assert too_many == shmem.TEAM_INVALID

left_out = shmem.zeros(1, dtype="i4")
shmem.barrier_all()
if not few:
    shmem.atomic_inc(left_out, np.array([0]))
shmem.barrier_all()
if me == 0:
    assert left_out[0] == (1 if pes > 1 else 0)
shmem.barrier_all()
few.destroy()
shmem.free(left_out)
