# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""put and get, blocking or not, of arrays and of single values."""

import datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import ALL, EXAMPLES, INTEGERS, NESTED, PACKED, View, assign, content, native, same, symmetric, views

from ucxx import shmem

PES = [1, 2, 3, 4]


def neighbours():
    """Return this PE, the next, and the one before."""
    me, pes = shmem.my_pe(), shmem.n_pes()
    return me, (me + 1) % pes, (me - 1) % pes


# All types --------------------------------------------------------------------------------------


def move_all_types():
    """Put to the next, get from it, with each call and type."""
    for dtype in ALL:
        for shape, order in (((), "C"), ((7,), "C"), ((2, 3), "C"), ((2, 3), "F")):
            move_one(dtype, shape, order)


def move_one(dtype, shape, order):
    """Move arrays of one type and shape."""
    me, right, left = neighbours()
    blank = np.zeros(shape, dtype)
    with symmetric(blank, blank, content(dtype, shape, me), order=order) as (put, nbi, mine):
        own = np.array(content(dtype, shape, me), order=order)
        shmem.put(put, own, right)
        shmem.put_nbi(nbi, mine, right)
        got, got_nbi = np.zeros_like(put), np.zeros_like(put)
        shmem.get(got, mine, right)
        shmem.get_nbi(got_nbi, mine, right)
        shmem.quiet()
        shmem.barrier_all()
        for found, pe in ((put, left), (nbi, left), (got, right), (got_nbi, right)):
            same(found, content(dtype, shape, pe))


@pytest.mark.parametrize("count", PES)
def test_all_types_and_shapes(pes, count):
    pes(count, move_all_types)


# Sizes, names of arguments, contexts ------------------------------------------------------------


def move_parts():
    """Move some elements, by all ways to say so."""
    me, right, left = neighbours()
    with symmetric(np.zeros(10, int), np.zeros(10, int), np.zeros(4, int)) as (one, two, small):
        mine = np.arange(10) + 100 * me
        shmem.put(one, mine, right, 3)
        shmem.put(two, source=mine, pe=right, size=np.int64(4), ctx=shmem.CTX_DEFAULT)
        shmem.put(small, mine, right)
        shmem.put(one[5:], mine, right, size=0)
        shmem.put(one[9, ...], mine[3:4], right, None, None)
        shmem.barrier_all()
        same(one, np.array([0, 1, 2, 0, 0, 0, 0, 0, 0, 3]) + 100 * left * (one_where(10, {0, 1, 2, 9})))
        same(two[:4], np.arange(4) + 100 * left)
        same(small, np.arange(4) + 100 * left)
        got = np.full(6, -1)
        shmem.get(target=got, source=small, pe=right, size=2)
        same(got, np.array([100 * me, 100 * me + 1, -1, -1, -1, -1]))
        shmem.get(got, small[::-1], right)
        same(got[:4], np.arange(4)[::-1] + 100 * me)
        shmem.barrier_all()
        with shmem.Ctx.create() as ctx:
            shmem.put_nbi(small, mine[6:], right, ctx=ctx)
            ctx.quiet()
            shmem.barrier_all()
            shmem.get_nbi(got, small, right, 1, ctx)
            ctx.quiet()
        assert got[0] == 100 * me + 6


def one_where(count, places):
    """Return ones at some places."""
    return np.array([int(i in places) for i in range(count)])


def move_oddities():
    """Move subclasses, read-only sources, broadcast ones, large ones, parts of a structure."""
    me, right, left = neighbours()
    large = 1 << 17
    with symmetric(np.zeros(large), np.zeros((4, 6)), np.zeros(5, PACKED)) as (big, table, records):
        shmem.put(big, np.full(large, float(me)), right)
        source = np.matrix(np.arange(24.0).reshape(4, 6))
        source.flags.writeable = False
        shmem.put(table, source, right)
        shmem.put(records["b"], np.arange(5.0) + me, right)
        shmem.barrier_all()
        same(big, np.full(large, float(left)))
        same(table, np.asarray(source))
        same(records["b"], np.arange(5.0) + left)
        same(records["a"], np.zeros(5, np.int8))
        shmem.barrier_all()
        shmem.put(big[::2], np.broadcast_to(7.0, large // 2), right)
        shmem.put(table.view(np.recarray)[1], np.broadcast_to(np.arange(3.0), (2, 3)), right)
        shmem.barrier_all()
        same(big[:4], np.array([7.0, left, 7.0, left]))
        same(table[1], np.array([0.0, 1, 2, 0, 1, 2]))
        got = np.zeros((6, 4)).T
        shmem.get(got, table, me)
        same(got, np.asarray(table))


def move_nothing():
    """Move arrays of no elements, and elements of no bytes."""
    for shape in ((0,), (3, 0), (0, 2, 5)):
        with symmetric(np.zeros(shape), np.zeros(3)) as (target, some):
            for one, other in ((target, some), (target, np.zeros(shape)), (some, np.zeros(0))):
                shmem.put(one, other, 0)
                shmem.put_nbi(one, other, 0)
                shmem.get(one, some, 0, 0)
            same(some, np.zeros(3))
    with symmetric(np.zeros(3, "V0")) as (nothing):
        shmem.put(nothing, np.zeros(2, "V0"), 0)
        shmem.put(nothing[::2], np.zeros(2, "V0"), 0)
        shmem.iput(nothing, np.zeros(2, "V0"), 0)


@pytest.mark.parametrize("function", [move_parts, move_oddities, move_nothing])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_parts(pes, count, function):
    pes(count, function)


# Single values ----------------------------------------------------------------------------------


def single_values():
    """Put and get one value of each type."""
    me, right, left = neighbours()
    for dtype in ALL:
        with symmetric(np.zeros((), dtype), np.zeros(4, dtype)) as (word, row):
            value = content(dtype, (), me)[()]
            shmem.p(word, value, right)
            shmem.p(row[2:3], value, pe=right, ctx=None)
            shmem.p(target=row[3, ...], value=value, pe=right)
            shmem.barrier_all()
            same(word, content(dtype, (), left))
            same(row, np.array([row[0], row[0], word[()], word[()]], dtype))
            wanted = content(dtype, (), me)
            found = np.zeros((), dtype)
            found[...] = shmem.g(word, right)
            if dtype is not NESTED:
                assert shmem.g(row[3:], pe=right) == wanted.item()
            same(found, wanted)


def structures_live_on():
    """Get structures with arrays in them, and use them after other calls."""
    with symmetric(content(NESTED, (), 1)) as word:
        rows = [shmem.g(word, 0) for _ in range(100)]
        for found in rows:
            same(found[0], word["rows"])
            assert found[1] == word["name"]


def values_as_numpy_stores_them():
    """Put numbers, strings and dates."""
    with symmetric(np.zeros((), "u1"), np.zeros((), "U3"), np.zeros((), "M8[D]")) as (byte, text, day):
        for wrong in (256, -1, 2**70):
            with pytest.raises(OverflowError):
                shmem.p(byte, wrong, 0)
        for wrong in ("many", np.float64(7.9)):
            with pytest.raises(TypeError, match="^p: value = .*: must be a number that uint8 holds"):
                shmem.p(byte, wrong, 0)
        shmem.p(byte, np.float32(7.9), 0)
        shmem.p(text, "abcdef", 0)
        shmem.p(day, datetime.date(2026, 11, 26), 0)
        shmem.barrier_all()
        assert (shmem.g(byte, 0), shmem.g(text, 0)) == (7, "abc")
        assert shmem.g(day, 0) == datetime.date(2026, 11, 26)


@pytest.mark.parametrize("count", PES)
def test_single_values(pes, count):
    pes(count, single_values)


@pytest.mark.parametrize("function", [structures_live_on, values_as_numpy_stores_them])
def test_values(pes, function):
    pes(2, function)


# Any views --------------------------------------------------------------------------------------


def move_views(to: View, source: View, dtype, size):
    """Return what four calls have made of the next one's array, or of an own one."""
    me, right, _ = neighbours()
    found = []
    for call in (shmem.put, shmem.put_nbi, shmem.get, shmem.get_nbi):
        blank = to.lay_out(np.zeros(to.shape, dtype))
        full = source.lay_out(content(dtype, source.shape, me))
        with symmetric(blank, full) as (target, mine):
            if call in (shmem.put, shmem.put_nbi):
                call(to.of(target), source.of(full), right, size)
                written = target
            else:
                call(to.of(blank), source.of(mine), right, size)
                written = blank
            shmem.quiet()
            shmem.barrier_all()
            found.append(np.array(written))
    return found


@EXAMPLES
@given(count=st.sampled_from([1, 2, 3]), to=views(), source=views(), data=st.data(),
       dtype=st.sampled_from([INTEGERS[0], INTEGERS[3], np.dtype("d"), np.dtype("D"), PACKED]))
def test_any_views(pes, count, to, source, data, dtype):
    most = min(to.of(np.zeros(to.shape)).size, source.of(np.zeros(source.shape)).size)
    size = data.draw(st.none() | st.integers(0, most), label="size")
    for pe, found in enumerate(pes(count, move_views, to, source, dtype, size)):
        origins = [(pe - 1) % count] * 2 + [(pe + 1) % count] * 2
        for one, origin in zip(found, origins, strict=True):
            wanted = to.lay_out(np.zeros(to.shape, dtype))
            full = source.lay_out(content(dtype, source.shape, origin))
            assign(to.of(wanted), source.of(full), size)
            same(one, wanted.astype(native(dtype)))


@EXAMPLES
@given(view=views(), dtype=st.sampled_from(ALL))
def test_the_same_view_on_both_sides(pes, view, dtype):
    for pe, found in enumerate(pes(2, move_views, view, view, dtype, None)):
        wanted = view.lay_out(np.zeros(view.shape, dtype))
        view.of(wanted)[...] = view.of(content(dtype, view.shape, 1 - pe))
        for one in found:
            same(one, wanted.astype(native(dtype)))
