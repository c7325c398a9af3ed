# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""iput, iget, ibput and ibget: elements and blocks at regular distances."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import ALL, EXAMPLES, INTEGERS, NESTED, PACKED, content, native, same, symmetric

from ucxx import shmem


def places(stride, block, size):
    """Return the indices of the elements of so many blocks."""
    return (np.arange(size)[:, None] * stride + np.arange(block)).ravel()


def room(length, stride, block):
    """Return how many blocks an array has room for."""
    return 0 if length < block else (length - block) // stride + 1


def assign(target, source, tst, sst, block, size=None):
    """Do what the calls mean."""
    if size is None:
        size = min(room(len(target), tst, block), room(len(source), sst, block))
    target[places(tst, block, size)] = source[places(sst, block, size)]


def move(block_put, lengths, dtype, numbers, strides):
    """Return what a put to the next one and a get from it have made of blank arrays."""
    me, pes = shmem.my_pe(), shmem.n_pes()
    right = (me + 1) % pes
    put, get = (shmem.ibput, shmem.ibget) if block_put else (shmem.iput, shmem.iget)
    blank, full = np.zeros(lengths[0], dtype), content(dtype, lengths[1], me)
    with symmetric(blank, full) as (target, mine):
        put(target, full, right, *numbers, **strides)
        get(blank, mine, right, *numbers, **strides)
        shmem.barrier_all()
        return np.array(target), blank


def check(pes, count, lengths, dtype, meaning, move_args):
    """Compare with what NumPy makes."""
    for pe, found in enumerate(pes(count, move, *move_args)):
        for one, origin in zip(found, [(pe - 1) % count, (pe + 1) % count], strict=True):
            wanted = np.zeros(lengths[0], dtype)
            assign(wanted, content(dtype, lengths[1], origin), **meaning)
            same(one, wanted.astype(native(dtype)))


@EXAMPLES
@given(count=st.sampled_from([1, 2, 3]), target=st.integers(0, 40), source=st.integers(0, 40),
       block=st.integers(1, 5), more=st.tuples(st.integers(0, 7), st.integers(0, 7)),
       dtype=st.sampled_from(ALL), data=st.data())  # fmt: skip
def test_any_strides(pes, count, target, source, block, more, dtype, data):
    tst, sst = block + more[0], block + more[1]
    most = min(room(target, tst, block), room(source, sst, block))
    size = data.draw(st.none() | st.integers(0, most), label="size")
    meaning = {"tst": tst, "sst": sst, "block": block, "size": size}
    names = {"tst": tst, "sst": sst, "bsize": block, "size": size}
    check(pes, count, (target, source), dtype, meaning, (True, (target, source), dtype, (), names))
    if block == 1:
        numbers = (tst, sst, size)
        check(pes, count, (target, source), dtype, meaning,
              (False, (target, source), dtype, numbers, {}))


def defaults():
    """Leave arguments out."""
    me, pes = shmem.my_pe(), shmem.n_pes()
    right, left = (me + 1) % pes, (me - 1) % pes
    with symmetric(np.zeros(9, int), np.arange(9) + 10 * me) as (target, mine):
        shmem.iput(target, np.arange(9) + 10 * me, right)
        shmem.barrier_all()
        same(target, np.arange(9) + 10 * left)
        shmem.barrier_all()
        shmem.ibput(target, -mine, pe=right, tst=4, bsize=3)
        shmem.barrier_all()
        wanted = np.arange(9) + 10 * left
        wanted[places(4, 3, 2)] = -np.arange(6) - 10 * left
        same(target, wanted)
        got = np.zeros(4, int)
        shmem.iget(got, mine, right, sst=2, ctx=shmem.CTX_DEFAULT)
        same(got, np.arange(0, 8, 2) + 10 * right)
        shmem.ibget(got, mine, right, bsize=2, sst=3)
        same(got, np.array([0, 1, 3, 4]) + 10 * right)
        with shmem.Ctx.create() as ctx:
            shmem.iget(got, mine, right, 1, 1, 1, ctx)
            shmem.ibget(got, mine, right, None, None, 1, 1, ctx)
        same(got[:2], np.array([10 * right, 1 + 10 * right]))


def shapes():
    """Move arrays of several axes: flattened, in the order that both have."""
    me = shmem.my_pe()
    with symmetric(np.zeros((3, 4), order="F"), np.zeros((3, 4)), np.zeros(())) as (fortran, c, word):
        full = np.arange(12.0).reshape(3, 4)
        shmem.iput(fortran, np.asfortranarray(full), me, 2, 3)
        shmem.iput(c, full, me, 2, 3)
        shmem.iput(word, full, me)
        shmem.barrier_all()
        same(fortran.ravel("F")[::2][:4], full.ravel("F")[::3])
        same(c.ravel()[::2][:4], full.ravel()[::3])
        same(word, np.zeros(()))


def limits():
    """Give numbers at the limits of what there is."""
    me = shmem.my_pe()
    huge = 2**63 - 1
    for dtype in (INTEGERS[0], np.dtype("G"), PACKED, NESTED):
        with symmetric(np.zeros(4, dtype)) as target:
            one = content(dtype, 4, 1)
            shmem.iput(target, one, me, huge, huge)
            shmem.ibput(target, one, me, huge, huge, 4)
            shmem.iput(target, one, me, huge, huge, 0)
            shmem.ibput(target, one, me, huge, huge, bsize=huge)  # no room for one
            shmem.ibget(np.zeros(4, dtype), target, me, bsize=huge)
            shmem.barrier_all()
            same(target, one)
            for name, value in (("tst", 0), ("sst", -1), ("size", 2), ("size", -1)):
                with pytest.raises(ValueError, match=f"^iput: {name} = {value}: must be "):
                    shmem.iput(target, one, me, **{"tst": 4, name: value})
            with pytest.raises(ValueError, match="^ibput: tst = 2: must be at least 3"):
                shmem.ibput(target, one, me, tst=2, bsize=3)
            with pytest.raises(ValueError, match="^ibget: bsize = 0: must be at least 1"):
                shmem.ibget(one, target, me, bsize=0)


def orders():
    """Give arrays that are not contiguous, or in another order each."""
    with symmetric(np.zeros((3, 4)), order="F") as target:
        for call, arguments in ((shmem.iput, (target, np.zeros((3, 4)))), (shmem.iget, (np.zeros((3, 4)), target))):
            with pytest.raises(ValueError, match="target and source are contiguous in different orders"):
                call(*arguments, 0)
        with pytest.raises(ValueError, match="^iput: target is not contiguous"):
            shmem.iput(target[::2], np.zeros(3), 0)
        with pytest.raises(ValueError, match="^ibput: source is not contiguous"):
            shmem.ibput(target, np.zeros(6)[::2], 0)


@pytest.mark.parametrize("function", [defaults, shapes, limits, orders])
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_strided(pes, count, function):
    pes(count, function)
