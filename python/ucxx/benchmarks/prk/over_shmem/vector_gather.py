# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A vector of which each PE has a part, and all of it by collect: parts may be of any length."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ucxx import shmem
from ucxx.benchmarks.prk.shares import share_of

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.over_shmem.memory import Memory
    from ucxx.benchmarks.prk.world import Doubles


class VectorGather:
    """A part of a vector, and all of it.

    There are two sets of memory for all, in turn: who is ahead writes that of its next gather.
    """

    def __init__(self, memory: Memory, length: int, count: int) -> None:
        """Make the memory."""
        largest = share_of(length, shmem.n_pes(), 0)
        self.own: Doubles = memory.zeros(largest)[:count]
        self._sets: list[Doubles] = [memory.zeros(length) for _ in range(2)]
        self.all = self._sets[0]

    def gather(self) -> None:
        """Get the parts of all."""
        self._sets.reverse()
        self.all = self._sets[0]
        shmem.collect(self.all, self.own)
