# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A program as users write it: test_shmem_names.py has mypy look at it, strictly, and runs it."""

from __future__ import annotations

from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

from ucxx import shmem


def arrays() -> list[NDArray[Any]]:
    """Make arrays of each kind: their types survive."""
    counts = shmem.zeros(4, np.int64)
    assert_type(counts, NDArray[np.int64])
    assert_type(shmem.ptr(counts, 0), NDArray[np.int64] | None)
    singles = shmem.array(np.ones(3, np.float32))
    assert_type(singles, NDArray[np.float32])
    doubles = shmem.empty((2, 3))
    assert_type(doubles, NDArray[np.float64])
    shorts = shmem.full(3, 7, np.int16)
    assert_type(shorts, NDArray[np.int16])
    ones = shmem.ones((2,), np.dtype(np.complex128), "F", align=64)
    assert_type(ones, NDArray[np.complex128])
    words = shmem.new_array((), np.uint64, clear=True)
    assert_type(words, NDArray[np.uint64])
    named = shmem.array([1, 2, 3], "i4")
    assert_type(named, NDArray[Any])
    return [counts, singles, doubles, shorts, ones, words, named]


def transfers(made: NDArray[np.int64]) -> None:
    """Put, get and count; wait for it."""
    me, pes = shmem.my_pe(), shmem.n_pes()
    right = (me + 1) % pes
    shmem.put(made, np.arange(4), right)
    mine = np.empty(4, np.int64)
    shmem.get(mine, made, right, size=2)
    shmem.iput(made, mine, pe=right, tst=2, sst=1, size=2)
    shmem.barrier_all()
    assert_type(shmem.atomic_fetch_add(made[3, ...], 1, right), int)
    shmem.atomic_op(made[:1], 5, "set", right)
    shmem.atomic_op(made[:1], 5, shmem.AMO_SET, right)
    shmem.quiet()
    shmem.wait_until(made[:1], "==", 5)
    shmem.wait_until(made[:1], shmem.CMP.EQ, np.array([5], "i4"))
    assert_type(shmem.atomic_compare_swap(made[:1], np.array([5]), np.array([[5]]), np.array([right])), int)
    assert_type(shmem.test(made[:1], shmem.CMP_EQ, 5), bool)
    assert_type(shmem.wait_until_any(made, ">=", 0), int | None)
    assert_type(shmem.test_some(made, ">=", 0, [False] * 4), list[int])
    shmem.barrier_all()


def signals(made: NDArray[np.int64]) -> None:
    """Put with a signal."""
    signal = shmem.new_signal()
    assert_type(signal, NDArray[np.uint64])
    shmem.put_signal(made, np.zeros(4, np.int64), shmem.my_pe(), signal, 1, "set")
    assert_type(shmem.signal_wait_until(signal, ">", 0), int)
    shmem.del_signal(signal)


def collectives(made: NDArray[np.int64]) -> None:
    """Reduce in a team, and through its context."""
    total = shmem.zeros(4, np.int64)
    with shmem.TEAM_WORLD.split_strided() as team, team.create_ctx() as ctx:
        assert_type(team, shmem.Team)
        assert_type(ctx, shmem.Ctx)
        shmem.sum_reduce(total, made, team=team)
        shmem.reduce(total, made, "max")
        shmem.reduce(total, made, shmem.OP_MIN, 2, team)
        shmem.put(total, made, team.my_pe(), ctx=ctx)
        ctx.quiet()
    shmem.free(total)


def memory() -> None:
    """Allocate bytes; hold a lock."""
    raw = shmem.alloc(64)
    assert_type(raw, memoryview)
    shmem.fromalloc(raw, (4, 2), np.float64)[...] = 0
    shmem.free(raw)
    lock = shmem.Lock()
    with lock:
        pass
    lock.destroy()
    assert_type(shmem.init_thread(shmem.THREAD_SINGLE), shmem.THREAD)
    shmem.finalize()


def main() -> None:
    """Use all of it."""
    made = arrays()
    transfers(made[0])
    signals(made[0])
    collectives(made[0])
    memory()
    for array in made:
        shmem.free(array)


if __name__ == "__main__":
    main()
