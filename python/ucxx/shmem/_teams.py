# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Teams of PEs and contexts of their communication."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING

from ucxx import _shmem

if TYPE_CHECKING:
    from typing import Self


class Team(_shmem.Team):
    """Some of the PEs, numbered from 0 on. Made by `split_strided` of another one.

    True where this PE is a member and the team is not destroyed. Two are equal if they are the same
    team. As a context manager it is destroyed at the end. `Team(team)` is the same team once more,
    `Team()` is as `TEAM_INVALID`.

    Calls of one that is destroyed, or that this PE is no member of, raise `HandleError`.
    """

    __slots__ = ()

    def __new__(cls, team: Team | None = None) -> Self:
        """Make another object of a team."""
        return _shmem.same_team(cls, TEAM_INVALID if team is None else team)

    def __copy__(self) -> Self:
        """Return the same team once more."""
        return _shmem.same_team(type(self), self)

    def __deepcopy__(self, memo: object) -> Self:
        """Return the same team once more: there is nothing of it that could be copied."""
        return _shmem.same_team(type(self), self)

    def split_strided(self, start: int = 0, stride: int = 1, size: int | None = None,
                      config: Mapping[str, int] | None = None, **kwargs: int) -> Team:
        """Make a team of every `stride`-th PE; false for PEs that are no members of it.

        Collective over this team.

        Args:
            start: the first member, by its number in this team.
            stride: how far the next one is; may be negative.
            size: how many members; as many as there are if it is not given.
            config: wishes: `num_contexts`, how many contexts it can have at once.
            kwargs: the same wishes by name.

        Raises:
            HandleError: this team has no such part.
            RuntimeError: there is no room for one more team: a job has 16384 at most, at once.
        """
        if size is None:
            size = _members(start, stride, self.n_pes() if self else 1)
        contexts = _contexts("split_strided", config, kwargs)
        return _shmem.team_split_strided(self, start, stride, size, contexts)

    def split_2d(self, xrange: int, xconfig: Mapping[str, int] | None = None,
                 yconfig: Mapping[str, int] | None = None) -> tuple[Team, Team]:
        """Make the teams of this PE's row and column, where rows have `xrange` PEs. Collective."""
        return _shmem.team_split_2d(self, xrange, _contexts("split_2d", xconfig, {}),
                                    _contexts("split_2d", yconfig, {}))

    def get_config(self) -> dict[str, int]:
        """Return the wishes that it was made with; none for a team that is none."""
        return {"num_contexts": _shmem.team_num_contexts(self)}

    def my_pe(self) -> int:
        """Return the number of this PE in the team."""
        return _shmem.team_my_pe(self)

    def n_pes(self) -> int:
        """Return how many members there are."""
        return _shmem.team_n_pes(self)

    def translate_pe(self, pe: int | None = None, team: Team | None = None) -> int:
        """Return the number of a member in another team.

        Args:
            pe: the number in this team; that of this PE if it is not given.
            team: the other team; all PEs if it is not given.

        Raises:
            HandleError: it is no member of the other team, or there is no such member.
        """
        return _shmem.team_translate_pe(self, pe, TEAM_WORLD if team is None else team)

    def create_ctx(self, options: int = 0) -> Ctx:
        """Make a context over the team; see `Ctx.create`."""
        return _shmem.team_create_ctx(Ctx, self, options)

    def sync(self) -> None:
        """Wait for all members; completes nothing that they have put. Collective."""
        _shmem.sync(self)

    def destroy(self) -> None:
        """End the team and its contexts. Collective over it.

        Nothing happens to a predefined team, nor to one that is destroyed or that this PE is no member of.
        """
        _shmem.team_destroy(self)

    def __enter__(self) -> Team:
        """Return the team."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        """Destroy it."""
        if self:
            self.destroy()

    def __repr__(self) -> str:
        """Tell the place of this PE."""
        return f"<Team: PE {self.my_pe()} of {self.n_pes()}>" if self else "<Team: none>"


class Ctx(_shmem.Ctx):
    """A context: operations that are ordered and completed by themselves.

    True until it or its team is destroyed. As a context manager it is destroyed at the end. `Ctx(ctx)`
    is the same context once more, `Ctx()` is as `CTX_INVALID`.
    """

    __slots__ = ()

    def __new__(cls, ctx: Ctx | None = None) -> Self:
        """Make another object of a context."""
        return _shmem.same_ctx(cls, CTX_INVALID if ctx is None else ctx)

    def __copy__(self) -> Self:
        """Return the same context once more."""
        return _shmem.same_ctx(type(self), self)

    def __deepcopy__(self, memo: object) -> Self:
        """Return the same context once more: there is nothing of it that could be copied."""
        return _shmem.same_ctx(type(self), self)

    @staticmethod
    def create(options: int = 0, team: Team | None = None) -> Ctx:
        """Make a context. Not collective.

        Args:
            options: any of CTX together.
            team: whose members it reaches, by their numbers in it; all PEs if it is not given.

        Raises:
            RuntimeError: there are no resources for one more.
        """
        return _shmem.ctx_create(Ctx, TEAM_WORLD if team is None else team, options)

    def destroy(self) -> None:
        """Complete what is under way and end the context.

        Nothing happens to the default one, nor to one that is destroyed.
        """
        _shmem.ctx_destroy(self)

    def get_team(self) -> Team:
        """Return the team whose members it reaches.

        Raises:
            HandleError: the context is destroyed, or `CTX_INVALID`.
        """
        return Team(_shmem.ctx_team(self))

    def fence(self) -> None:
        """As `shmem.fence` of this context."""
        _shmem.fence(self)

    def quiet(self) -> None:
        """As `shmem.quiet` of this context."""
        _shmem.quiet(self)

    def pe_quiet(self, pes: Sequence[int]) -> None:
        """As `shmem.pe_quiet` of this context."""
        _shmem.pe_quiet(pes, self)

    def session_start(self, options: int = 0, total_ops: int | None = None) -> None:
        """As `shmem.session_start` of this context."""
        _shmem.session_start(self, options, total_ops)

    def session_stop(self) -> None:
        """As `shmem.session_stop` of this context."""
        _shmem.session_stop(self)

    def __enter__(self) -> Ctx:
        """Return the context."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        """Destroy it."""
        if self:
            self.destroy()

    def __repr__(self) -> str:
        """Tell whether it is alive."""
        return f"<Ctx over {self.get_team()!r}>" if self else "<Ctx: none>"


def _members(start: int, stride: int, pes: int) -> int:
    """Return how many PEs there are from `start` on."""
    if stride == 0:
        return 1
    return max(1, (start // -stride if stride < 0 else (pes - 1 - start) // stride) + 1)


def _contexts(call: str, config: Mapping[str, int] | None, named: Mapping[str, int]) -> int:
    wishes = {name.lower(): wish for name, wish in {**(config or {}), **named}.items()}
    if unknown := sorted(set(wishes) - {"num_contexts"}):
        raise TypeError(f"{call}: there is no wish {unknown[0]!r}: there is num_contexts")
    return wishes.get("num_contexts", 0)


TEAM_INVALID = _shmem.predefined_team(Team, 0)
TEAM_WORLD = _shmem.predefined_team(Team, 1)
TEAM_SHARED = _shmem.predefined_team(Team, 2)
CTX_INVALID = _shmem.predefined_ctx(Ctx, TEAM_INVALID, 0)
CTX_DEFAULT = _shmem.predefined_ctx(Ctx, TEAM_WORLD, 1)
