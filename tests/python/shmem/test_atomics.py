# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Atomic operations on one element."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import ATOMIC, EXAMPLES, symmetric

from ucxx import shmem

FLOATS = [np.dtype("f"), np.dtype("d")]
UPDATES = {
    "set": lambda _, value: value,
    "inc": lambda old, _: old + 1,
    "add": lambda old, value: old + value,
    "and": lambda old, value: old & value,
    "or": lambda old, value: old | value,
    "xor": lambda old, value: old ^ value,
}
NEXT = {"set": "swap", "inc": "fetch_inc"}


def wrapped(dtype, number):
    """Return a number as C has it."""
    bits = 8 * dtype.itemsize
    number %= 1 << bits
    return number - (1 << bits) if dtype.kind == "i" and number >> (bits - 1) else number


def ways(name, target, value, pe, fetched):
    """Return calls of one operation: what each returns is what was there, or None."""
    operands = () if name == "inc" else (value,)
    fetch_name = f"atomic_{NEXT.get(name, 'fetch_' + name)}"
    kinds = [name, name.upper(), getattr(shmem.AMO, name.upper())]
    return [
        lambda: getattr(shmem, f"atomic_{name}")(target, *operands, pe),
        lambda: shmem.atomic_op(target, value, "inc" if name == "inc" else name, pe),
        lambda: shmem.atomic_op(target, value, kinds[2], pe=pe, ctx=shmem.CTX_DEFAULT),
        lambda: getattr(shmem, fetch_name)(target, *operands, pe, None),
        lambda: shmem.atomic_fetch_op(target, value, op=kinds[2], pe=pe),
        lambda: after(getattr(shmem, f"{fetch_name}_nbi"), fetched, target, *operands, pe),
        lambda: after(shmem.atomic_fetch_op_nbi, fetched, target, value, name, pe),
    ]


def after(call, fetched, *args):
    """Return what a call that does not block has fetched."""
    assert call(fetched, *args) is None
    shmem.quiet()
    return fetched.item()


def operate(dtype, name, old, value):
    """Do one operation in all ways, on an element of the next one; return what each found and left."""
    me, pes = shmem.my_pe(), shmem.n_pes()
    right = (me + 1) % pes
    found = []
    with symmetric(np.zeros(3, dtype)) as words:
        element, fetched = words[1, ...], np.zeros((), dtype)
        for way in ways(name, element, value, right, fetched):
            shmem.atomic_set(element, old, right)
            shmem.barrier_all()
            result = way()
            shmem.quiet()
            shmem.barrier_all()
            found.append((result, element.item(), shmem.atomic_fetch(words[1:2], right)))
            shmem.barrier_all()
        assert not words[::2].any()
    return found


@EXAMPLES
@given(count=st.sampled_from([1, 2, 3]), dtype=st.sampled_from(ATOMIC), name=st.sampled_from(list(UPDATES)),
       data=st.data())  # fmt: skip
def test_integers(pes, count, dtype, name, data):
    limits = np.iinfo(dtype)
    numbers = st.integers(int(limits.min), int(limits.max))
    old, value = data.draw(numbers, label="old"), data.draw(numbers, label="value")
    new = wrapped(dtype, UPDATES[name](old, value))
    wanted = [(None, new, new)] * 3 + [(old, new, new)] * 4
    assert pes(count, operate, dtype, name, old, value) == [wanted] * count


@pytest.mark.parametrize("dtype", FLOATS)
def test_floats(pes, dtype):
    wanted = [(None, 2.5, 2.5)] * 3 + [(-1.5, 2.5, 2.5)] * 4
    assert pes(2, operate, dtype, "set", -1.5, 2.5) == [wanted] * 2
    assert str(pes(1, operate, dtype, "set", float("inf"), float("nan"))[0][3]) == "(inf, nan, nan)"


def compare_and_swap():
    """Swap where the condition holds, in both ways."""
    me, pes = shmem.my_pe(), shmem.n_pes()
    right = (me + 1) % pes
    for dtype in ATOMIC:
        most = int(np.iinfo(dtype).max)
        fetched = np.zeros(1, dtype)
        with symmetric(np.full((), most, dtype)) as word:
            assert shmem.atomic_compare_swap(word, 5, 6, right) == most
            assert shmem.atomic_compare_swap(target=word, cond=most, value=7, pe=right) == most
            shmem.atomic_compare_swap_nbi(fetched, word, 7, 8, right)
            shmem.quiet()
            assert fetched[0] == 7
            shmem.atomic_compare_swap_nbi(fetch=fetched, target=word, cond=7, value=9, pe=right, ctx=None)
            shmem.atomic_fetch_nbi(fetched, word, right)
            shmem.quiet()
            assert fetched[0] == 8 == shmem.atomic_fetch(source=word, pe=right)


def count_together(rounds):
    """Count on PE 0 with all PEs, through contexts; return what each has found."""
    found = []
    with symmetric(np.zeros(2, np.int64)) as counters, shmem.Ctx.create() as ctx:
        for _ in range(rounds):
            found.append(shmem.atomic_fetch_inc(counters[0:1], 0, ctx))
            shmem.atomic_add(counters[1, ...], 3, 0, ctx=ctx)
        ctx.quiet()
        shmem.barrier_all()
        return found, counters.tolist()


def through_a_team():
    """Number PEs as the team of a context does."""
    team = shmem.TEAM_WORLD.split_strided(shmem.n_pes() - 1, -1)
    with symmetric(np.zeros((), "u4")) as word, team, team.create_ctx() as ctx:
        shmem.atomic_set(word, 1 + shmem.my_pe(), team.my_pe(), ctx)
        ctx.quiet()
        shmem.barrier_all()
        return int(word)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_compare_and_swap(pes, count):
    pes(count, compare_and_swap)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_nothing_is_lost(pes, count):
    results = pes(count, count_together, 100)
    assert sorted(number for found, _ in results for number in found) == list(range(100 * count))
    assert results[0][1] == [100 * count, 300 * count]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_pe_is_counted_in_the_context_s_team(pes, count):
    assert pes(count, through_a_team) == [1 + pe for pe in range(count)]


def wrong_values():
    """Give values that the type does not hold, and types that have no such operation."""
    with symmetric(np.zeros((), "i4"), np.zeros((), "u8"), np.zeros((), "f4"), np.zeros((), "f8")) as words:
        signed, unsigned, single, double = words
        for target, value, kind, type_name in (
            (signed, 2**31, OverflowError, "int32"), (signed, -2**31 - 1, OverflowError, "int32"),
            (signed, 2**200, OverflowError, "int32"), (unsigned, -1, OverflowError, "uint64"),
            (unsigned, 2**64, OverflowError, "uint64"), (signed, 1.0, TypeError, "int32"),
            (signed, "1", TypeError, "int32"), (signed, None, TypeError, "int32"),
            (signed, [1], TypeError, "int32"), (double, "1", TypeError, "float64"),
            (double, 1j, TypeError, "float64"), (double, 10**400, OverflowError, "float64"),
            (single, 1e300, OverflowError, "float32"), (single, -1e39, OverflowError, "float32"),
        ):
            with pytest.raises(kind, match=rf"^atomic_set: value = .*: must be a number that {type_name} holds"):
                shmem.atomic_set(target, value, 0)
        for value in (np.int8(-3), np.array(-3), True, np.uint64(5)):
            shmem.atomic_set(signed, value, shmem.my_pe())
            assert shmem.atomic_fetch(signed, shmem.my_pe()) == int(value)
        for call in (shmem.atomic_add, shmem.atomic_fetch_xor):
            with pytest.raises(TypeError, match="target is of dtype float64: of float32 and float64 there are"):
                call(double, 1, 0)
        with pytest.raises(TypeError, match="^atomic_compare_swap: target is of dtype float32"):
            shmem.atomic_compare_swap(single, 0, 1, 0)
        for op in ("nand", 6, -1):
            with pytest.raises(ValueError, match=r"^atomic_op: op = .*: must be one of 'set', 'inc', "):
                shmem.atomic_op(signed, 1, op, 0)
        with pytest.raises(TypeError, match=r"^atomic_op: op = None: must be one of"):
            shmem.atomic_op(signed, 1, None, 0)
        with pytest.raises(TypeError, match="^atomic_swap_nbi: fetch is of dtype int64 and target of int32"):
            shmem.atomic_swap_nbi(np.zeros((), "i8"), signed, 1, 0)


NO_ATOMICS = ["b", "H", "?", "e", "g", "F", "D", "G", "S3", "V0", ">i4", "M8[s]", "i1,i4"]


def types_without_atomics():
    """Give each type that has none."""
    for name in NO_ATOMICS:
        with symmetric(np.zeros(1, name)) as target:
            for call in (shmem.atomic_fetch, shmem.atomic_inc, shmem.atomic_fetch_inc):
                with pytest.raises(TypeError, match=f"^{call.__name__}: (target|source) is of dtype .*: must be int32, int64"):
                    call(target, 0)
            with pytest.raises(TypeError, match=r"^wait_until: ivar is of dtype .*: must be int32, int64"):
                shmem.wait_until(target, "==", 0)


def not_one_element():
    """Give arrays of none or two elements, and one at an odd address."""
    memory = shmem.alloc(16)
    odd = np.frombuffer(memory, np.int64, 1, 1)
    with pytest.raises(ValueError, match="^atomic_inc: target is not aligned: its address must be a multiple of 8"):
        shmem.atomic_inc(odd, 0)
    with pytest.raises(ValueError, match="^test: ivar is not aligned"):
        shmem.test(odd, "==", 0)
    with symmetric(np.zeros(2, int)) as pair:
        for some in (pair, pair[:0]):
            with pytest.raises(ValueError, match=rf"^atomic_inc: target has {some.size} elements: must have one"):
                shmem.atomic_inc(some, 0)
    shmem.free(memory)


@pytest.mark.parametrize("function", [wrong_values, types_without_atomics, not_one_element])
def test_wrong_arguments(pes, function):
    pes(2, function)
