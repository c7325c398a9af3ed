# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Words for signals, and puts that write them."""

import numpy as np
import pytest
from samples import ALL, View, content, same, symmetric

from ucxx import shmem

PES = [1, 2, 3, 4]
MOST = 2**64 - 1


def pass_around():
    """Put to the next one with a signal, in all ways; wait for that of the one before."""
    me, pes = shmem.my_pe(), shmem.n_pes()
    right, left = (me + 1) % pes, (me - 1) % pes
    signal = shmem.new_signal()
    assert (signal.shape, signal.dtype, signal[0]) == ((1,), np.uint64, 0)
    ways = [
        lambda target, source: shmem.put_signal(target, source, right, signal, 1, shmem.SIGNAL_ADD),
        lambda target, source: shmem.put_signal(
            target=target, source=source, pe=right, signal=signal, value=2, sigop="set", size=None, ctx=None),
        lambda target, source: shmem.put_signal_nbi(
            target, source, right, signal, np.uint8(1), "add", source.size, shmem.CTX_DEFAULT),
        lambda target, source: shmem.put_signal_nbi(target, source, pe=right, signal=signal, value=4, sigop=0),
    ]
    for dtype in ALL:
        with symmetric(*[np.zeros((3, 4), dtype)] * len(ways)) as targets:
            for number, way in enumerate(ways):
                source = content(dtype, (3, 4), 10 * me + number)
                way(targets[number], source)
                assert shmem.signal_wait_until(signal, ">=", number + 1) == number + 1
                same(targets[number], content(dtype, (3, 4), 10 * left + number))
                shmem.barrier_all()
            shmem.signal_set(signal, 0, me)
            shmem.barrier_all()
    shmem.del_signal(signal)


def parts_and_views():
    """Put some elements, none, and views that are not contiguous."""
    me, pes = shmem.my_pe(), shmem.n_pes()
    right, left = (me + 1) % pes, (me - 1) % pes
    view = View((4, 5), "F", (slice(None, None, -2), slice(1, 4)), (1, 0))
    with symmetric(np.zeros((4, 5)), np.zeros(200_000), np.zeros(3, np.uint64)) as (table, large, words):
        shmem.put_signal(table, np.full(20, 7.0), right, words[1, ...], 5, "set", size=0)
        assert shmem.signal_wait_until(words[1:2], "!=", 0) == 5
        assert not table.any()
        shmem.barrier_all()
        shmem.put_signal(view.of(table), content("d", (3, 2), me), right, words[2:], 6, "add")
        assert shmem.signal_wait_until(words[2, ...], shmem.CMP_EQ, 6) == 6
        same(view.of(table), content("d", (3, 2), left))
        shmem.put_signal_nbi(large, np.full(200_000, me + 1.0), right, words[0, ...], MOST, "set")
        assert shmem.signal_wait_until(words[0, ...], "eq", MOST) == MOST
        same(large, np.full(200_000, left + 1.0))


def words_alone():
    """Set, add and fetch, through a context, too."""
    me, pes = shmem.my_pe(), shmem.n_pes()
    right = (me + 1) % pes
    signal = shmem.new_signal()
    shmem.signal_set(signal, MOST, right)
    shmem.barrier_all()
    assert shmem.signal_fetch(signal) == MOST
    shmem.barrier_all()
    with shmem.Ctx.create() as ctx:
        shmem.signal_add(signal=signal, value=11, pe=right, ctx=ctx)
    assert shmem.signal_wait_until(signal=signal, cmp="<=", value=10) == 10
    reads_alone = signal[...]
    reads_alone.flags.writeable = False
    assert shmem.signal_fetch(reads_alone) == 10
    for write in (lambda: shmem.signal_set(reads_alone, 1, 0), lambda: shmem.signal_add(reads_alone, 1, 0)):
        with pytest.raises(ValueError, match=r"^signal_(set|add): signal is a read-only array"):
            write()
    shmem.barrier_all()
    shmem.del_signal(signal)


def wrong_arguments():
    """Give words and operations that are none."""
    with symmetric(np.zeros(3), np.zeros(2, np.uint64), np.zeros((), np.int64)) as (target, words, other):
        source = np.zeros(3)

        def put(signal=words[0, ...], value=1, sigop="set", **more):
            shmem.put_signal(target, source, 0, signal, value, sigop, **more)

        for arguments, kind, words_of_error in (
            ({"signal": words}, ValueError, "signal has 2 elements: must have one"),
            ({"signal": words[0]}, TypeError, r"signal is a NumPy scalar, np.uint64\(0\)"),
            ({"signal": other}, TypeError, "signal is of dtype int64: must be uint64"),
            ({"signal": np.zeros((), np.uint64)}, ValueError, "signal is not symmetric"),
            ({"value": -1}, OverflowError, "value = -1: must be a number that uint64 holds"),
            ({"value": 0.5}, TypeError, "value = 0.5: must be a number that uint64 holds"),
            ({"sigop": "sub"}, ValueError, "sigop = 'sub': must be one of 'set', 'add'"),
            ({"sigop": 2}, ValueError, "sigop = 2: must be one of"),
            ({"sigop": 1.0}, TypeError, "sigop = 1.0: must be one of"),
            ({"size": 4}, ValueError, "size = 4: must be from 0 to 3"),
            ({"pe": 1}, TypeError, "the argument 'pe' is given twice"),
        ):
            with pytest.raises(kind, match=f"^put_signal: {words_of_error}"):
                put(**arguments)
        with pytest.raises(TypeError, match="^signal_fetch: signal is of dtype int64"):
            shmem.signal_fetch(other)
        with pytest.raises(ValueError, match=r"^signal_wait_until: cmp = '=': must be one of '==', '!='"):
            shmem.signal_wait_until(words[:1], "=", 0)


@pytest.mark.parametrize("count", PES)
def test_each_type_arrives_before_its_signal(pes, count):
    pes(count, pass_around)


@pytest.mark.parametrize("function", [parts_and_views, words_alone, wrong_arguments])
@pytest.mark.parametrize("count", PES)
def test_signals(pes, count, function):
    pes(count, function)
