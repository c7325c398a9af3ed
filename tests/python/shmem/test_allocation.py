# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Symmetric memory and arrays: made, looked at from other PEs, freed."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import ALL, EXAMPLES, content, native, same, symmetric

from ucxx import _shmem, shmem

PES = [1, 2, 3, 4]
MAKERS = {"zeros": 0, "ones": 1, "empty": None, "new_array": 0}


def make(name, shape, dtype, order, more):
    """Make an array; return what it is like, beside that of NumPy."""
    made = getattr(shmem, name)(shape, dtype, order, **more)
    at = made.ctypes.data
    seen = (type(made), made.shape, made.dtype, made.flags.c_contiguous, made.flags.f_contiguous,
            made.flags.writeable, made.flags.owndata, at % max(16, more.get("align") or 0))
    values = np.array(made)
    shmem.free(made)
    return seen, values


@EXAMPLES
@given(name=st.sampled_from(list(MAKERS)), shape=st.integers(0, 5) | st.lists(st.integers(0, 4), max_size=4),
       dtype=st.sampled_from(ALL), order=st.sampled_from("CF"), align=st.sampled_from([None, 8, 64, 4096]),
       hints=st.sampled_from([None, 0, 1, 2, 3]))  # fmt: skip
def test_makers(pes, name, shape, dtype, order, align, hints):
    if name == "ones" and dtype.kind in "SUVM":
        name = "zeros"
    more = {"align": align} if align else {"hints": hints}
    like = np.ones(shape, dtype, order) if name == "ones" else np.zeros(shape, dtype, order)
    for seen, values in pes(2, make, name, shape, dtype, order, more):
        assert seen == (np.ndarray, like.shape, dtype, like.flags.c_contiguous, like.flags.f_contiguous,
                        True, False, 0)  # fmt: skip
        if MAKERS[name] is not None:
            same(values, like.astype(native(dtype)))


def defaults():
    """Leave arguments out, and give all by name."""
    for made, like in (
        (shmem.zeros(3), np.zeros(3)),
        (shmem.ones(shape=(2, 3), dtype=int, order="F", align=64), np.ones((2, 3), int)),
        (shmem.new_array(()), np.zeros(())),
        (shmem.new_array(3, clear=False, hints=shmem.MALLOC_ATOMICS_REMOTE), None),
        (shmem.empty(np.int64(4), "f4", "C", hints=None), None),
        (shmem.zeros([2, 2], dtype="i4,f8"), np.zeros((2, 2), "i4,f8")),
        (shmem.zeros(2, ("i4", (3,))), np.zeros((2, 3), "i4")),
        (shmem.zeros(3, align=0), np.zeros(3)),
        (shmem.zeros(3, align=2**26), np.zeros(3)),
        (shmem.full(3, 7), np.full(3, 7)),
        (shmem.full((2, 3), [1.5, 2, 3], np.float32, "F"), np.full((2, 3), [1.5, 2, 3], "f")),
        (shmem.full(shape=(), fill_value=True, dtype=None, order="C", align=8), np.full((), True)),
        (shmem.full(2, (1, 2.5), "i4,f8"), np.array([(1, 2.5)] * 2, "i4,f8")),
        (shmem.array(5), np.array(5)),
        (shmem.array([[1, 2], [3, 4]], "c8", order="F", hints=1), np.array([[1, 2], [3, 4]], "c8")),
        (shmem.array(obj="abc"), np.array("abc")),
        (shmem.array(np.matrix([[1, 2]])), np.array([[1, 2]])),
        (shmem.array(range(5)), np.arange(5)),
    ):
        assert type(made) is np.ndarray
        if like is not None:
            same(made, like)
        shmem.del_array(made) if made.ndim else shmem.free(mem=made)
    with symmetric(np.zeros((2, 3), order="F")) as kept:
        assert kept.flags.fnc
    for order, is_fortran in (("C", False), ("A", True), ("K", True), ("F", True)):
        made = shmem.array(np.zeros((2, 3), order="F"), order=order)
        assert made.flags.fnc == is_fortran
        shmem.free(made)


def raw_memory():
    """Allocate bytes, and arrays over them."""
    for memory, count in ((shmem.alloc(10), 10), (shmem.alloc(5, 8), 40), (shmem.alloc(count=0), 0),
                          (shmem.alloc(3, size=2, align=4096, clear=True), 6), (shmem.alloc(8, hints=2), 8)):
        assert isinstance(memory, memoryview) and (memory.nbytes, memory.format, memory.readonly) == (count, "B", False)
        assert bytes(memory) == bytes(count)
        assert shmem.fromalloc(memory, dtype="u1").shape == (count,)
        if count % 8 == 0:
            assert (shmem.fromalloc(memory).shape, shmem.fromalloc(memory).dtype) == ((count // 8,), float)
        else:
            with pytest.raises(ValueError, match=f"^fromalloc: mem has {count} bytes: must be a multiple of the 8 of"):
                shmem.fromalloc(memory)
        shmem.free(memory)
    memory = shmem.alloc(48)
    table = shmem.fromalloc(memory, (2, 3), np.float64, "F")
    assert table.flags.fnc and table.dtype == float
    assert shmem.fromalloc(mem=memory, shape=None, dtype="i4", order="C").shape == (12,)
    me, pes = shmem.my_pe(), shmem.n_pes()
    shmem.put(table, np.full((2, 3), me + 1.0), (me + 1) % pes)
    shmem.barrier_all()
    assert np.frombuffer(memory, float).tolist() == [(me - 1) % pes + 1.0] * 6
    assert np.asarray(memory[8:16]).view("f8") == (me - 1) % pes + 1.0
    for arguments, kind, words in (
        ((b"bytes",), TypeError, "^fromalloc: mem is of type bytes: must be a memoryview of alloc"),
        ((memory, None, object), TypeError, "^fromalloc: dtype = object: elements are Python objects"),
        ((memory, 7), shmem.SizeError, "^fromalloc: shape = 7 of dtype float64 has 56 bytes: mem has 48"),
        ((memory, (2, 5), "i8"), shmem.SizeError, r"^fromalloc: shape = \(2, 5\) of dtype int64 has 80 bytes: mem has 48"),
        ((memory, 2.0), TypeError, r"^fromalloc: shape = 2\.0: "),
        ((memory, -1), ValueError, "^fromalloc: shape = -1: "),
    ):
        with pytest.raises(kind, match=words):
            shmem.fromalloc(*arguments)
    shmem.free(table)  # the same memory
    with pytest.raises(ValueError, match="^free: the memory at 0x[0-9a-f]+ is freed already"):
        shmem.free(memory)


def free_wrongly():
    """Free what is freed, a part, or no symmetric memory."""
    memory = shmem.alloc(32)
    with pytest.raises(ValueError, match="^free: mem begins 8 bytes after its memory does: give the array itself"):
        shmem.free(memory[8:])
    with pytest.raises(ValueError, match="^free: mem begins 24 bytes after"):
        shmem.free(shmem.fromalloc(memory, 4, float)[::-1])
    for wrong, kind, words in (
        (np.zeros(3), ValueError, "is not symmetric: it was not allocated here"),
        (memoryview(bytearray(3)), ValueError, "is not symmetric"),
        (None, TypeError, "is of type NoneType: must be a symmetric array, or a memoryview of alloc"),
        (np.float64(1), TypeError, "is of type numpy.float64: must be"),
    ):
        with pytest.raises(kind, match=f"^free: mem {words}"):
            shmem.free(wrong)
    copy = memoryview(memory)
    memory.release()
    with pytest.raises(ValueError, match="or is a memoryview that was released"):
        shmem.free(memory)
    shmem.free(copy)
    gone = shmem.alloc(8)
    kept = np.frombuffer(gone, np.uint8)
    gone.release()
    shmem.free(kept)


def use_freed():
    """Use each kind of view of memory that is freed."""
    array = shmem.zeros((4, 4))
    memory = memoryview(array)
    views = [array, array[1:], array.T, array.view(np.matrix), np.asarray(memory), array.view(np.recarray)]
    shmem.free(array)
    for view in views:
        for call in (lambda view=view: shmem.put(view, np.zeros((4, 4)), 0),
                     lambda view=view: shmem.get(np.zeros((4, 4)), view, 0)):
            with pytest.raises(ValueError, match=r"the memory of (target|source) is freed"):
                call()
    array[...] = 1  # neither right nor a crash


def wrong_arguments():
    """Ask for what there cannot be. Nothing of it stays allocated."""
    before = _shmem.left()
    for call, kind, words in (
        (lambda: shmem.zeros(-1), ValueError, "^zeros: shape has the dimension -1: must not be negative"),
        (lambda: shmem.zeros((2, 1.5)), TypeError, ""),
        (lambda: shmem.zeros("ab"), TypeError, ""),
        (lambda: shmem.zeros([1] * 99), ValueError, ""),
        (lambda: shmem.zeros(2, "no such"), TypeError, ""),
        (lambda: shmem.zeros(2, object), TypeError, "^zeros: dtype = object: elements are Python objects"),
        (lambda: shmem.zeros(2, [("a", "O")]), TypeError, "^zeros: dtype = .*: elements are Python objects"),
        (lambda: shmem.zeros(2, float, "X"), ValueError, ""),
        (lambda: shmem.empty(2, order="K"), ValueError, "^empty: order = 'K': must be 'C' or 'F'"),
        (lambda: shmem.zeros(2, float, "C", 8), TypeError, "^zeros: 4 arguments by position, but it takes 3 at most"),
        (lambda: shmem.zeros((2**40, 2**40)), MemoryError, "^zeros: so many bytes do not fit an address"),
        (lambda: shmem.zeros((0, 2**40, 2**40)), ValueError, ""),
        (lambda: shmem.zeros(2**70), (OverflowError, ValueError), ""),
        (lambda: shmem.zeros(2, align=3), ValueError, r"^zeros: align = 3: must be 0, or a power of two from 8 to 67108864 \(64 MiB\)$"),
        (lambda: shmem.zeros(2, align=4), ValueError, "^zeros: align = 4: must be 0, or a power of two"),
        (lambda: shmem.zeros(2, align=-8), ValueError, "^zeros: align = -8: must be"),
        (lambda: shmem.zeros(3, align=2**27), ValueError, "^zeros: align = 134217728: must be 0, or a power of two from"),
        (lambda: shmem.alloc(3, align=2**27), ValueError, "^alloc: align = 134217728: must be 0, or a power of two from"),
        (lambda: shmem.alloc(-1), ValueError, "^alloc: count = -1: must not be negative"),
        (lambda: shmem.alloc(1, -2), ValueError, "^alloc: size = -2: must not be negative"),
        (lambda: shmem.alloc(2**62, 4), MemoryError, "^alloc: so many bytes"),
        (lambda: shmem.alloc(2**64), OverflowError, "^alloc: count = .*: must be an integer of 64 bits"),
        (lambda: shmem.alloc(1.0), TypeError, r"^alloc: count = 1\.0: must be an integer"),
        (lambda: shmem.full(2, [1, 2, 3]), ValueError, "broadcast"),
        (lambda: shmem.full(2, "a", float), ValueError, "could not convert"),
        (lambda: shmem.full(2, 2**64, np.uint8), OverflowError, ""),
        (lambda: shmem.ones(2, object), TypeError, "elements are Python objects"),
        (lambda: shmem.array([1, None]), TypeError, "elements are Python objects"),
        (lambda: shmem.array([1], order="X"), ValueError, "^array: order = 'X': must be 'C', 'F', 'A' or 'K'"),
    ):
        with pytest.raises(kind, match=words):
            call()
    for dtype in (str, bytes):  # of no bytes, which NumPy's own functions make one character of
        try:
            made = shmem.zeros(2, dtype)
        except (TypeError, ValueError):
            continue
        shmem.free(made)
    assert _shmem.left() == before
    shmem.barrier_all()


def exhaust():
    """Ask for more than there is, all at once or in the end; go on with what was freed."""
    with pytest.raises(MemoryError, match="^zeros: the symmetric heap has no room for 8796093022208 bytes on all PEs: "
                                          "SHMEM_SYMMETRIC_SIZE in the environment"):
        shmem.zeros(2**40)
    with pytest.raises(MemoryError, match="^alloc: the symmetric heap has no room"):
        shmem.alloc(2**43, align=4096)
    blocks = []
    try:
        while True:
            blocks.append(shmem.empty(8 << 20, np.uint8))
    except MemoryError:
        pass
    for block in blocks:
        shmem.free(block)
    again = shmem.empty(8 << 20, np.uint8)
    shmem.free(again)
    return len(blocks)


# Of other PEs -----------------------------------------------------------------------------------


def look_at_others():
    """Read and write another PE's array directly."""
    me, pes = shmem.my_pe(), shmem.n_pes()
    right = (me + 1) % pes
    with symmetric(content("i", (4, 6), me)) as mine:
        for view in (mine, mine[1:, ::-2], mine.T, mine[0, 0, ...], mine.view(np.recarray), mine[:0]):
            for theirs in (shmem.ptr(view, right), shmem.ptr(target=view, pe=right),
                           shmem.team_ptr(shmem.TEAM_WORLD, view, right), shmem.team_ptr(team=shmem.TEAM_WORLD, target=view, pe=right)):
                assert type(theirs) is np.ndarray and theirs.strides == view.strides
                full = content("i", (4, 6), right)
                wanted = {(4, 6): full, (3, 3): full[1:, ::-2], (6, 4): full.T, (): full[0, 0, ...], (0, 6): full[:0]}
                same(theirs, wanted[theirs.shape])
        shmem.barrier_all()
        theirs = shmem.ptr(mine, right)
        theirs[0, 0] = 1000 + me
        shmem.barrier_all()
        assert mine[0, 0] == 1000 + (me - 1) % pes
        own = shmem.ptr(mine, me)
        assert own.ctypes.data == mine.ctypes.data
        for call in (lambda: shmem.put(theirs, mine, 0), lambda: shmem.get(mine, theirs[1:], 0),
                     lambda: shmem.atomic_inc(theirs[0, 0, ...], 0), lambda: shmem.sum_reduce(theirs, mine),
                     lambda: shmem.ptr(theirs, 0), lambda: shmem.wait_until(theirs[0, 0, ...], "==", 0)):
            with pytest.raises(ValueError, match=r"is the memory of another PE, from ptr\(\): give the symmetric array"):
                call()
        with pytest.raises(ValueError, match="^free: mem is not symmetric"):
            shmem.free(theirs)
        reads_alone = mine[...]
        reads_alone.flags.writeable = False
        assert not shmem.ptr(reads_alone, right).flags.writeable
    with pytest.raises(ValueError, match="^ptr: target is not symmetric"):
        shmem.ptr(np.zeros(3), 0)


def questions():
    """Ask who can be reached."""
    pes = shmem.n_pes()
    assert [shmem.pe_accessible(pe) for pe in (-1, 0, pes - 1, pes, 2**40)] == [False, True, True, False, False]
    with symmetric(np.zeros(3)) as array:
        assert shmem.addr_accessible(array, pes - 1) is True
        assert shmem.addr_accessible(addr=array[1:], pe=0) is True
        assert shmem.addr_accessible(np.zeros(3), 0) is False
        with pytest.raises(TypeError, match="^addr_accessible: addr is of type int"):
            shmem.addr_accessible(array.ctypes.data, 0)
        assert type(pickle.loads(pickle.dumps(array))) is np.ndarray
    assert shmem.info_get_version() == (shmem.MAJOR_VERSION, shmem.MINOR_VERSION) >= (1, 4)
    assert shmem.info_get_name() == shmem.VENDOR_STRING
    assert shmem.query_thread() is shmem.THREAD_SINGLE and shmem.query_initialized() is True
    for level in (None, 0, 1, 2):
        assert (shmem.pcontrol() if level is None else shmem.pcontrol(level=level)) is None


@pytest.mark.parametrize("count", PES)
@pytest.mark.parametrize("function", [defaults, raw_memory, free_wrongly, use_freed, wrong_arguments, look_at_others,
                                      questions])
def test_memory(pes, count, function):
    pes(count, function)


@pytest.mark.parametrize("count", [1, 3])
def test_exhausted_heap_is_an_error_on_all(pes, count):
    (blocks,) = set(pes(count, exhaust))
    assert blocks > 2
