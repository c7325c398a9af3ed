# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Everything is given back where it is used up, and once more at the end, whatever has happened."""

import numpy as np

from ucxx import shmem

me = shmem.my_pe()
pes = shmem.n_pes()
array = shmem.full((2, 3), me, dtype="i2")
block = shmem.alloc(64)
signal = shmem.new_signal()
word = shmem.new_lock()
lock = shmem.Lock()
team = shmem.TEAM_WORLD.split_strided()
ctx = team.create_ctx()
missed = 0
try:
    with lock:
        shmem.put(array, np.full((2, 3), pes, dtype="i2"), (me + 1) % pes, ctx=ctx)
        ctx.quiet()
    shmem.barrier_all()
    assert np.all(array == pes)
    ctx.destroy()
    team.destroy()
    lock.destroy()
    shmem.del_lock(word)
    shmem.del_signal(signal)
    shmem.free(block)
    shmem.free(array)
    raise ArithmeticError("half way through")
except ArithmeticError as error:
    assert str(error) == "half way through"
finally:
    for handle in (ctx, team, lock):
        handle.destroy()
    shmem.del_lock(word)
    shmem.del_signal(signal)
    for memory in (block, array):
        try:
            shmem.free(memory)
        except KeyError:
            missed += 1
assert missed == 2 and not ctx and not team
