# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The sum of vectors by a reduction, of which all PEs get the result: there is none for one alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ucxx import shmem

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.over_shmem.memory import Memory
    from ucxx.benchmarks.prk.world import Doubles


class VectorSum:
    """A vector of each PE, and the sum of them.

    There are two sets of memory for the sum, in turn: who is ahead writes that of its next one.
    """

    def __init__(self, memory: Memory, length: int) -> None:
        """Make the memory."""
        self.own: Doubles = memory.zeros(length)
        self._totals: list[Doubles] = [memory.zeros(length) for _ in range(2)]
        self.values = self.own
        self._is_first = shmem.my_pe() == 0

    def to_first(self) -> None:
        """Add all up; PE 0 has the sum."""
        self._totals.reverse()
        shmem.sum_reduce(self._totals[0], self.own)
        if self._is_first:
            self.values = self._totals[0]
