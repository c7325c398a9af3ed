# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Calls leave nothing behind: neither memory nor references, right or wrong."""

import contextlib
import gc
import sys
import tracemalloc

import numpy as np
import pytest
from samples import PACKED, symmetric

from ucxx import shmem

CALLS = 100_000
PIECE = 1000  # calls between looks at the clock and others
GROWTH = 300 << 10  # bytes that a process may grow by in all calls of one kind: 3 bytes a call


def resident():
    """Return the bytes of this process that are in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def cheap_calls(words, row, signal, lock, ctx, team):
    """Return calls that need no other PE, and the objects that they use."""
    own, fetched, table = np.zeros(8), np.zeros((), int), row.reshape(2, 4)
    record = shmem.zeros((), PACKED)
    word = words[1, ...]
    status, values = [0, 1, 0, 0], [0, 0, 0, 0]
    calls = {
        "my_pe": shmem.my_pe, "n_pes": shmem.n_pes, "quiet": shmem.quiet, "fence": lambda: shmem.fence(ctx),
        "put": lambda: shmem.put(row, own, 0), "get": lambda: shmem.get(own, row, 0, 4, ctx),
        "put_nbi": lambda: shmem.put_nbi(row, own, pe=0, size=3, ctx=None), "get_nbi": lambda: shmem.get_nbi(own, row, 0),
        "views": lambda: shmem.put(table[:, ::2], own[::-2], 0), "element": lambda: shmem.put(row[3, ...], own[:1], 0),
        "iput": lambda: shmem.iput(row, own, 0, 2, 2), "ibget": lambda: shmem.ibget(own, row, 0, bsize=2),
        "p": lambda: shmem.p(word, 300, 0), "g": lambda: shmem.g(word, 0),
        "p of a structure": lambda: shmem.p(record, (1, 2.5, "ab"), 0), "g of a structure": lambda: shmem.g(record, 0),
        "atomic_set": lambda: shmem.atomic_set(word, 12345, 0), "atomic_inc": lambda: shmem.atomic_inc(word, 0),
        "atomic_fetch": lambda: shmem.atomic_fetch(word, 0), "atomic_swap": lambda: shmem.atomic_swap(word, 2**40, 0),
        "atomic_fetch_add": lambda: shmem.atomic_fetch_add(word, np.int64(5), 0),
        "atomic_compare_swap": lambda: shmem.atomic_compare_swap(word, 1, 2, 0),
        "atomic_fetch_xor_nbi": lambda: shmem.atomic_fetch_xor_nbi(fetched, word, 3, 0),
        "atomic_op": lambda: shmem.atomic_op(word, 1, "xor", 0),
        "atomic_fetch_op": lambda: shmem.atomic_fetch_op(word, 1, shmem.AMO_ADD, 0),
        "put_signal": lambda: shmem.put_signal(row, own, 0, signal, 1, "add"),
        "signal_set": lambda: shmem.signal_set(signal, 2**63, 0), "signal_fetch": lambda: shmem.signal_fetch(signal),
        "signal_wait_until": lambda: shmem.signal_wait_until(signal, ">=", 0),
        "test": lambda: shmem.test(word, "==", 5), "wait_until": lambda: shmem.wait_until(word, "!=", 10**12),
        "test_all": lambda: shmem.test_all(words, "==", 1, status),
        "test_any_vector": lambda: shmem.test_any_vector(words, "<", values, status),
        "wait_until_some": lambda: shmem.wait_until_some(words, "!=", 10**12, status),
        "test_some_vector": lambda: shmem.test_some_vector(words, "!=", np.array(values)),
        "locks": lambda: (shmem.test_lock(lock), shmem.clear_lock(lock)), "ptr": lambda: shmem.ptr(table, 0),
        "team_ptr": lambda: shmem.team_ptr(team, row, 0), "pe_quiet": lambda: shmem.pe_quiet([0], ctx),
        "translate": lambda: team.translate_pe(0), "places": lambda: (team.my_pe(), ctx.get_team(), bool(ctx), ctx == ctx),
        "handle": lambda: (team.handle, ctx.handle), "accessible": lambda: shmem.addr_accessible(row, 0),
        "info": lambda: (shmem.info_get_name(), shmem.info_get_version()),
        "contexts": lambda: shmem.Ctx.create(0, team).destroy(), "session": lambda: (ctx.session_start(), ctx.session_stop()),
    }  # fmt: skip
    wrong = {
        "no array": lambda: shmem.put([1], own, 0), "scalar": lambda: shmem.put(row[0], own, 0),
        "not symmetric": lambda: shmem.put(own, row, 0), "dtype": lambda: shmem.put(row, values_of(fetched), 0),
        "pe": lambda: shmem.put(row, own, 99), "pe type": lambda: shmem.put(row, own, "0"),
        "size": lambda: shmem.get(own, row, 0, 99), "name": lambda: shmem.put(row, own, 0, dest=3),
        "value": lambda: shmem.atomic_set(word, 2**70, 0), "cmp": lambda: shmem.test(word, "=", 0),
        "values": lambda: shmem.test_all_vector(words, "==", [0, 0, "a", 0]), "ctx": lambda: shmem.quiet(5),
        "shape": lambda: shmem.zeros(2, object), "p value": lambda: shmem.p(word, "a", 0),
        "free": lambda: shmem.free(own), "pes": lambda: shmem.pe_quiet([0, "a"]),
    }  # fmt: skip
    return calls, wrong, [words, row, own, fetched, table, record, word, status, values, signal, lock, ctx, team]


def values_of(array):
    """Return the array: as another object than a name holds."""
    return array


def repeated(call, errors):
    """Call it so often; return by how much the process has grown, and Python's own memory."""
    for _ in range(PIECE):
        with contextlib.suppress(*errors):
            call()
    shmem.quiet()
    gc.collect()
    before = resident()
    for _ in range(CALLS // PIECE):
        for _ in range(PIECE):
            try:
                call()
            except errors:
                pass
        shmem.quiet()
    return resident() - before


def traced(call, errors):
    """Return by how many objects Python has grown in some calls."""
    with contextlib.suppress(*errors):
        call()
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(PIECE):
        with contextlib.suppress(*errors):
            call()
    gc.collect()
    return sys.getallocatedblocks() - before


def grow(part, parts):
    """Repeat every `parts`-th call; return those that have left something."""
    found = {}
    with symmetric(np.zeros(4, int), np.zeros(8), np.zeros((), np.uint64), np.zeros((), int)) as (
            words, row, signal, lock), shmem.TEAM_WORLD.split_strided() as team, team.create_ctx() as ctx:
        calls, wrong, used = cheap_calls(words, row, signal, lock, ctx, team)
        errors = (TypeError, ValueError, OverflowError)
        each = [(name, call, ()) for name, call in calls.items()] + [(name, call, errors) for name, call in wrong.items()]
        for name, call, expected in each[part::parts]:
            if expected:
                with pytest.raises(expected):
                    call()
            before = [sys.getrefcount(one) for one in used]
            grown, blocks = repeated(call, expected), traced(call, expected)
            if grown > GROWTH or blocks > 50 or [sys.getrefcount(one) for one in used] != before:
                found[name] = (grown, blocks, [sys.getrefcount(one) for one in used], before)
        shmem.free(used[5])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_calls_leave_nothing(pes, part):
    assert pes(1, grow, part, 8, timeout=50) == [{}]


def collectives_together():
    """Call collectives many times; return by how much the process has grown, and its references."""
    team = shmem.TEAM_WORLD.split_strided()
    with symmetric(np.zeros(8), np.zeros(8), np.zeros((), np.uint64)) as (target, source, _):
        calls = [shmem.barrier_all, shmem.sync_all, team.sync, lambda: shmem.broadcast(target, source, 0, team=team),
                 lambda: shmem.fcollect(target, source[:2], None, team), lambda: shmem.collect(target, source[:1]),
                 lambda: shmem.alltoall(target, source), lambda: shmem.alltoalls(target, source),
                 lambda: shmem.sum_reduce(target, source), lambda: shmem.reduce(target, source, "max", 1, team),
                 lambda: shmem.sum_inscan(target, source)]  # fmt: skip
        before = [sys.getrefcount(one) for one in (target, source, team)]
        for call in calls:
            for _ in range(PIECE):
                call()
        gc.collect()
        start = resident()
        for call in calls:
            for _ in range(5 * PIECE):
                call()
        grown = resident() - start
        after = [sys.getrefcount(one) for one in (target, source, team)]
    team.destroy()
    return grown, after == before


@pytest.mark.slow
def test_collectives_leave_nothing(pes):
    for grown, is_same in pes(2, collectives_together, timeout=50):
        assert grown < 11 * GROWTH // 4 and is_same


def make_and_free(count):
    """Make and free arrays in each way; some are kept until the end, and freed in another order."""
    tracemalloc.start()
    try:
        makers = [lambda: shmem.zeros(100), lambda: shmem.ones((3, 4), np.int16, "F"), lambda: shmem.empty(0),
                  lambda: shmem.array([1, 2, 3]), lambda: shmem.full(4, 2.5), lambda: shmem.alloc(64),
                  lambda: shmem.new_signal(), lambda: shmem.zeros((), PACKED, align=64)]  # fmt: skip
        for make in makers:
            shmem.free(make())
        gc.collect()
        start = tracemalloc.get_traced_memory()[0]
        kept = [makers[number % len(makers)]() for number in range(count)]
        for made in kept[::2] + kept[1::2]:
            shmem.free(made)
        del kept, made
        gc.collect()
        return tracemalloc.get_traced_memory()[0] - start
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("count", [1, 2])
def test_arrays_made_and_freed_leave_nothing(pes, count):
    assert all(grown < 20_000 for grown in pes(count, make_and_free, 1000))
