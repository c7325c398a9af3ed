# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Blocks by Alltoall, or by Get behind a barrier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from mpi4py import MPI

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import Doubles


class Blocks:
    """A block of values from each PE for each PE, all at once."""

    def __init__(self, comm: MPI.Intracomm, count: int) -> None:
        """Make the memory of blocks of so many values."""
        self._comm = comm
        self.outgoing: Doubles = np.zeros((comm.size, count))
        self._incoming: Doubles = np.zeros((comm.size, count))

    def start(self) -> None:
        """Begin an exchange."""
        self._comm.Alltoall((self.outgoing, MPI.DOUBLE), (self._incoming, MPI.DOUBLE))

    def block_from(self, pe: int) -> Doubles:
        """Return the block of a PE, valid until the next call."""
        block: Doubles = self._incoming[pe]
        return block

    def end(self) -> None:
        """End the exchange."""


class GotBlocks:
    """A block of values from each PE for each PE, which gets it.

    There are two windows, in turn: who has begun an exchange has done with the memory of the last
    but one.
    """

    def __init__(self, comm: MPI.Intracomm, count: int) -> None:
        """Make the memory of blocks of so many values."""
        self._comm = comm
        self._place = comm.rank * count, count, MPI.DOUBLE
        size = comm.size * count * 8
        self._windows = [MPI.Win.Allocate(size, 8, comm=comm) for _ in range(2)]
        memory: list[Any] = [window.tomemory() for window in self._windows]
        self._outgoing: list[Doubles] = [
            np.frombuffer(bytes_).reshape(comm.size, count) for bytes_ in memory
        ]
        for window in self._windows:
            window.Lock_all(MPI.MODE_NOCHECK)
        self._incoming = np.zeros(count)
        self._set = 0

    @property
    def outgoing(self) -> Doubles:
        """A row for each PE."""
        return self._outgoing[self._set]

    def start(self) -> None:
        """Begin an exchange."""
        self._windows[self._set].Sync()
        self._comm.Barrier()
        self._windows[self._set].Sync()

    def block_from(self, pe: int) -> Doubles:
        """Return the block of a PE, valid until the next call."""
        window = self._windows[self._set]
        window.Get((self._incoming, MPI.DOUBLE), pe, self._place)
        window.Flush(pe)
        return self._incoming

    def end(self) -> None:
        """End the exchange."""
        self._set = 1 - self._set

    def close(self) -> None:
        """Free the windows. All PEs call it."""
        for window in self._windows:
            window.Unlock_all()
            window.Free()
