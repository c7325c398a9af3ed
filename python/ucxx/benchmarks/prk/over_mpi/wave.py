# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Single values as messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from mpi4py import MPI

from ucxx.benchmarks.prk.loops import nothing

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import Call, Doubles


class Wave:
    """A message for each row. Calls of mpi4py need Python: Numba compiles what is between them."""

    def __init__(self, comm: MPI.Intracomm) -> None:
        """Make the functions."""
        self.memory: Doubles = np.zeros((1, 1))
        self.compiled = False
        self._comm = comm
        self._last = comm.size - 1
        receive, send = _calls(comm)
        self.receive: Call = receive if comm.rank > 0 else nothing
        self.send: Call = send if comm.rank < self._last else nothing

    def return_corner(self, grid: Doubles, step: int) -> None:
        """Make the negative last value of the last PE the first one of the first PE."""
        if self._last == 0:
            grid[0, 0] = -grid[-1, -1]
        elif self._comm.rank == self._last:
            self._comm.Send(-grid[-1, -1:], 0)
        elif self._comm.rank == 0:
            self._comm.Recv(grid[0, :1], self._last)


def _calls(comm: MPI.Intracomm) -> tuple[Call, Call]:
    """Return functions that receive and send."""
    value = np.zeros(1)
    message = value, MPI.DOUBLE
    left, right = comm.rank - 1, comm.rank + 1

    def receive(grid: Doubles, memory: Doubles, row: int, step: int) -> None:
        comm.Recv(message, left)
        grid[row, 0] = value[0]

    def send(grid: Doubles, memory: Doubles, row: int, step: int) -> None:
        value[0] = grid[row, -1]
        comm.Send(message, right)

    return receive, send
