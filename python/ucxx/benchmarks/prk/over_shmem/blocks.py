# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Blocks by alltoall, or by get behind a barrier."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ucxx import shmem

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.over_shmem.memory import Memory
    from ucxx.benchmarks.prk.world import Doubles


class Blocks:
    """A block of values from each PE for each PE.

    There are two sets of memory, in turn: who has begun an exchange has done with the memory of the
    last but one.
    """

    def __init__(self, memory: Memory, count: int, gets: bool) -> None:
        """Make the memory of blocks of so many values."""
        shape = shmem.n_pes(), count
        self._me = shmem.my_pe()
        self._gets = gets
        self._outgoing = [memory.zeros(shape) for _ in range(2 if gets else 1)]
        self._incoming = [np.zeros(count)] if gets else [memory.zeros(shape) for _ in range(2)]
        self._step = 0

    @property
    def outgoing(self) -> Doubles:
        """A row for each PE."""
        return self._outgoing[self._step % len(self._outgoing)]

    def start(self) -> None:
        """Begin an exchange."""
        if self._gets:
            shmem.barrier_all()
        else:
            shmem.alltoall(self._here, self.outgoing)

    def block_from(self, pe: int) -> Doubles:
        """Return the block of a PE, valid until the next call."""
        if not self._gets:
            block: Doubles = self._here[pe]
            return block
        shmem.get(self._here, self.outgoing[self._me], pe)
        return self._here

    def end(self) -> None:
        """End the exchange."""
        self._step += 1

    @property
    def _here(self) -> Doubles:
        return self._incoming[self._step % len(self._incoming)]
