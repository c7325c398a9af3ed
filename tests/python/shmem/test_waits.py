# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""wait_until and test, of one element and of several."""

import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import ATOMIC, EXAMPLES, symmetric

from ucxx import shmem

COMPARISONS = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
               ">=": operator.ge}
NAMES = {"==": "EQ", "!=": "NE", "<": "LT", "<=": "LE", ">": "GT", ">=": "GE"}
PES = [1, 2, 3, 4]


def spellings(sign):
    """Return all that may stand for a comparison."""
    name = NAMES[sign]
    return [sign, name.lower(), getattr(shmem.CMP, name), getattr(shmem, f"CMP_{name}"), int(shmem.CMP[name]),
            np.int64(shmem.CMP[name])]


# One element ------------------------------------------------------------------------------------


def compare_one():
    """Compare with smaller, equal and larger ones, of each type, by each spelling."""
    for dtype in ATOMIC:
        limits = np.iinfo(dtype)
        for own in (int(limits.min), 5, int(limits.max)):
            with symmetric(np.full(3, own, dtype)) as words:
                for sign, compare in COMPARISONS.items():
                    for other in (int(limits.min), 4, 5, 6, int(limits.max)):
                        wanted = compare(own, other)
                        for cmp in spellings(sign):
                            assert shmem.test(words[1, ...], cmp, other) is wanted
                        if wanted:
                            assert shmem.wait_until(ivar=words[1:2], cmp=sign, value=other) is None


def wait_for_the_one_before():
    """Wait for what another PE writes, in the forms of which one is long enough to sleep."""
    me, pes = shmem.my_pe(), shmem.n_pes()
    with symmetric(*[np.zeros((), dtype) for dtype in ATOMIC]) as words:
        for word in words:
            if me == 0:
                shmem.p(word, 1, 1 % pes)
            shmem.wait_until(word, ">", 0)
            if me != 0:
                shmem.p(word, 1, (me + 1) % pes)


# Several ----------------------------------------------------------------------------------------


def ask(values, dtype, cmp, wanted, status, shape):
    """Return what all tests, and those waits that have an end, say of these values of this PE."""
    is_vector = isinstance(wanted, list)
    suffix = "_vector" if is_vector else ""
    found = {}
    with symmetric(np.array(values, dtype).reshape(shape)) as words:
        for kind in ("all", "any", "some"):
            test = getattr(shmem, f"test_{kind}{suffix}")
            wait = getattr(shmem, f"wait_until_{kind}{suffix}")
            found[kind] = test(words, cmp, wanted, status)
            takes_part = len(values) > sum(map(bool, status or []))
            if found[kind] not in (None, [], False) or found[kind] == 0 and kind == "any" or not takes_part:
                name = "values" if is_vector else "value"
                found[kind, "wait"] = wait(ivars=words, cmp=cmp, status=status, **{name: wanted})
    return found


@EXAMPLES
@given(dtype=st.sampled_from(ATOMIC), sign=st.sampled_from(list(COMPARISONS)), data=st.data(),
       rows=st.integers(1, 3), length=st.integers(0, 6))  # fmt: skip
def test_several(pes, dtype, sign, data, rows, length):
    count = rows * length
    small = st.integers(0, 3)
    values = data.draw(st.lists(small, min_size=count, max_size=count), label="values")
    several = st.lists(small, min_size=count, max_size=count)
    wanted = data.draw(small | several, label="wanted")
    status = data.draw(st.none() | st.lists(st.sampled_from([0, 1, True, 7]), min_size=count, max_size=count))
    (found,) = pes(1, ask, values, dtype, sign, wanted, status, (rows, length))

    each = wanted if isinstance(wanted, list) else [wanted] * count
    part = [index for index in range(count) if not (status and status[index])]
    true = [index for index in part if COMPARISONS[sign](values[index], each[index])]
    assert found["all"] is (true == part)
    assert found["any"] in true if true else found["any"] is None
    assert sorted(found["some"]) == true
    assert ("all", "wait") not in found or found["all", "wait"] is None
    assert found.get(("any", "wait"), found["any"]) in (true or [None])
    assert sorted(found.get(("some", "wait"), true)) == true
    assert (("some", "wait") in found) == bool(true or not part)


def wait_for_all_others():
    """Each PE sets its own element of all; wait for all, any and some."""
    me, pes = shmem.my_pe(), shmem.n_pes()
    with symmetric(*[np.zeros(pes, np.int64)] * 6) as arrays:
        for array in arrays:
            for pe in range(pes):
                shmem.atomic_set(array[me, ...], me + 1, pe)
        everyone, any_one, some, each, any_each, some_each = arrays
        names = list(range(1, pes + 1))
        shmem.wait_until_all(everyone, "!=", 0)
        assert everyone.tolist() == names
        shmem.wait_until_all_vector(each, "==", names)
        for array, call, wanted in ((any_one, shmem.wait_until_any, 0), (some, shmem.wait_until_some, 0),
                                    (any_each, shmem.wait_until_any_vector, np.zeros(pes, int)),
                                    (some_each, shmem.wait_until_some_vector, tuple([0] * pes))):  # fmt: skip
            seen = np.zeros(pes, bool)
            while not seen.all():
                found = call(array, ">", wanted, seen)
                seen[found] = True
            assert call(array, ">", wanted, seen) in (None, [])


# Wrong arguments --------------------------------------------------------------------------------


class Shrinking:
    """What empties the list it is in when it is asked for its number or its truth."""

    def __init__(self, items):
        self.items = items

    def __index__(self):
        self.items.clear()
        return 1

    def __bool__(self):
        self.items.clear()
        return False


def wrong_arguments():
    """Give what is none of it."""
    with symmetric(np.zeros((2, 3), int), np.zeros((2, 3), int, order="F")) as (words, fortran):
        for array in (words[:, ::2], fortran, words.T):
            with pytest.raises(ValueError, match="^test_any: ivars is not contiguous in C's order"):
                shmem.test_any(array, "==", 0)
        with pytest.raises(ValueError, match="^test_all: status has 2 items: must have 6, one for each element"):
            shmem.test_all(words, "==", 0, [0, 1])
        with pytest.raises(ValueError, match="^wait_until_some_vector: values has 1 items: must have 6"):
            shmem.wait_until_some_vector(words, "==", [1])
        with pytest.raises(ValueError, match="^test_all_vector: values has 1 items: must have 6"):
            shmem.test_all_vector(words, "==", 0)
        with pytest.raises(TypeError, match="^test_all_vector: values = None: must be a sequence"):
            shmem.test_all_vector(words, "==", None)
        with pytest.raises(TypeError, match="^test_some: value = 'a': must be a number that int64 holds"):
            shmem.test_some(words, "==", "a")
        with pytest.raises(ValueError, match="^test: ivar has 6 elements: must have one"):
            shmem.test(words, "==", 0)
        with pytest.raises(TypeError, match="^wait_until: ivar is a NumPy scalar"):
            shmem.wait_until(words[0, 0], "==", 0)
        for cmp in ("=", "<>", "EQU", 6, -1):
            with pytest.raises(ValueError, match=rf"^test: cmp = {cmp!r}: must be one of '==', '!=', .*'ge'"):
                shmem.test(words[0, 0, ...], cmp, 0)
        for cmp in (None, 1.0, b"=="):
            with pytest.raises(TypeError, match=rf"^test: cmp = {cmp!r}: must be one of"):
                shmem.test(words[0, 0, ...], cmp, 0)
        with pytest.raises(OverflowError, match="^test: cmp = "):
            shmem.test(words[0, 0, ...], 2**80, 0)
        values, status = [], []
        values += [1, 0, 0, 0, 0, 0]
        status += [Shrinking(status), 1, 1, 1, 1, 1]
        assert shmem.test_some_vector(words, "<", values, status) == [0]
        assert status == []
        with pytest.raises(TypeError, match="^test_some_vector: values = .*: must be a number that int64"):
            shmem.test_some_vector(words, "<", [Shrinking(values), 0, 0, 0, 0, 0])
        assert len(values) == 6


@pytest.mark.parametrize("count", PES)
@pytest.mark.parametrize("function", [wait_for_the_one_before, wait_for_all_others])
def test_waits(pes, count, function):
    pes(count, function)


@pytest.mark.parametrize("function", [compare_one, wrong_arguments])
def test_one(pes, function):
    pes(2, function)
