# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Two streams of puts in contexts of their own, each completed by its own quiet."""

import numpy as np

from ucxx import shmem

LENGTH, BLOCKS = 64, 8

me = shmem.my_pe()
pes = shmem.n_pes()
right = (me + 1) % pes
left = (me - 1) % pes
one = shmem.zeros((BLOCKS, LENGTH), dtype=np.int16)
two = shmem.zeros((BLOCKS, LENGTH), dtype=np.uint8)
flags = shmem.zeros(2, dtype=np.int32)
source_one = np.arange(BLOCKS * LENGTH, dtype=np.int16).reshape(BLOCKS, LENGTH) + me
source_two = np.full((BLOCKS, LENGTH), me, dtype=np.uint8)

first = shmem.Ctx.create(shmem.CTX_PRIVATE | shmem.CTX_SERIALIZED)
assert first and first.get_team() == shmem.TEAM_WORLD
with shmem.TEAM_WORLD.create_ctx(shmem.CTX.SERIALIZED) as second:
    assert first != second and first != shmem.CTX_DEFAULT
    for block in range(BLOCKS):
        shmem.put_nbi(one[block], source_one[block], right, ctx=first)
        shmem.put_nbi(two[block], source_two[block], right, None, second)
    first.quiet()
    shmem.atomic_inc(flags[:1], right, first)
    shmem.fence(second)
    shmem.atomic_inc(flags[1:], right, ctx=second)
first.fence()
shmem.quiet(first)
first.destroy()
assert not first and not second and shmem.CTX_DEFAULT and not shmem.CTX_INVALID

shmem.wait_until_all(flags, shmem.CMP_EQ, 1)
assert np.array_equal(one, source_one - me + left)
assert np.all(two == left)
shmem.barrier_all()
for array in (one, two, flags):
    shmem.del_array(array)
