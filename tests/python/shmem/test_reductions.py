# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Reductions and scans."""

import functools

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import COMPLEX, EXAMPLES, FLOATS, INTEGERS, same, symmetric

from ucxx import shmem

BITS = [*INTEGERS, np.dtype("?")]
ORDERED = [*INTEGERS, *FLOATS, np.dtype("?")]
NUMBERS = [*INTEGERS, *FLOATS, *COMPLEX]
REDUCTIONS = {
    "and": (BITS, np.bitwise_and), "or": (BITS, np.bitwise_or), "xor": (BITS, np.bitwise_xor),
    "max": (ORDERED, np.maximum), "min": (ORDERED, np.minimum),
    "sum": (NUMBERS, np.add), "prod": (NUMBERS, np.multiply),
}  # fmt: skip
KINDS = [(name, dtype) for name, (dtypes, _) in REDUCTIONS.items() for dtype in dtypes]


def values(dtype, length, pe):
    """Return values of which sums and products are exact, or wrap around."""
    random = np.random.default_rng(pe)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return random.integers(limits.min, limits.max, length, dtype, endpoint=True)
    if dtype.kind == "b":
        return random.integers(0, 2, length).astype(bool)
    whole = random.integers(-9, 10, (2, length))
    return (whole[0] + 1j * whole[1] if dtype.kind == "c" else whole[0]).astype(dtype)


def combined(name, dtype, sources):
    """Return what NumPy makes of all."""
    with np.errstate(over="ignore"):
        return functools.reduce(REDUCTIONS[name][1], sources).astype(dtype)


def reduce_all_ways(name, dtype, lengths, size):
    """Return what each way to ask for a reduction has put into blank targets; and in place."""
    me = shmem.my_pe()
    op = shmem.OP[name.upper()]
    found = []
    with symmetric(np.zeros(lengths[0], dtype), values(dtype, lengths[1], me)) as (target, source):
        for way in (
            lambda: getattr(shmem, f"{name}_reduce")(target, source, size),
            lambda: getattr(shmem, f"{name}_reduce")(target=target, source=source, size=size, team=shmem.TEAM_WORLD),
            lambda: shmem.reduce(target, source, name, size),
            lambda: shmem.reduce(target, source, op=op, size=size, team=None),
            lambda: shmem.reduce(target, source, op.value, size),
        ):
            target[...] = np.zeros((), dtype)
            shmem.barrier_all()
            assert way() is None
            found.append(np.array(target))
            shmem.barrier_all()
        getattr(shmem, f"{name}_reduce")(source, source)
        return found, np.array(source)


@EXAMPLES
@given(count=st.sampled_from([1, 2, 3, 4]), kind=st.sampled_from(KINDS), data=st.data(),
       lengths=st.tuples(st.integers(0, 20), st.integers(0, 20)))  # fmt: skip
def test_reductions(pes, count, kind, data, lengths):
    name, dtype = kind
    size = data.draw(st.none() | st.integers(0, min(lengths)), label="size")
    part = min(lengths) if size is None else size
    sources = [values(dtype, lengths[1], pe) for pe in range(count)]
    wanted = np.zeros(lengths[0], dtype)
    wanted[:part] = combined(name, dtype, sources)[:part]
    for found, in_place in pes(count, reduce_all_ways, name, dtype, lengths, size):
        for one in found:
            same(one, wanted)
        same(in_place, combined(name, dtype, sources))


def every_kind():
    """Reduce each type by each operation once; scan each type."""
    me, pes = shmem.my_pe(), shmem.n_pes()
    for name, dtype in KINDS:
        sources = [values(dtype, 5, pe) for pe in range(pes)]
        with symmetric(np.zeros(5, dtype), sources[me]) as (target, source):
            getattr(shmem, f"{name}_reduce")(target, source)
            same(target, combined(name, dtype, sources))
    for dtype in NUMBERS:
        sources = [values(dtype, 5, pe) for pe in range(pes)]
        with symmetric(np.ones(5, dtype), np.ones(5, dtype), sources[me]) as (inclusive, exclusive, source):
            shmem.sum_inscan(inclusive, source)
            shmem.sum_exscan(target=exclusive, source=source, size=4, team=None)
            same(inclusive, combined("sum", dtype, sources[:me + 1]))
            before = combined("sum", dtype, [np.zeros(5, dtype), *sources[:me]])
            same(exclusive, np.append(before[:4], np.ones(1, dtype)))
            shmem.barrier_all()
            shmem.sum_inscan(source, source)
            same(source, inclusive)


def shapes_and_teams():
    """Reduce arrays of no and of two axes, in a team, in Fortran's order, and many elements."""
    me, pes = shmem.my_pe(), shmem.n_pes()
    with symmetric(np.zeros(()), np.full((), me + 1.0)) as (target, source):
        shmem.sum_reduce(target, source)
        assert target == pes * (pes + 1) / 2
    with symmetric(np.zeros((2, 3)), np.arange(6.0).reshape(2, 3) * me, order="F") as (target, source):
        shmem.max_reduce(target, source)
        same(target, np.arange(6.0).reshape(2, 3) * (pes - 1))
    with symmetric(np.zeros(200_000, "f"), np.full(200_000, me, "f")) as (target, source):
        shmem.sum_reduce(target, source)
        same(target, np.full(200_000, sum(range(pes)), "f"))
    team = shmem.TEAM_WORLD.split_strided(0, 2)
    with symmetric(np.zeros(1, int), np.array([me])) as (target, source):
        if team:
            shmem.sum_reduce(target, source, team=team)
            assert target[0] == sum(range(0, pes, 2))
    if team:
        team.destroy()


def not_a_number():
    """Reduce with NaN and zeros of both signs: the first PE's stays, a later NaN counts for nothing."""
    me, pes = shmem.my_pe(), shmem.n_pes()
    for dtype, count, who in itertools.product(("f4", "f8"), (5, 30_000), range(pes)):
        mine = np.full(count, me + 1, dtype)
        mine[0] = -0.0 if me == 0 else 0.0
        if me == who:
            mine[1::2] = np.nan
        others = [pe + 1 for pe in range(pes) if pe != who]
        with symmetric(np.zeros(count, dtype), mine, np.zeros((pes, count), dtype)) as (target, source, joined):
            for name, best in (("max", max), ("min", min)):
                getattr(shmem, f"{name}_reduce")(target, source)
                wanted = np.full(count, best(1, pes), dtype)
                wanted[0] = -0.0
                wanted[1::2] = np.nan if who == 0 else best(others)
                same(target, wanted)
                assert np.signbit(target[0])
                shmem.fcollect(joined, target)
                assert {row.tobytes() for row in joined} == {target.tobytes()}  # all PEs have the same bits
                shmem.barrier_all()


def wrong_types():
    """Reduce what has no such reduction."""
    wrong = {"and": "fFgeSV", "xor": "d", "max": "FDe", "min": "D", "sum": "?eGSMmU", "prod": "?e"}
    for name, letters in wrong.items():
        for letter in letters:
            dtype = {"S": "S2", "U": "U1", "V": "V4", "M": "M8[s]", "m": "m8[s]"}.get(letter, letter)
            with symmetric(np.zeros(2, dtype), np.zeros(2, dtype)) as (target, source):
                with pytest.raises(TypeError, match=f"^{name}_reduce: target is of dtype .*: must be one of integers"):
                    getattr(shmem, f"{name}_reduce")(target, source)
                with pytest.raises(TypeError, match="^reduce: target is of dtype"):
                    shmem.reduce(target, source, name)
    for letter in ("?", ">i4"):
        with symmetric(np.zeros(2, letter), np.zeros(2, letter)) as (target, source):
            with pytest.raises(TypeError, match="^sum_inscan: target is of dtype .*: must be one of integers, floats"):
                shmem.sum_inscan(target, source)
    memory = shmem.alloc(64)
    odd, even = np.frombuffer(memory, np.int64, 2, 1), np.frombuffer(memory, np.int64, 2, 32)
    with pytest.raises(ValueError, match="^sum_reduce: source is not aligned: its address must be a multiple of 8"):
        shmem.sum_reduce(even, odd)
    for op, kind in (("add", ValueError), (7, ValueError), (-1, ValueError), (2.0, TypeError)):
        with pytest.raises(kind, match=f"^reduce: op = {op!r}: must be one of 'and', 'or'"):
            shmem.reduce(even, even, op)
    shmem.free(memory)


@pytest.mark.parametrize("function", [every_kind, shapes_and_teams, not_a_number, wrong_types])
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_kinds(pes, count, function):
    pes(count, function)
