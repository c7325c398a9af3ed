# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Panels of matrices by broadcasts, within a team of each row of PEs and one of each column."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ucxx import shmem

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.over_shmem.memory import Memory
    from ucxx.benchmarks.prk.world import Doubles


class Panels:
    """A panel of A and one of B."""

    def __init__(
        self, memory: Memory, columns: int, left: tuple[int, int], right: tuple[int, int]
    ) -> None:
        """Make the memory, and the teams of a grid of PEs with so many columns."""
        self.row, self.column = divmod(shmem.my_pe(), columns)
        self._row_team, self._column_team = shmem.TEAM_WORLD.split_2d(columns)
        self.own_left: Doubles = memory.zeros(left)
        self.own_right: Doubles = memory.zeros(right)
        self._sets = [(memory.zeros(left), memory.zeros(right)) for _ in range(2)]
        self._set = 0
        self.left, self.right = self._sets[0]

    def next(self) -> None:
        """Let both `own` be filled.

        Who gives does not wait for who takes: so all meet before memory is used again.
        """
        self._set = 1 - self._set
        if self._set == 0:
            shmem.barrier_all()
        self.left, self.right = self._sets[self._set]

    def exchange(self, column: int, row: int) -> None:
        """Let the PEs of a column give A, those of a row B."""
        shmem.broadcast(self.left, self.own_left, column, team=self._row_team)
        shmem.broadcast(self.right, self.own_right, row, team=self._column_team)

    def close(self) -> None:
        """Give back the teams. All PEs call it."""
        self._row_team.destroy()
        self._column_team.destroy()
