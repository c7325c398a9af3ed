# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The PEs of an OpenSHMEM program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ucxx import shmem
from ucxx.benchmarks.prk.layout import Layout
from ucxx.benchmarks.prk.over_shmem.blocks import Blocks
from ucxx.benchmarks.prk.over_shmem.counters import Counters
from ucxx.benchmarks.prk.over_shmem.halo import Halo
from ucxx.benchmarks.prk.over_shmem.memory import Memory
from ucxx.benchmarks.prk.over_shmem.panels import Panels
from ucxx.benchmarks.prk.over_shmem.shared_table import SharedTable
from ucxx.benchmarks.prk.over_shmem.strings import Strings
from ucxx.benchmarks.prk.over_shmem.vector_gather import VectorGather
from ucxx.benchmarks.prk.over_shmem.vector_sum import VectorSum
from ucxx.benchmarks.prk.over_shmem.wave import Wave

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import Increase, Take


class World:
    """All PEs."""

    def __init__(self) -> None:
        """Join them."""
        self.me = shmem.my_pe()
        self.pes = shmem.n_pes()
        self._memory = Memory()
        self._open: list[Panels] = []

    def barrier(self) -> None:
        """Wait for all."""
        shmem.barrier_all()

    def total(self, value: float) -> float:
        """Return the sum of the values of all."""
        return self._reduced(shmem.sum_reduce, value)

    def largest(self, value: float) -> float:
        """Return the largest of the values of all."""
        return self._reduced(shmem.max_reduce, value)

    def _reduced(self, reduce: Callable[..., Any], value: float) -> float:
        values = self._memory.zeros(2)
        values[0] = value
        reduce(values[1:], values[:1])
        return float(values[1])

    def halo(self, peers: Sequence[int | None], counts: Sequence[int]) -> Halo:
        """Return borders."""
        largest = [int(self.largest(count)) for count in counts]
        return Halo(self._memory, peers, counts, largest)

    def wave(self, rows: int, language: str) -> Wave:
        """Return values between columns of blocks."""
        return Wave(self._memory, rows, language)

    def blocks(self, count: int, gets: bool) -> Blocks:
        """Return blocks."""
        return Blocks(self._memory, count, gets)

    def strings(self, length: int, take: Take, language: str) -> Strings:
        """Return strings."""
        return Strings(self._memory, length, take, language)

    def vector_sum(self, length: int, increase: Increase, language: str) -> VectorSum:
        """Return vectors."""
        return VectorSum(self._memory, length, increase, language)

    def counters(self, locks: bool, language: str) -> Counters:
        """Return counters."""
        return Counters(self._memory, locks, language)

    def shared_table(self, layout: Layout, language: str) -> SharedTable:
        """Return a table."""
        return SharedTable(self._memory, layout, language)

    def vector_gather(self, length: int, count: int) -> VectorGather:
        """Return a vector."""
        return VectorGather(self._memory, length, count)

    def panels(self, columns: int, left: tuple[int, int], right: tuple[int, int]) -> Panels:
        """Return panels."""
        self._open.append(Panels(self._memory, columns, left, right))
        return self._open[-1]

    def close(self) -> None:
        """Give back the teams and the symmetric memory."""
        while self._open:
            self._open.pop().close()
        self._memory.free()
