# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Arrays of one element, and NumPy scalars, where a number is wanted."""

import re
import warnings

import numpy as np
import pytest
from samples import ATOMIC, symmetric

from ucxx import shmem

# What int() makes of each is 3: of a fraction the part behind the point is cut off.
THREES = [np.array([3]), np.array(3), np.array([[3]], "u1"), np.array([3.0]), np.array(3.7), np.array([[3.7]], "f4"),
          np.array([3.9], "e"), np.array([3], "g"), np.array([3], ">i4"), np.array([9, 3])[::-1][:1], np.array([3], "i8")[::-1],
          np.ma.array([3]), np.float32(3.7), np.float16(3), np.longdouble(3), np.int8(3), np.uint64(3)]  # fmt: skip
TRUTHS = [np.array([True]), np.True_, np.array(True)]
# None of them is a number, not even in shmem4py.
WRONG = [([3], "= "), ((3,), "= "), ("3", "= "), (np.array(["3"]), "= "), (np.array([3], object), "= "), (3j, "= "),
         (np.array([3j]), "= "), (np.array([3], "M8[s]"), "= "), (np.zeros(1, "i4,i4"), "= "), (None, "= "),
         (np.zeros(2, int), "has 2 elements: must be a number, or an array of one"),
         (np.zeros((0, 3)), "has 0 elements: must be a number, or an array of one"), (b"3", "= ")]  # fmt: skip


def atomics():
    """Give values to each atomic operation, of each dtype."""
    me = shmem.my_pe()
    for dtype in ATOMIC:
        with symmetric(np.zeros(1, dtype)) as word:
            fetched = np.zeros(1, dtype)
            for value in THREES:
                shmem.atomic_set(word, value, me)
                assert shmem.atomic_fetch(word, np.array([me])) == 3
                shmem.atomic_add(word, value, np.array([[me]]))
                assert shmem.atomic_compare_swap(word, np.array([6.0]), value, me) == 6
                assert shmem.atomic_swap(word, value, me) == 3 == shmem.atomic_fetch_add(word, value, me)
                assert shmem.atomic_fetch_op(word, value, "xor", me) == 6
                shmem.atomic_op(word, value, "OR", me)
                shmem.atomic_swap_nbi(fetched, word, value, me)
                shmem.quiet()
                assert fetched[0] == 7
            for value in TRUTHS:
                shmem.atomic_set(word, value, me)
                assert shmem.atomic_fetch(word, me) == 1
    for dtype in ("f4", "f8"):
        with symmetric(np.zeros(1, dtype)) as word:
            for value in (np.array([2.5]), np.array([[2.5]], "e"), np.array(2.5, "g"), np.array([2.5], ">f8")):
                shmem.atomic_set(word, value, me)
                assert word[0] == 2.5 == shmem.atomic_swap(word, np.array([True]), me)
                assert word[0] == 1


def waits_and_signals():
    """Compare with them, and signal them."""
    me = shmem.my_pe()
    with symmetric(np.full(4, 3, "i4"), np.zeros(2)) as (words, data):
        signal = shmem.new_signal()
        for value in THREES:
            shmem.wait_until(words[0:1], shmem.CMP.EQ, value)
            assert shmem.test(words[0:1], np.array([0]), value) and not shmem.test(words[:1], "NE", value)
            shmem.wait_until_all(words, "==", value)
            assert shmem.wait_until_any(words, ">=", value) in range(4)
            assert shmem.test_some(words, "==", value) == [0, 1, 2, 3] == shmem.wait_until_some(words, "LE", value)
            shmem.put_signal(data, np.ones(2), me, signal, value, np.array([0]))
            assert shmem.signal_wait_until(signal, "==", value) == 3
            shmem.signal_add(signal, value, np.array([me]))
            assert shmem.signal_fetch(signal) == 6
        shmem.del_signal(signal)


def vectors():
    """Give the values and the status of the calls with several elements as arrays, floats and nested."""
    with symmetric(np.array([[1, 2], [3, 4]], "i4")) as words:
        for values in ([1, 2, 3, 4], (1.0, 2.9, 3, 4), np.arange(1.0, 5), np.arange(1, 5).reshape(4, 1), np.arange(1, 9),
                       [[1, 2], [3, 4]], [np.array([1]), np.array(2), 3, np.float32(4)], range(1, 5)):  # fmt: skip
            shmem.wait_until_all_vector(words, "==", values)
            assert shmem.test_some_vector(words, "==", values, np.array([[1, 0], [0, 0]])) == [1, 2, 3]
            assert shmem.test_some_vector(words, "==", values, [[1, 0], [0, 1]]) == [1, 2]
            assert shmem.test_any_vector(words, "==", values, [1, 1, 1, 0, 1]) == 3
        assert shmem.test_all_vector(words[:1, :1], "==", 1) and shmem.test_all_vector(words[:1, :1], "==", 1.5)
        for values, kind, said in (([1, 2, float("nan"), 4], ValueError, "values = nan: must be a number that int32"),
                                   ([1, 2, float("inf"), 4], OverflowError, "values = inf: must be a number that int32"),
                                   (np.array([1, 2, 2**40, 4]), OverflowError, "values = .*: must be a number that"),
                                   ([1, 2, "3", 4], TypeError, "values = '3': must be"),
                                   (np.arange(3), AssertionError, "values has 3 items: must have 4")):  # fmt: skip
            with pytest.raises(kind, match=f"^test_all_vector: {said}"):
                shmem.test_all_vector(words, "==", values)


class Failing:
    """A sequence whose items nobody can read."""

    def __init__(self, error):
        self.error = error

    def __len__(self):
        return 4

    def __getitem__(self, index):
        raise self.error


def wrong_vectors():
    """Give sequences with an item that is no single one, and those that raise: what they raise comes out."""
    with symmetric(np.zeros(4, "i4")) as words:
        for status in ([0, np.zeros(2), 0, 0], [0, 0, np.zeros(0, int), 0]):
            with pytest.raises(shmem.SizeError, match="^test_all: an item of status has [02] elements: must be a number, or"):
                shmem.test_all(words, "==", 0, status)
        assert shmem.test_some(words, "==", 0, [np.array([1]), np.array(0), 1, 0]) == [1, 3]
        for error in (ZeroDivisionError("mine"), TypeError("mine"), KeyboardInterrupt("mine"), ValueError("mine")):
            for call in (lambda items: shmem.test_all(words, "==", 0, items),
                         lambda items: shmem.test_all_vector(words, "==", items), shmem.pe_quiet):
                for items in (Failing(error), (Failing(error)[0] for _ in range(4))):
                    with pytest.raises(type(error), match="^mine$"):
                        call(items)
        for items, said in ((5, "values has 1 items: must have 4"), ([[1, 2], [3]], "values has 2 items: must have 4")):
            with pytest.raises(shmem.SizeError, match=f"^test_all_vector: {said}"):
                shmem.test_all_vector(words, "==", items)
        for items in (None, object()):
            with pytest.raises(TypeError, match="^test_all_vector: values = .*: must be a sequence$"):
                shmem.test_all_vector(words, "==", items)


def numbers_of_calls():
    """Give PEs, sizes, strides, roots and wishes so."""
    me, pes = shmem.my_pe(), shmem.n_pes()
    with symmetric(np.zeros(6, int), np.arange(6) + 10) as (target, source):
        for three in THREES:
            target[...] = 0
            shmem.put(target, source, np.array([me]), three)
            assert target.tolist() == [10, 11, 12, 0, 0, 0]
            shmem.iput(target, source, np.array(me), three, np.array([1]), np.array([2.0]))
            assert target.tolist() == [10, 11, 12, 11, 0, 0]
            shmem.barrier_all()
            shmem.broadcast(target, source, np.array([pes - 1]), three)
            shmem.barrier_all()
        assert shmem.pe_accessible(np.array([pes - 1])) and not shmem.pe_accessible(np.array([pes]))
        assert shmem.addr_accessible(target, np.array([0])) and not shmem.addr_accessible(target, np.array([pes]))
        assert shmem.ptr(target, np.array([me]))[0] == target[0]
    assert shmem.TEAM_WORLD.translate_pe(np.array([0])) == 0
    with shmem.TEAM_WORLD.split_strided(np.array([0]), np.array([1]), np.array([pes]), num_contexts=np.array([1])) as team:
        assert team.n_pes() == pes and team.get_config() == {"num_contexts": 1}


def wrong():
    """Give what is no number of one element, for values and PEs."""
    with symmetric(np.zeros(1, "i4"), np.zeros(1, "u8")) as (word, large):
        for value, said in WRONG:
            kind = shmem.SizeError if "elements" in said else TypeError
            for name, call in (("value", lambda value=value: shmem.atomic_set(word, value, 0)),
                               ("value", lambda value=value: shmem.p(word, value, 0)),
                               ("pe", lambda value=value: shmem.atomic_set(word, 0, value)),
                               ("value", lambda value=value: shmem.test(word, "==", value))):
                with pytest.raises(kind, match=f"^(atomic_set|p|test): {name} {said}"):
                    call()
        for value in (3.0, np.float64(3)):  # as in shmem4py: an array or a float32 would be cut off
            with pytest.raises(TypeError, match=r"^atomic_add: value = .*3\.0.*: must be a number that int32 holds"):
                shmem.atomic_add(word, value, 0)
        for target, value, kind in ((word, np.array([2**31]), OverflowError), (word, np.array([1e30]), OverflowError),
                                    (word, np.array([np.inf]), OverflowError), (word, np.array([np.nan]), ValueError),
                                    (large, np.array([-1]), OverflowError), (large, np.array([-1.5]), OverflowError)):
            with pytest.raises(kind, match=r"^atomic_set: value = .*: must be a number that u?int\d\d holds"):
                shmem.atomic_set(target, value, 0)
        assert word[0] == 0 == large[0]
        with pytest.raises(ValueError, match=r"^put: pe = \d+: must be from 0 to"):
            shmem.put(word, word, np.array([shmem.n_pes()]))


def stored():
    """Put what NumPy stores for the element, also in structures and texts."""
    me = shmem.my_pe()
    pair = np.dtype([("a", "i4"), ("b", "f8", (2,))])
    for dtype, value, wanted in (("i4", np.array([3]), 3), ("i4", np.array([[3.7]]), 3), ("u1", np.array(7, "i8"), 7),
                                 ("f8", np.array([2]), 2.0), ("c16", np.array([1j]), 1j), ("?", np.array([5]), True),
                                 ("S3", np.array(["ab"]), b"ab"), ("M8[s]", np.array(["2020"], "M8[Y]"), None),
                                 (pair, np.array([(1, (2, 3))], pair), None), (">i2", np.float32(3.7), 3),
                                 (">f8", 2, 2.0), ("g", 2.5, 2.5), ("e", np.True_, 1.0)):  # fmt: skip
        with symmetric(np.zeros(1, dtype)) as word:
            shmem.p(word, value, me)
            shmem.quiet()
            if wanted is None:
                assert word[0] == np.asarray(value)[0].astype(dtype)
            else:
                assert shmem.g(word, np.array([me])) == wanted == word[0]


def not_stored():
    """Put what is no number that the dtype holds: nothing is written, and the text names the value."""
    must = "must be a number that {} holds$"
    for dtype, value, kind, said in (
        ("i4", 1.9, TypeError, must), ("i8", np.float64(3), TypeError, must), (">i4", 1.0, TypeError, "must be .* int32 holds"),
        ("u1", 300, OverflowError, must), ("i2", np.array([2**15]), OverflowError, must), ("i4", 2**31, OverflowError, must),
        ("u8", -1, OverflowError, must), ("i4", np.nan, TypeError, must), ("i4", np.float32("nan"), ValueError, must),
        ("f8", None, TypeError, must), ("f4", "1", TypeError, must), ("f8", np.array([1j]), TypeError, must),
        ("f4", 1e300, OverflowError, must), ("c16", None, TypeError, must), ("e", "1", TypeError, must),
        ("?", "yes", TypeError, must), ("g", 1j, TypeError, "."), ("i4,f8", (1, 2, 3), ValueError, "could not assign tuple"),
        ("M8[s]", "today's", ValueError, "Error parsing datetime"), ("S3", np.zeros(2), shmem.SizeError, ""),
    ):  # fmt: skip
        with symmetric(np.zeros(1, dtype)) as word:
            before = word.copy()
            text = "has 2 elements" if kind is shmem.SizeError else f"= {re.escape(repr(value))}: "
            with pytest.raises(kind, match=f"^p: value {text}{said.format(word.dtype)}"):
                shmem.p(word, value, shmem.my_pe())
            assert word == before


def filled():
    """Fill with numbers that the dtype does not hold: they are cast, as in shmem4py, without a warning."""
    for value, dtype, wanted in ((-1, "u1", 255), (300, "u1", 44), (-1, "u8", 2**64 - 1), (2**40 + 5, "i4", 5),
                                 (2**64 - 1, "i8", -1), (-1.0, "u2", 65535), (3.7, "i4", 3), (True, "f4", 1.0),
                                 (-1, "?", True), (np.array([[-1]]), "u1", 255), (np.array([5]), None, 5),
                                 ([7], "i2", 7), (np.float32(2.5), None, 2.5), ("7", "i4", 7)):  # fmt: skip
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            made = shmem.full((2, 3), value, dtype)
            single = shmem.array(value, dtype)
        assert (made == wanted).all() and (single == wanted).all(), (value, dtype)
        assert made.dtype == single.dtype and (dtype is None or made.dtype == dtype)
        shmem.free(made)
        shmem.free(single)
    rows = shmem.full((2, 2), [1, 2**64 - 1], "u8")
    assert rows.tolist() == [[1, 2**64 - 1]] * 2
    shmem.free(rows)
    if np.lib.NumpyVersion(np.__version__) >= "2.0.0":  # older ones warn, and cast as well
        bytes_of_two = shmem.full(2, [-1, 300], "u1"), shmem.array([-1, 3], "u1")
        assert [made.tolist() for made in bytes_of_two] == [[255, 44], [255, 3]]
        for made in bytes_of_two:
            shmem.free(made)


FUNCTIONS = [atomics, waits_and_signals, vectors, wrong_vectors, numbers_of_calls, wrong, stored, not_stored, filled]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("count", [1, 3])
def test_one_element(pes, count, function):
    pes(count, function)
