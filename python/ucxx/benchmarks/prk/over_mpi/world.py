# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The ranks of an MPI program; they are called PEs here, too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mpi4py import MPI

from ucxx.benchmarks.prk.over_mpi.blocks import Blocks, GotBlocks
from ucxx.benchmarks.prk.over_mpi.halo import Halo
from ucxx.benchmarks.prk.over_mpi.strings import Strings
from ucxx.benchmarks.prk.over_mpi.vector_sum import VectorSum
from ucxx.benchmarks.prk.over_mpi.wave import Wave

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import Increase, Take


class World:
    """All of COMM_WORLD."""

    def __init__(self) -> None:
        """Join them."""
        self._comm = MPI.COMM_WORLD
        self._open: list[GotBlocks] = []
        self.me = self._comm.rank
        self.pes = self._comm.size

    def barrier(self) -> None:
        """Wait for all."""
        self._comm.Barrier()

    def total(self, value: float) -> float:
        """Return the sum of the values of all."""
        return float(self._comm.allreduce(value))

    def largest(self, value: float) -> float:
        """Return the largest of the values of all."""
        return float(self._comm.allreduce(value, MPI.MAX))

    def halo(self, peers: Sequence[int | None], counts: Sequence[int]) -> Halo:
        """Return borders."""
        return Halo(self._comm, peers, counts)

    def wave(self, rows: int, language: str) -> Wave:
        """Return values between columns of blocks."""
        return Wave(self._comm)

    def blocks(self, count: int, gets: bool) -> Blocks | GotBlocks:
        """Return blocks."""
        if not gets:
            return Blocks(self._comm, count)
        self._open.append(GotBlocks(self._comm, count))
        return self._open[-1]

    def strings(self, length: int, take: Take, language: str) -> Strings:
        """Return strings."""
        return Strings(self._comm, length, take)

    def vector_sum(self, length: int, increase: Increase, language: str) -> VectorSum:
        """Return vectors."""
        return VectorSum(self._comm, length, increase)

    def close(self) -> None:
        """Give back the windows."""
        while self._open:
            self._open.pop().close()
