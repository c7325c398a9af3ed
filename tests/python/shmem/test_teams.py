# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Teams: which PEs are in one, how they are numbered, what a dead one is."""

import copy
import gc
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import EXAMPLES, symmetric

from ucxx import shmem

PES = [1, 2, 3, 4]


def members_of(start, stride, size):
    """Split a team off; return its members by their numbers in the world, or the error."""
    try:
        team = shmem.TEAM_WORLD.split_strided(start, stride, size)
    except shmem.HandleError as error:
        return str(error)
    place = (True, team.my_pe(), team.n_pes()) if team else (False, -1, -1)
    found = [team.translate_pe(number) for number in range(team.n_pes())] if team else []
    if team:
        assert team.translate_pe() == team.translate_pe(team=shmem.TEAM_WORLD) == shmem.my_pe()
        assert shmem.TEAM_WORLD.translate_pe(team=team) == team.my_pe()
        assert repr(team) == f"<Team: PE {place[1]} of {place[2]}>"
        team.destroy()
    assert not team and repr(team) == "<Team: none>" and team.get_config() == {"num_contexts": 0}
    for ask in (team.my_pe, team.n_pes):
        with pytest.raises(RuntimeError, match=f"^{ask.__name__}: team is (destroyed|TEAM_INVALID, or)"):
            ask()
    return place, found


@EXAMPLES
@given(count=st.sampled_from(PES), start=st.integers(-1, 4), stride=st.integers(-3, 3),
       size=st.none() | st.integers(-1, 5))  # fmt: skip
def test_split_strided(pes, count, start, stride, size):
    found = pes(count, members_of, start, stride, size)
    if size is None:
        line = [start] if stride == 0 else range(start, count if stride > 0 else -1, stride)
        members = list(line) or [start]
    else:
        members = [start + number * stride for number in range(size)]
    is_right = (members and all(0 <= pe < count for pe in members) and len(set(members)) == len(members)
                and (stride != 0 or len(members) == 1))
    for pe, one in enumerate(found):
        if not is_right:
            assert f"start = {start}, stride = {stride}, size = " in one and "has no such part" in one
        elif pe in members:
            assert one == ((True, members.index(pe), len(members)), members)
        else:
            assert one == ((False, -1, -1), [])


def rows_and_columns():
    """Split in two dimensions."""
    me, pes = shmem.my_pe(), shmem.n_pes()
    for xrange in (1, 2, pes, pes + 3):
        row, column = shmem.TEAM_WORLD.split_2d(xrange, xconfig={"num_contexts": 1}, yconfig=None)
        width = min(xrange, pes)
        assert (row.my_pe(), column.my_pe()) == (me % width, me // width)
        assert row.n_pes() == min(width, pes - me // width * width)
        assert row.get_config() == {"num_contexts": 1} and column.get_config() == {"num_contexts": 0}
        for team in (row, column):
            team.sync()
            team.destroy()
    for xrange in (0, -1):
        with pytest.raises(ValueError, match=f"^split_2d: xrange = {xrange}: must be positive"):
            shmem.TEAM_WORLD.split_2d(xrange)


def of_teams():
    """Split teams of teams, with wishes; the end of a with block destroys."""
    pes = shmem.n_pes()
    with shmem.TEAM_WORLD.split_strided(config={"num_contexts": 2}) as everyone:
        assert everyone.get_config() == {"num_contexts": 2}
        assert everyone.n_pes() == pes and everyone != shmem.TEAM_WORLD
        with everyone.split_strided(pes - 1, -1, num_contexts=1) as backwards:
            assert isinstance(backwards, shmem.Team) and backwards.get_config() == {"num_contexts": 1}
            assert backwards.translate_pe(0, everyone) == pes - 1
            assert backwards.translate_pe(pe=0) == pes - 1
    assert not everyone and not backwards
    for name, kind, words in (("contexts", TypeError, "there is no wish 'contexts': there is num_contexts"),
                              ("num_contexts", ValueError, "num_contexts = -1: must not be negative")):  # fmt: skip
        with pytest.raises(kind, match=words):
            shmem.TEAM_WORLD.split_strided(**{name: -1})


def predefined():
    """Look at those that are always there."""
    me, pes = shmem.my_pe(), shmem.n_pes()
    for team in (shmem.TEAM_WORLD, shmem.TEAM_SHARED):
        assert team and (team.my_pe(), team.n_pes()) == (me, pes)
        with team as entered:
            assert entered is team
        team.destroy()
        assert team
    shmem.TEAM_INVALID.destroy()
    assert not shmem.TEAM_INVALID
    assert shmem.TEAM_WORLD == shmem.TEAM_WORLD != shmem.TEAM_INVALID
    assert shmem.TEAM_WORLD != 1 and shmem.TEAM_WORLD.__hash__ is None
    for make in (lambda: object.__new__(shmem.Team), lambda: object.__new__(shmem.Ctx), lambda: shmem.Team(5),
                 lambda: shmem.Team(shmem.CTX_DEFAULT), lambda: shmem.Team("world"), lambda: shmem.Team(None, 1),
                 lambda: pickle.loads(pickle.dumps(shmem.TEAM_WORLD))):
        with pytest.raises(TypeError):
            make()


def dead():
    """Use what is destroyed."""
    team = shmem.TEAM_WORLD.split_strided()
    ctx = team.create_ctx()
    team.destroy()
    assert not team and not ctx and team == shmem.TEAM_INVALID and ctx == shmem.CTX_INVALID
    with symmetric(np.zeros(4), np.zeros(4)) as (target, source):
        for use in (team.my_pe, team.n_pes, team.sync, team.split_strided, team.create_ctx, team.translate_pe,
                    lambda: team.split_2d(1), lambda: shmem.sync(team), lambda: shmem.collect(target, source, team=team),
                    lambda: shmem.team_ptr(team, target, 0), lambda: shmem.Ctx.create(team=team),
                    lambda: shmem.TEAM_WORLD.translate_pe(0, team), lambda: shmem.sync(shmem.TEAM_INVALID)):
            with pytest.raises(shmem.HandleError, match=r"(team|other) is (destroyed|TEAM_INVALID, or one that)"):
                use()
        for use in (lambda: shmem.put(target, source, 0, ctx=ctx), ctx.quiet, ctx.fence, ctx.get_team):
            with pytest.raises(shmem.HandleError, match=r"ctx went with its team"):
                use()
    team.destroy()
    ctx.destroy()
    ctx.quiet()
    assert team.get_config() == {"num_contexts": 0}
    with pytest.raises(TypeError, match="^sync: team = 'world': must be a Team"):
        shmem.sync("world")
    for pe in (-1, shmem.n_pes(), 2**40):
        with pytest.raises(RuntimeError, match=f"^translate_pe: pe = {pe}: must be from 0 to"):
            shmem.TEAM_WORLD.translate_pe(pe)
    shmem.barrier_all()


def another_object():
    """Make further objects of a team: they are destroyed together, but for those of predefined ones."""
    assert shmem.Team() == shmem.Team(None) == shmem.TEAM_INVALID and not shmem.Team()
    for team in (shmem.TEAM_WORLD, shmem.TEAM_SHARED):
        with shmem.Team(team) as once_more:
            assert once_more == team and once_more is not team and once_more.n_pes() == shmem.n_pes()
            ctx = once_more.create_ctx()
        assert not once_more and team and once_more == shmem.TEAM_INVALID
        assert ctx.get_team() == team
        ctx.destroy()
        once_more.destroy()
    first = shmem.TEAM_WORLD.split_strided(NUM_CONTEXTS=1)
    second = shmem.Team(shmem.Team(team=first))
    ctx = second.create_ctx()
    assert second == first and ctx.get_team() == first and second.get_config() == {"num_contexts": 1}
    second.sync()
    second.destroy()
    assert not first and not second and not ctx and first == second
    first.destroy()
    del first, second
    gc.collect()
    assert not ctx


def copied():
    """Copy a team and a context: it is the same one once more."""
    with shmem.TEAM_WORLD.split_strided() as team, team.create_ctx() as ctx:
        for handle in (team, ctx, shmem.TEAM_WORLD, shmem.TEAM_INVALID, shmem.CTX_DEFAULT, shmem.CTX_INVALID):
            for same in (copy.copy(handle), copy.deepcopy([handle])[0]):
                assert same == handle and same is not handle and type(same) is type(handle)
                assert same.handle == handle.handle and bool(same) is bool(handle)
        copy.copy(team).sync()
    assert copy.deepcopy(team) == shmem.TEAM_INVALID
    copy.copy(shmem.TEAM_WORLD).destroy()
    assert shmem.TEAM_WORLD


def of_another_team():
    """Translate the number of a PE that the other team has not."""
    pes = shmem.n_pes()
    first = shmem.TEAM_WORLD.split_strided(0, 1, 1)
    if first and pes > 1:
        with pytest.raises(shmem.HandleError, match="^translate_pe: pe = 1: is no member of the other team"):
            shmem.TEAM_WORLD.translate_pe(1, first)
        assert shmem.TEAM_WORLD.translate_pe(0, first) == 0
    first.destroy()


def many():
    """Make and drop more than there can be at once."""
    for _ in range(200):
        with shmem.TEAM_WORLD.split_strided(), shmem.Ctx.create():
            pass
    kept = shmem.TEAM_WORLD.split_strided().create_ctx()
    gc.collect()
    assert kept and kept.get_team().n_pes() == shmem.n_pes()
    kept.get_team().destroy()


@pytest.mark.parametrize("count", PES)
@pytest.mark.parametrize("function", [rows_and_columns, of_teams, predefined, dead, another_object, copied,
                                      of_another_team, many])
def test_teams(pes, count, function):
    pes(count, function)


EXHAUSTED = """
from ucxx import shmem

teams = [shmem.TEAM_WORLD.split_strided() for _ in range(16382)]
for split in (shmem.TEAM_WORLD.split_strided, lambda: shmem.TEAM_WORLD.split_2d(1)):
    try:
        split()
    except RuntimeError as error:
        print(error)
for team in teams[:2]:
    team.destroy()
assert all(shmem.TEAM_WORLD.split_2d(1))
"""


def test_more_teams_than_there_can_be(run_python):
    words = ("there is no room for one more team: destroy some of those that this program has; a job has 16384 at most, "
             "TEAM_WORLD and TEAM_SHARED included")
    assert run_python(EXHAUSTED) == (0, f"split_strided: {words}\nsplit_2d: {words}\n")
