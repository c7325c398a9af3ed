# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Strings by fcollect."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ucxx import shmem

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.over_shmem.memory import Memory
    from ucxx.benchmarks.prk.world import Bytes


class Strings:
    """Bytes of each PE, as many.

    There are two sets of memory for those of all, in turn: who is ahead writes those of its next gather.
    """

    def __init__(self, memory: Memory, length: int) -> None:
        """Make the memory."""
        self.own: Bytes = memory.zeros(length, np.uint8)
        count = length * shmem.n_pes()
        self._sets: list[Bytes] = [memory.zeros(count, np.uint8) for _ in range(2)]
        self.all = self._sets[0]

    def gather(self) -> None:
        """Get those of all."""
        self._sets.reverse()
        self.all = self._sets[0]
        shmem.fcollect(self.all, self.own)
