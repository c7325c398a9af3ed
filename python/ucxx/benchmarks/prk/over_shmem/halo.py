# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Borders by put, and a count at the neighbour of how often it has got some."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ucxx import shmem

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.over_shmem.memory import Memory
    from ucxx.benchmarks.prk.world import Doubles

_LINE = 8  # integers of a line of the cache


class Halo:
    """The borders of a block.

    There are two sets of memory, in turn. A neighbour that has this PE's border of one step may send
    its next one while this PE still reads, but not the one after that.
    """

    def __init__(
        self,
        memory: Memory,
        peers: Sequence[int | None],
        counts: Sequence[int],
        largest: Sequence[int],
    ) -> None:
        """Make the memory. `largest` are the counts of the PE that has most."""
        self.outgoing: list[Doubles] = [np.zeros(count) for count in counts]
        sets = [[memory.zeros(most) for most in largest] for _ in range(2)]
        lines = [memory.zeros(_LINE, np.int64) for _ in counts]
        sides = [(side, peer) for side, peer in enumerate(peers) if peer is not None]
        self._puts = [
            [(there[side ^ 1][: counts[side]], self.outgoing[side], peer) for side, peer in sides]
            for there in sets
        ]
        self._told = [(lines[side ^ 1][:1], peer) for side, peer in sides]
        self._arrived = [lines[side][:1] for side, _ in sides]
        self._incoming = [
            [values[:count] for values, count in zip(here, counts, strict=True)] for here in sets
        ]
        self._step = 0

    def exchange(self) -> list[Doubles]:
        """Send what is outgoing; return what came from each side, valid until the next call."""
        self._step += 1
        for there, values, peer in self._puts[self._step & 1]:
            shmem.put(there, values, peer)
        shmem.fence()
        for count, peer in self._told:
            shmem.atomic_inc(count, peer)
        for arrived in self._arrived:
            shmem.wait_until(arrived, ">=", self._step)
        return self._incoming[self._step & 1]
