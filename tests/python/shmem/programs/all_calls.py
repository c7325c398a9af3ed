# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""One call of each kind that OpenSHMEM 1.4 has, or that an adapter makes of what it has."""

import numpy as np

from ucxx import shmem

me, pes = shmem.my_pe(), shmem.n_pes()
right, left = (me + 1) % pes, (me - 1) % pes

# Memory and transfers.
target, source = shmem.zeros(12, "i4"), np.arange(12, dtype="i4") + me
shmem.put(target, source, right)
shmem.barrier_all()
assert list(target) == list(np.arange(12) + left)
got = np.zeros(12, "i4")
shmem.get_nbi(got, target, right)
shmem.quiet()
assert list(got) == list(np.arange(12) + me)
shmem.sync_all()
shmem.put(target[::3], source[:4], right)
shmem.put(target.reshape(3, 4)[:, 1:3], source[:6].reshape(3, 2), right)
shmem.barrier_all()
assert target[1] == left
wide = shmem.zeros(4, "longdouble")
assert wide.ctypes.data % 16 == 0

# Atomics and signals.
counter, signal = shmem.zeros((), "i8"), shmem.new_signal()
shmem.atomic_add(counter, me + 1, 0)
shmem.barrier_all()
assert shmem.atomic_fetch(counter, 0) == pes * (pes + 1) // 2
fetched = np.zeros((), "i8")
shmem.atomic_fetch_nbi(fetched, counter, 0)
shmem.quiet()
assert fetched == pes * (pes + 1) // 2
shmem.put_signal(target, source, right, signal, 5, shmem.SIGNAL_SET)
assert shmem.signal_wait_until(signal, shmem.CMP_EQ, 5) == 5
assert target[0] == left
flags = shmem.zeros(pes, "u8")
for pe in range(pes):
    shmem.p(flags[me, ...], 1, pe)
shmem.wait_until_all(flags, ">=", 1)
assert shmem.wait_until_some_vector(flags, "==", [1] * pes) == list(range(pes))
assert shmem.wait_until_any(flags, "==", 1, [1] * pes) is None

# Collectives.
for dtype in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8", "longdouble", "c8", "c16"):
    mine = shmem.array(np.arange(5) + me, dtype=dtype)
    result = shmem.zeros(5, dtype)
    shmem.sum_reduce(result, mine)
    assert list(result) == list(sum(np.arange(5) + pe for pe in range(pes)))
    if np.dtype(dtype).kind != "c":
        shmem.max_reduce(result, mine)
        assert list(result) == list(np.arange(5) + pes - 1)
    joined = shmem.zeros(5 * pes, dtype)
    shmem.fcollect(joined, mine)
    assert list(joined[5 * left:5 * left + 5]) == list(np.arange(5) + left)
    shmem.barrier_all()
    shmem.broadcast(result, mine, pes - 1)
    assert list(result) == list(np.arange(5) + pes - 1)
    shmem.barrier_all()
    shmem.collect(joined[:pes * (pes + 1) // 2], mine[:1], 1)
    parts, taken = shmem.array([me] * pes, dtype=dtype), shmem.zeros(pes, dtype)
    shmem.alltoall(taken, parts)
    assert list(taken) == list(range(pes))
    shmem.barrier_all()
    shmem.alltoalls(taken, parts)
    assert list(taken) == list(range(pes))
    shmem.barrier_all()
    for array in (mine, result, joined, parts, taken):
        shmem.free(array)
unequal = shmem.zeros(pes * (pes + 1) // 2, "u1")
shmem.collect(unequal, shmem.array([me] * (me + 1), dtype="u1") if pes == 1 else shmem.full(pes, me, "u1"), me + 1)
assert list(unequal) == [pe for pe in range(pes) for _ in range(pe + 1)]
try:
    shmem.collect(unequal[:1], target.view("u1"), 2)
except shmem.SizeError:
    pass
else:
    raise AssertionError("more than there is room for")

# Contexts, order, locks.
with shmem.Ctx.create(shmem.CTX_SERIALIZED) as ctx:
    shmem.put(target, source, right, ctx=ctx)
    shmem.fence(ctx)
    shmem.quiet(ctx)
    shmem.pe_quiet([right], ctx)
shmem.barrier_all()
lock, total = shmem.new_lock(), shmem.zeros((), "i8")
for _ in range(20):
    shmem.set_lock(lock)
    shmem.p(total, shmem.g(total, 0) + 1, 0)
    shmem.quiet()
    shmem.clear_lock(lock)
shmem.barrier_all()
assert shmem.g(total, 0) == 20 * pes
assert shmem.TEAM_WORLD.translate_pe(right) == right
assert shmem.c.n_pes() == pes
shmem.sync_all()
if me == 0:
    print("all is well")
