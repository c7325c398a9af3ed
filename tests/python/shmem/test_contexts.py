# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Contexts and their sessions."""

import numpy as np
import pytest
from samples import symmetric

from ucxx import shmem


def made_and_used():
    """Make contexts of each kind, and put, get and count through each."""
    me, pes = shmem.my_pe(), shmem.n_pes()
    right, left = (me + 1) % pes, (me - 1) % pes
    kinds = [0, shmem.CTX_PRIVATE, shmem.CTX.SERIALIZED, shmem.CTX_NOSTORE, shmem.CTX_PRIVATE | shmem.CTX_SERIALIZED, 7]
    with symmetric(np.zeros(4, int), np.arange(4) + 10 * me) as (target, mine):
        for options in kinds:
            ctx = shmem.Ctx.create(options)
            assert ctx and ctx == ctx and ctx != shmem.CTX_DEFAULT and ctx.get_team() == shmem.TEAM_WORLD
            assert repr(ctx) == f"<Ctx over <Team: PE {me} of {pes}>>"
            ctx.session_start(options=shmem.CTX_SESSION_BATCH, total_ops=3)
            shmem.put(target, mine, right, ctx=ctx)
            ctx.fence()
            shmem.p(target[3, ...], 7, right, ctx)
            ctx.session_stop()
            ctx.quiet()
            assert shmem.g(source=target[3:], pe=right, ctx=ctx) == 7
            ctx.pe_quiet([right])
            shmem.barrier_all()
            assert target.tolist() == [10 * left, 10 * left + 1, 10 * left + 2, 7]
            shmem.barrier_all()
            ctx.destroy()
            assert not ctx and repr(ctx) == "<Ctx: none>"
            for nothing in (ctx.destroy, ctx.quiet, ctx.fence, lambda ctx=ctx: ctx.pe_quiet([right])):
                assert nothing() is None
            for use in (ctx.get_team, ctx.session_start, lambda ctx=ctx: shmem.put(target, mine, 0, ctx=ctx)):
                with pytest.raises(shmem.HandleError, match="ctx is destroyed"):
                    use()


def over_teams():
    """Number PEs as the team does, and refuse others."""
    me, pes = shmem.my_pe(), shmem.n_pes()
    team = shmem.TEAM_WORLD.split_strided(0, 2)
    with symmetric(np.zeros((), int)) as word:
        if team:
            with shmem.Ctx.create(team=team) as ctx, team.create_ctx(options=0) as other:
                assert ctx.get_team() == team and ctx != other
                shmem.p(word, 1 + me, (team.my_pe() + 1) % team.n_pes(), ctx)
                with pytest.raises(ValueError, match=f"^p: pe = {team.n_pes()}: must be from 0 to {team.n_pes() - 1}"):
                    shmem.p(word, 1, team.n_pes(), ctx)
            assert not ctx and not other
        else:
            with pytest.raises(ValueError, match="one that this PE is no member of"):
                shmem.Ctx.create(0, team)
        shmem.barrier_all()
        if team:
            assert word - 1 == (me - 2 if me else (pes - 1) // 2 * 2)
            team.destroy()


def default_and_wrong():
    """Look at those that are always there, and ask for what there is not."""
    assert shmem.CTX_DEFAULT and not shmem.CTX_INVALID and shmem.CTX_DEFAULT != shmem.CTX_INVALID
    for ctx in (shmem.CTX_DEFAULT, shmem.CTX_INVALID):
        with ctx as entered:
            assert entered is ctx
        ctx.destroy()
    assert shmem.CTX_DEFAULT and not shmem.CTX_INVALID
    for options in (8, -1, 2**40):
        with pytest.raises(shmem.HandleError, match=f"^create: options = {options}: must be made of CTX_PRIVATE"):
            shmem.Ctx.create(options)
    with pytest.raises(ValueError, match="^session_start: options = 2: must be 0 or CTX_SESSION_BATCH"):
        shmem.session_start(options=2)
    with pytest.raises(ValueError, match="^session_start: total_ops = -1: must not be negative"):
        shmem.session_start(None, 0, -1)
    shmem.session_start()
    shmem.session_stop(ctx=None)
    shmem.session_start(shmem.CTX_DEFAULT, total_ops=5)
    shmem.session_stop(shmem.CTX_DEFAULT)
    for wrong in (0, "default", shmem.TEAM_WORLD, np.zeros(3)):
        with pytest.raises(TypeError, match=r"^quiet: ctx = .*: must be a Ctx"):
            shmem.quiet(wrong)
    assert shmem.fence(shmem.CTX_INVALID) is None is shmem.CTX_INVALID.quiet()
    with pytest.raises(RuntimeError, match="^get_team: ctx is destroyed, or CTX_INVALID"):
        shmem.CTX_INVALID.get_team()


def another_object():
    """Make further objects of a context: they are destroyed together, but for that of the default one."""
    assert shmem.Ctx() == shmem.Ctx(None) == shmem.CTX_INVALID and not shmem.Ctx()
    default = shmem.Ctx(shmem.CTX_DEFAULT)
    assert default and default == shmem.CTX_DEFAULT and default is not shmem.CTX_DEFAULT
    with symmetric(np.zeros((), int)) as word:
        first = shmem.Ctx.create()
        second = shmem.Ctx(shmem.Ctx(ctx=first))
        for ctx in (default, second):
            shmem.p(word, 5, shmem.my_pe(), ctx)
            ctx.quiet()
            assert shmem.g(word, shmem.my_pe(), ctx) == 5 and ctx.get_team() == shmem.TEAM_WORLD
        assert first == second != default
        default.destroy()
        second.destroy()
        assert not default and not first and not second and first == second == default
        assert shmem.CTX_DEFAULT and repr(second) == "<Ctx: none>"
        first.destroy()
        with pytest.raises(shmem.HandleError, match="^p: ctx is destroyed"):
            shmem.p(word, 1, 0, default)
    team = shmem.CTX_DEFAULT.get_team()
    team.destroy()
    assert not team and shmem.CTX_DEFAULT.get_team() == shmem.TEAM_WORLD
    for wrong in (5, "x", shmem.TEAM_WORLD):
        with pytest.raises(TypeError, match=r"^Ctx: ctx = .*: must be a Ctx"):
            shmem.Ctx(wrong)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize("function", [made_and_used, over_teams, default_and_wrong, another_object])
def test_contexts(pes, count, function):
    pes(count, function)
