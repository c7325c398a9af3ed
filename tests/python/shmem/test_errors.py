# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What put, get and their like say of wrong arguments; calls outside of init and finalize."""

import pickle

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided
from samples import symmetric

from ucxx import shmem

SYMMETRIC = "is not symmetric: must be made by zeros"
PUTS = ["put", "put_nbi", "iput", "ibput"]
GETS = ["get", "get_nbi", "iget", "ibget"]


class Stubborn:
    """Neither a number nor an array."""

    def __index__(self):
        raise ZeroDivisionError

    def __repr__(self):
        return "Stubborn()"


def arrays(names, mine, theirs, wrong):
    """Give a wrong array on either side: `wrong` has (array, kind, words, for which side)."""
    for name in names:
        call = getattr(shmem, name)
        remote, local = ("target", "source") if name in PUTS else ("source", "target")
        for array, kind, words, where in wrong:
            for side in ((remote, local) if where == "both" else (remote,) if where == "remote" else (local,)):
                given = {remote: theirs, local: mine, side: array}
                with pytest.raises(kind, match=f"^{name}: {side} {words}"):
                    call(**given, pe=0)


def wrong_arrays():
    """Give what is no array, or not one that the call may use."""
    with symmetric(np.zeros(4)) as theirs:
        mine = np.zeros(4)
        reads_alone = theirs[:]
        reads_alone.flags.writeable = False
        own_reads_alone = np.zeros(4)
        own_reads_alone.flags.writeable = False
        beyond = as_strided(theirs, (1 << 40,), (1 << 12,))
        arrays(PUTS + GETS, mine, theirs, [
            ([1, 2], TypeError, "is of type list: must be a numpy.ndarray", "both"),
            (None, TypeError, "is of type NoneType: must be a numpy.ndarray", "both"),
            (3.0, TypeError, "is of type float: must be", "both"),
            (memoryview(mine), TypeError, "is of type memoryview: must be", "both"),
            (theirs[0], TypeError, r"is a NumPy scalar, np.float64\(0.0\): a\[i\] is a copy of the element; a\[i, ...\]",
             "both"),
            (np.array([None]), TypeError, "is of dtype object: elements are Python objects", "both"),
            (np.zeros(4), ValueError, SYMMETRIC, "remote"),
            (np.zeros((), float), ValueError, SYMMETRIC, "remote"),
        ])  # fmt: skip
        arrays(PUTS, mine, theirs, [
            (reads_alone, ValueError, "is a read-only array: must be writable", "remote"),
        ])  # fmt: skip
        arrays(GETS, mine, theirs, [(own_reads_alone, ValueError, "is a read-only array: must be writable", "local")])
        arrays(["put", "get"], mine, theirs, [(beyond, ValueError, SYMMETRIC, "remote")])
        for name, both in (("put", (theirs, np.zeros(4, "f4"))), ("get", (np.zeros(4, ">f8"), theirs))):
            with pytest.raises(TypeError, match=f"^{name}: target is of dtype .* and source of .*: must be the same"):
                getattr(shmem, name)(*both, 0)
        for kinds in (("i8", "u8"), ("M8[s]", "M8[ms]"), ("S3", "S4"), ("i4,f8", "i4,i8"), ("?", "b")):
            with symmetric(np.zeros(2, kinds[0])) as target:
                with pytest.raises(TypeError, match="must be the same"):
                    shmem.put(target, np.zeros(2, kinds[1]), 0)


def wrong_numbers():
    """Give PEs that there are not, and sizes beyond an array."""
    pes = shmem.n_pes()
    with symmetric(np.zeros(4), np.zeros((), int)) as (theirs, word):
        mine = np.zeros(6)
        for pe in (-1, pes, 2**31, 2**32, -(2**63), 2**63 - 1):
            for name in PUTS + GETS:
                with pytest.raises(ValueError, match=f"^{name}: pe = {pe}: must be from 0 to {pes - 1}$"):
                    getattr(shmem, name)(theirs, theirs, pe)
            for name, more in (("p", (1,)), ("g", ()), ("atomic_inc", ()), ("atomic_set", (1,)), ("ptr", ())):
                with pytest.raises(ValueError, match=f"^{name}: pe = {pe}: must be from 0 to {pes - 1}$"):
                    getattr(shmem, name)(word, *more, pe)
        for pe, kind in ((2**63, OverflowError), (1.0, TypeError), ("0", TypeError), (None, TypeError), ([0], TypeError),
                         (np.float64(0), TypeError), (Stubborn(), TypeError)):  # fmt: skip
            with pytest.raises(kind, match=r"^put: pe = .*: must be an integer"):
                shmem.put(theirs, mine, pe)
        for pe in (False, np.int8(0), np.uint64(0), np.array(0)):
            shmem.put(theirs, theirs, pe)
        for size in (-1, 5, 2**62, -(2**63)):
            for name in PUTS + GETS:
                with pytest.raises(ValueError, match=f"^{name}: size = {size}: must be from 0 to 4, which the arrays have"):
                    getattr(shmem, name)(theirs, theirs, 0, size=size)
        for size, kind in ((2**64, OverflowError), (1.5, TypeError), ("1", TypeError)):
            with pytest.raises(kind, match=r"^get: size = .*: must be an integer"):
                shmem.get(mine, theirs, 0, size)


def wrong_calls():
    """Give too few, too many, unknown and doubled arguments."""
    with symmetric(np.zeros(4), np.zeros((), int)) as (theirs, word):
        for call, words in (
            (lambda: shmem.put(), "^put: the argument 'target' is missing"),
            (lambda: shmem.put(theirs, theirs), "^put: the argument 'pe' is missing"),
            (lambda: shmem.put(theirs, pe=0), "^put: the argument 'source' is missing"),
            (lambda: shmem.put(theirs, theirs, 0, 1, None, 3), "^put: 6 arguments by position, but it takes 5 at most"),
            (lambda: shmem.put(theirs, theirs, 0, dest=1), "^put: there is no argument 'dest'"),
            (lambda: shmem.put(theirs, theirs, 0, target=theirs), "^put: the argument 'target' is given twice"),
            (lambda: shmem.my_pe(1), "^my_pe: 1 arguments by position, but it takes 0 at most"),
            (lambda: shmem.barrier_all(team=None), "^barrier_all: there is no argument 'team'"),
            (lambda: shmem.atomic_inc(word, value=1, pe=0), "^atomic_inc: there is no argument 'value'"),
            (lambda: shmem.zeros(2, clear=True), "^zeros: there is no argument 'clear'"),
            (lambda: shmem.put(**{"target": theirs, "söurce": 1}), "^put: there is no argument 'söurce'"),
        ):
            with pytest.raises(TypeError, match=words):
                call()


def as_in_shmem4py():
    """Catch what shmem4py raises; the text says more, and the other class is the exact one."""
    pes = shmem.n_pes()
    gone = shmem.zeros(3)
    bytes_gone = shmem.alloc(8)
    shmem.free(gone)
    shmem.free(bytes_gone)
    team, ctx = shmem.TEAM_WORLD.split_strided(), shmem.Ctx.create()
    team.destroy()
    ctx.destroy()
    with symmetric(np.zeros(4), np.zeros(6 * pes + 1), np.zeros(4, "i4"), np.zeros(1)) as (four, many, ints, one):
        for call, theirs, exact in (
            (lambda: shmem.free(gone), KeyError, ValueError), (lambda: shmem.del_array(gone), KeyError, ValueError),
            (lambda: shmem.free(bytes_gone), KeyError, ValueError),
            (lambda: shmem.free(np.zeros(3)), AssertionError, ValueError),
            (lambda: shmem.put(four, ints, 0), AssertionError, TypeError),
            (lambda: shmem.sum_reduce(four, ints), AssertionError, TypeError),
            (lambda: shmem.put(four, many, 0, 5), AssertionError, ValueError),
            (lambda: shmem.iget(np.zeros(4), four, 0, 2, 2, 3), AssertionError, ValueError),
            (lambda: shmem.atomic_set(four, 1, 0), AssertionError, ValueError),
            (lambda: shmem.test(four, "==", 1), AssertionError, ValueError),
            (lambda: shmem.test_all(ints, "==", 1, [0]), AssertionError, ValueError),
            (lambda: shmem.fcollect(four, many), AssertionError, ValueError),
            (lambda: shmem.alltoall(many, many[:0], 1), AssertionError, ValueError),
            (lambda: shmem.atomic_add(one, 1, 0), AttributeError, TypeError),
            (lambda: shmem.test(one, "==", 1), AttributeError, TypeError),
            (lambda: shmem.and_reduce(four, four), AttributeError, TypeError),
            (team.my_pe, RuntimeError, ValueError), (shmem.TEAM_INVALID.n_pes, RuntimeError, ValueError),
            (team.sync, RuntimeError, ValueError), (team.create_ctx, RuntimeError, ValueError),
            (ctx.get_team, RuntimeError, ValueError), (shmem.CTX_INVALID.get_team, RuntimeError, ValueError),
            (lambda: shmem.Ctx.create(64), RuntimeError, ValueError),
            (lambda: shmem.TEAM_WORLD.split_strided(size=99), RuntimeError, ValueError),
            (lambda: shmem.TEAM_WORLD.translate_pe(99), RuntimeError, ValueError),
        ):
            with pytest.raises(theirs) as caught:
                call()
            assert isinstance(caught.value, exact)
            assert str(caught.value) == caught.value.args[0] and ": " in str(caught.value)
            again = pickle.loads(pickle.dumps(caught.value))
            assert (type(again), str(again)) == (type(caught.value), str(caught.value))
            assert getattr(shmem, type(again).__name__) is type(again)


def names_of_calls():
    """Begin the text with the function that was called, though another one does its work."""
    lock, team, gone = shmem.Lock(), shmem.TEAM_WORLD.split_strided(), shmem.zeros(3)
    lock.destroy()
    team.destroy()
    shmem.free(gone)
    must_be = "expected a sequence of integers|cannot be interpreted as an integer"
    for call, kind, words in (
        (lambda: shmem.del_array(gone), KeyError, "del_array: the memory at .* is freed already"),
        (lambda: shmem.del_array([1]), TypeError, "del_array: a is of type list: must be a symmetric array"),
        (lambda: shmem.del_signal(np.zeros(1, "u8")), shmem.NotSymmetricError, "del_signal: signal is not symmetric"),
        (lambda: shmem.del_lock(5), TypeError, "del_lock: lock is of type int: must be a symmetric array"),
        (lambda: shmem.full(2, None), TypeError, "full: dtype = object: elements are Python objects"),
        (lambda: shmem.ones(2, "O"), TypeError, "ones: dtype = object: elements are Python objects"),
        (lambda: shmem.array([{}]), TypeError, "array: dtype = object: elements are Python objects"),
        (lambda: shmem.full(3.0, 1), TypeError, r"full: shape = 3\.0: must be an integer or a tuple"),
        (lambda: shmem.full("3", 1), TypeError, "full: shape = '3': must be an integer or a tuple"),
        (lambda: shmem.ones(-1), ValueError, "ones: shape = -1: .*must be non-negative"),
        (lambda: shmem.full(2, [1, 2, 3]), ValueError, "full: shape = 2: operands could not be broadcast"),
        (lambda: shmem.zeros(3.0), TypeError, r"zeros: shape = 3\.0: .*(" + must_be + ")"),
        (lambda: shmem.empty("3"), TypeError, f"empty: shape = '3': .*({must_be})"),
        (lambda: shmem.zeros(3, "q9"), TypeError, "zeros: dtype = 'q9': .* not understood"),
        (lambda: shmem.zeros(3, int, "X"), ValueError, "zeros: order = 'X': must be 'C' or 'F'"),
        (lambda: shmem.zeros(3, int, "K"), ValueError, "zeros: order = 'K': must be 'C' or 'F'"),
        (lambda: shmem.zeros(3, int, 5), TypeError, "zeros: order = 5: must be 'C' or 'F'"),
        (lambda: team.create_ctx(), shmem.HandleError, "create_ctx: team is destroyed"),
        (lambda: shmem.TEAM_WORLD.create_ctx(64), shmem.HandleError, "create_ctx: options = 64: must be made of"),
        (lambda: shmem.Ctx.create(team=team), shmem.HandleError, "create: team is destroyed"),
        (lock.acquire, shmem.NotSymmetricError, "acquire: the memory of lock is freed"),
        (lambda: lock.acquire(False), shmem.NotSymmetricError, "acquire: the memory of lock is freed"),
    ):  # fmt: skip
        with pytest.raises(kind, match=f"^{words}"):
            call()
    assert lock.destroy() is None


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize("function", [wrong_arrays, wrong_numbers, wrong_calls, as_in_shmem4py, names_of_calls])
def test_wrong_arguments(pes, count, function):
    pes(count, function)


# Before and after ---------------------------------------------------------------------------------

OUTSIDE = """
import numpy as np
from ucxx import shmem
shmem.rc.initialize = False
own, one, signal = np.zeros(4), np.zeros((), np.int64), np.zeros((), np.uint64)
CALLS = [
    lambda: shmem.my_pe(), lambda: shmem.n_pes(), lambda: shmem.zeros(3), lambda: shmem.ones(3), lambda: shmem.alloc(3),
    lambda: shmem.put(array, own, 0), lambda: shmem.get(own, array, 0), lambda: shmem.iput(array, own, 0),
    lambda: shmem.p(one, 1, 0), lambda: shmem.g(one, 0), lambda: shmem.atomic_inc(one, 0),
    lambda: shmem.atomic_fetch_add_nbi(one, one, 1, 0), lambda: shmem.put_signal(array, own, 0, signal, 1, "set"),
    lambda: shmem.signal_fetch(signal), lambda: shmem.signal_wait_until(signal, "==", 0), lambda: shmem.new_signal(),
    lambda: shmem.wait_until(one, "==", 0), lambda: shmem.test_any(one, "==", 0), lambda: shmem.barrier_all(),
    lambda: shmem.sync_all(), lambda: shmem.sync(), lambda: shmem.fence(), lambda: shmem.quiet(), lambda: shmem.pe_quiet([0]),
    lambda: shmem.broadcast(array, array, 0), lambda: shmem.collect(array, array), lambda: shmem.sum_reduce(array, array),
    lambda: shmem.set_lock(one), lambda: shmem.test_lock(one), lambda: shmem.Lock(), lambda: shmem.Ctx.create(),
    lambda: shmem.TEAM_WORLD.split_strided(0, 1, 1), lambda: shmem.TEAM_WORLD.sync(), lambda: shmem.CTX_DEFAULT.quiet(),
    lambda: shmem.ptr(array, 0), lambda: shmem.team_ptr(shmem.TEAM_WORLD, array, 0), lambda: shmem.free(array),
    lambda: shmem.pe_accessible(0), lambda: shmem.addr_accessible(own, 0), lambda: shmem.query_thread(),
    lambda: shmem.pcontrol(), lambda: shmem.session_start(), lambda: shmem.session_stop(), lambda: shmem.finalize(),
    lambda: shmem.new_lock(), lambda: shmem.full(3, 1), lambda: shmem.array([1]), lambda: shmem.del_lock(own),
    lambda: shmem.global_exit(0),
]

def refused(words):
    for number, call in enumerate(CALLS):
        try:
            call()
        except RuntimeError as error:
            assert str(error).endswith(words), error
        else:
            raise AssertionError(f"call {number} has done something")

array = own
refused(": the library is not initialised: call init() first")
assert not shmem.query_initialized() and not shmem.TEAM_WORLD and not shmem.CTX_DEFAULT
shmem.init()
assert shmem.query_initialized() and shmem.TEAM_WORLD and shmem.CTX_DEFAULT
array, signal, one = shmem.ones(4), shmem.new_signal(), shmem.new_lock()
team, ctx = shmem.TEAM_WORLD.split_strided(), shmem.Ctx.create()
shmem.finalize()
refused(": the library was finalised")
assert len(array.tolist()) == 4 and not team and not ctx and not shmem.TEAM_WORLD
shmem.init()
shmem.init()
for call, words in ((lambda: shmem.put(array, own, 0), "the memory of target went with the finalize since"),
                    (lambda: shmem.free(array), "went with the finalize since"),
                    (lambda: shmem.quiet(ctx), "ctx "), (lambda: shmem.sync(team), "team went with the finalize since")):
    try:
        call()
    except ValueError as error:
        assert words in str(error), error
    else:
        raise AssertionError(words)
assert not team and not ctx and shmem.TEAM_WORLD.n_pes() == 1
shmem.free(shmem.zeros(3))
shmem.finalize()
assert shmem.my_pe() == 0  # the first initialisation is not undone
shmem.finalize()
refused(": the library was finalised")
print("refused")
"""


def test_calls_before_init_and_after_finalize(run_python):
    assert run_python(OUTSIDE) == (0, "refused\n")


def test_wrong_starts(run_python):
    status, said = run_python("""
from ucxx import shmem
for arguments, kind, words in (
    ({"rank": 0}, TypeError, "init: rank = 0, size = None, allgather = None: must be all given, or none"),
    ({"rank": 0, "size": 0, "allgather": list}, ValueError, "init: size = 0: must be at least 1"),
    ({"rank": 2, "size": 2, "allgather": list}, ValueError, "init: rank = 2: must be from 0 to 1"),
    ({"rank": 0, "size": 1, "allgather": 5}, TypeError, "init: allgather = 5: must be a function"),
):
    try:
        shmem.init(**arguments)
    except kind as error:
        assert str(error) == words, error
    else:
        raise AssertionError(words)
for level in (-1, 4):
    try:
        shmem.init_thread(level)
    except ValueError as error:
        assert "must be one of THREAD" in str(error), error
assert not shmem.query_initialized()
for names in ({"initialise": True}, {"initialize": "no"}, {"thread_level": "many"}, {"threads": None}):
    try:
        shmem.rc(**names)
    except (TypeError, ValueError) as error:
        assert str(error).startswith("rc: "), error
    else:
        raise AssertionError(names)
assert shmem.init_thread(shmem.rc.level) == 0
print("refused")
""")
    assert (status, said) == (0, "refused\n")
