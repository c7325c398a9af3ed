# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Collectives that move data, barriers, and the order of memory."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import ALL, EXAMPLES, content, native, same, symmetric

from ucxx import shmem

PES = [1, 2, 3, 4]
TYPES = st.sampled_from(ALL)
COUNTS = st.sampled_from([1, 2, 3])


def call(name, target, *args, **kwargs):
    """Call a collective of blank targets and this PE's source; return the target."""
    me = shmem.my_pe()
    dtype, length, size = target
    blank, mine = np.zeros(size, dtype), content(dtype, length[me] if isinstance(length, list) else length, me)
    with symmetric(blank) as out:
        memory = shmem.zeros(max(length) if isinstance(length, list) else length, dtype)
        memory[:len(mine)] = mine
        if name == "collect":
            kwargs["size"] = len(mine)
        assert getattr(shmem, name)(out, memory, *args, **kwargs) is None
        result = np.array(out)
        shmem.barrier_all()
        shmem.free(memory)
    return result


def check(pes, count, name, dtype, length, size, wanted, *args, **kwargs):
    """Compare what each PE has got with `wanted(pe, sources, blank)`."""
    lengths = length if isinstance(length, list) else [length] * count
    sources = [content(dtype, length, pe) for pe, length in enumerate(lengths)]
    found = pes(count, call, name, (dtype, length, size), *args, **kwargs)
    for pe, one in enumerate(found):
        blank = np.zeros(size, dtype)
        wanted(pe, sources, blank)
        same(one, blank.astype(native(dtype)))


@EXAMPLES
@given(count=COUNTS, dtype=TYPES, lengths=st.tuples(st.integers(0, 20), st.integers(0, 20)), data=st.data())
def test_broadcast(pes, count, dtype, lengths, data):
    root = data.draw(st.integers(0, count - 1), label="root")
    size = data.draw(st.none() | st.integers(0, min(lengths)), label="size")
    part = min(lengths) if size is None else size

    def wanted(pe, sources, blank):
        blank[:part] = sources[root][:part]

    check(pes, count, "broadcast", dtype, lengths[0], lengths[1], wanted, root, size)


@EXAMPLES
@given(count=COUNTS, dtype=TYPES, length=st.integers(0, 20), more=st.integers(0, 3), data=st.data())
def test_fcollect(pes, count, dtype, length, more, data):
    size = data.draw(st.none() | st.integers(0, length), label="size")
    part = length if size is None else size

    def wanted(pe, sources, blank):
        blank[:part * count] = np.concatenate([source[:part] for source in sources])

    check(pes, count, "fcollect", dtype, length, part * count + more, wanted, size)


@EXAMPLES
@given(count=COUNTS, dtype=TYPES, lengths=st.lists(st.integers(0, 9), min_size=3, max_size=3),
       more=st.integers(0, 3))  # fmt: skip
def test_collect(pes, count, dtype, lengths, more):
    lengths = lengths[:count]

    def wanted(pe, sources, blank):
        blank[:sum(lengths)] = np.concatenate(sources)

    check(pes, count, "collect", dtype, lengths, sum(lengths) + more, wanted)


@EXAMPLES
@given(count=COUNTS, dtype=TYPES, each=st.integers(0, 6), more=st.integers(0, 3), is_given=st.booleans())
def test_alltoall(pes, count, dtype, each, more, is_given):
    length = each * count

    def wanted(pe, sources, blank):
        blank[:length] = np.concatenate([source[pe * each:(pe + 1) * each] for source in sources])

    check(pes, count, "alltoall", dtype, length + more, length if not is_given else length + more, wanted,
          each if is_given else None)


@EXAMPLES
@given(count=COUNTS, dtype=TYPES, each=st.integers(0, 5), tst=st.integers(1, 4), sst=st.integers(1, 4),
       is_given=st.booleans())  # fmt: skip
def test_alltoalls(pes, count, dtype, each, tst, sst, is_given):
    length = each * count

    def wanted(pe, sources, blank):
        strided = [source[::sst] for source in sources]
        blank[::tst][:length] = np.concatenate([one[pe * each:(pe + 1) * each] for one in strided])

    check(pes, count, "alltoalls", dtype, max(0, (length - 1) * sst + 1) if each else 0,
          max(0, (length - 1) * tst + 1) if each else 0, wanted, tst, sst,
          each if is_given else None)  # fmt: skip


# Teams, shapes, names of arguments ---------------------------------------------------------------


def in_teams():
    """Call each in the team of every second PE, numbered backwards, with arrays of several axes."""
    me, pes = shmem.my_pe(), shmem.n_pes()
    last = (pes - 1) // 2 * 2
    team = shmem.TEAM_WORLD.split_strided(last, -2)
    members = list(range(last, -1, -2))
    assert bool(team) == (me in members) and (not team or team.my_pe() == members.index(me))
    with symmetric(np.zeros((len(members), 2, 3)), content("d", (2, 3), me), np.zeros((2, 3)),
                   order="C") as (joined, mine, one):
        if team:
            sources = np.array([content("d", (2, 3), pe) for pe in members])
            for name in ("collect", "fcollect"):
                joined[...] = 0
                team.sync()
                getattr(shmem, name)(target=joined, source=mine, size=None, team=team)
                same(joined, sources)
                shmem.sync(team)
            shmem.broadcast(target=one, source=mine, root=len(members) - 1, size=6, team=team)
            same(one, sources[-1])
        else:
            for name, more in (("collect", ()), ("fcollect", ()), ("broadcast", (0,)), ("sum_reduce", ())):
                with pytest.raises(ValueError, match=f"^{name}: team is TEAM_INVALID, or one that this PE is no"):
                    getattr(shmem, name)(one, mine, *more, team=team)
        shmem.barrier_all()
    if team:
        team.destroy()


def of_fortran_order():
    """Join arrays of Fortran's order in one of that order."""
    me, pes = shmem.my_pe(), shmem.n_pes()
    with symmetric(np.zeros((2, 3, pes)), content("i", (2, 3), me).astype(float), np.zeros((2, 3)), order="F") as (
            joined, mine, one):
        shmem.fcollect(joined, mine)
        same(joined, np.stack([content("i", (2, 3), pe) for pe in range(pes)], axis=2).astype(float))
        shmem.broadcast(one, mine, pes - 1)
        same(one, content("i", (2, 3), pes - 1).astype(float))
        shmem.barrier_all()


def large():
    """Move more than one piece of the library's."""
    me, pes = shmem.my_pe(), shmem.n_pes()
    with symmetric(np.zeros(pes * 100_000), np.zeros(pes * 100_000)) as (target, source):
        source[:] = me
        shmem.alltoall(target, source)
        same(target, np.repeat(np.arange(float(pes)), 100_000))
        shmem.barrier_all()


def barriers():
    """Order writes by each barrier, fence and quiet there is."""
    me, pes = shmem.my_pe(), shmem.n_pes()
    right, left = (me + 1) % pes, (me - 1) % pes
    syncs = [shmem.sync_all, shmem.sync, lambda: shmem.sync(None), lambda: shmem.sync(team=shmem.TEAM_WORLD),
             shmem.TEAM_WORLD.sync]
    quiets = [shmem.quiet, lambda: shmem.quiet(None), lambda: shmem.quiet(ctx=shmem.CTX_DEFAULT),
              shmem.CTX_DEFAULT.quiet, lambda: shmem.pe_quiet([right]), lambda: shmem.pe_quiet(range(pes)),
              lambda: shmem.pe_quiet(pes=np.arange(pes), ctx=None), lambda: shmem.CTX_DEFAULT.pe_quiet((right,))]
    with symmetric(np.zeros((), int), np.zeros((), int)) as (data, flag):
        for number, (quiet, sync) in enumerate(zip(quiets, syncs * 2, strict=False), 1):
            shmem.p(data, number * 10 + me, right)
            assert quiet() is None
            assert sync() is None
            assert data == number * 10 + left
            shmem.barrier_all()
        for fence in (shmem.fence, lambda: shmem.fence(None), lambda: shmem.fence(ctx=shmem.CTX_DEFAULT)):
            shmem.p(data, -1 - me, right)
            assert fence() is None
            shmem.atomic_add(flag, 1, right)
            shmem.wait_until(flag, "==", 1)
            assert data == -1 - left
            flag[...] = 0
            shmem.barrier_all()


@pytest.mark.parametrize("function", [in_teams, of_fortran_order, large, barriers])
@pytest.mark.parametrize("count", PES)
def test_collectives(pes, count, function):
    pes(count, function)


# Wrong arguments --------------------------------------------------------------------------------


def wrong_arguments():
    """Give what none of them takes. All PEs give the same, so that none waits."""
    pes = shmem.n_pes()
    with symmetric(np.zeros(12), np.zeros(12), np.zeros(12, int)) as (target, source, whole):
        with symmetric(np.zeros((3, 4)), order="F") as fortran:
            table = target.reshape(3, 4)
            for name, more in (("broadcast", (0,)), ("fcollect", ()), ("collect", ()), ("alltoall", ()),
                               ("alltoalls", ()), ("sum_reduce", ()), ("reduce", ()), ("sum_exscan", ())):  # fmt: skip
                collective = getattr(shmem, name)
                for arguments, kind, words in (
                    ((target.tolist(), source), TypeError, "target is of type list: must be a numpy.ndarray"),
                    ((target, 1.0), TypeError, "source is of type float: must be a numpy.ndarray"),
                    ((target[0], source), TypeError, "target is a NumPy scalar"),
                    ((target, whole), TypeError, "target is of dtype float64 and source of int64"),
                    ((np.zeros(12), source), ValueError, "target is not symmetric"),
                    ((target, np.zeros(12)), ValueError, "source is not symmetric"),
                    ((target[::2], source), ValueError, "target is not contiguous"),
                    ((target, source[::-1]), ValueError, "source is not contiguous"),
                    ((table, fortran), ValueError, "target and source are contiguous in different orders"),
                    ((target[:5], target[4:]), ValueError, "target and source overlap: must be apart"),
                ):
                    with pytest.raises(kind, match=f"^{name}: {words}"):
                        collective(*arguments, *more)
                with pytest.raises(ValueError, match=f"^{name}: size = {12 + 1}: must be from 0 to "):
                    collective(target, source, *more, size=13)
                with pytest.raises(TypeError, match=f"^{name}: team = 3: must be a Team"):
                    collective(target, source, *more, team=3)
                with pytest.raises(TypeError, match=rf"^{name}: size = 1\.0: must be an integer"):
                    collective(target, source, *more, size=1.0)
        for root in (-1, pes, 2**40):
            with pytest.raises(ValueError, match=f"^broadcast: root = {root}: must be from 0 to {pes - 1}"):
                shmem.broadcast(target, source, root)
        with pytest.raises(ValueError, match=rf"^fcollect: 12 elements of each of {pes} PEs: target has 11, must have"):
            shmem.fcollect(target[:11], source)
        with pytest.raises(ValueError, match="^collect: the sources of all PEs have more elements together"):
            shmem.collect(target[:11], source)
        with pytest.raises(ValueError, match="^alltoalls: tst = 0: must be at least 1"):
            shmem.alltoalls(target, source, 0)
        if pes > 1:
            with pytest.raises(ValueError, match=f"^alltoall: {pes + 1} elements for {pes} PEs: must be as many for each"):
                shmem.alltoall(target, source[:pes + 1])
        else:
            shmem.alltoalls(target, source, 2**63 - 1, 2**63 - 1)
        for pes_given in (3, [0, "1"], None):
            with pytest.raises(TypeError, match="^pe_quiet: pes = .*: must be a sequence of integers"):
                shmem.pe_quiet(pes_given)
        with pytest.raises(ValueError, match=f"^pe_quiet: pes = {pes}: must be from 0 to {pes - 1}"):
            shmem.pe_quiet([0, pes])


@pytest.mark.parametrize("count", PES)
def test_wrong_arguments(pes, count):
    pes(count, wrong_arguments)
