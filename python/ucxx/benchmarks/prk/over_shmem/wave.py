# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Single values, each with the number of its step, which is what the receiver waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ucxx import shmem
from ucxx.benchmarks.prk.loops import nothing, numba_options

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ucxx.benchmarks.prk.over_shmem.memory import Memory
    from ucxx.benchmarks.prk.world import Call, Doubles


class Wave:
    """A value and a number for each row, side by side: one line of the cache goes over for both.

    Nobody writes them again before the last PE has ended the step; then all have read theirs.
    """

    def __init__(self, memory: Memory, rows: int, language: str) -> None:
        """Make the memory, and the functions."""
        self.memory: Doubles = memory.zeros((rows, 2))
        self.compiled = language == "numba"
        self._corner, self._corner_number = self.memory[:1, 0], numbers_of(self.memory)[:1]
        self._me, self._last = shmem.my_pe(), shmem.n_pes() - 1
        make = compiled_calls if self.compiled else plain_calls
        receive, send = make(self.memory, self._me + 1)
        idle = numba_options.compiled(nothing) if self.compiled else nothing
        self.receive: Call = receive if self._me > 0 else idle
        self.send: Call = send if self._me < self._last else idle

    def return_corner(self, grid: Doubles, step: int) -> None:
        """Make the negative last value of the last PE the first one of the first PE."""
        number = self._corner_number
        if self._me == self._last:
            shmem.put_signal(self._corner, -grid[-1, -1:], 0, number, step, "set")
        if self._me == 0:
            shmem.signal_wait_until(number, ">=", step)
            grid[0, 0] = self._corner[0]


def numbers_of(memory: Doubles) -> NDArray[np.uint64]:
    """Return the numbers beside the values."""
    return memory.view(np.uint64)[:, 1]


def plain_calls(memory: Doubles, right: int) -> tuple[Call, Call]:
    """Return functions that receive and send by calls from Python."""
    values = [memory[row : row + 1, 0] for row in range(len(memory))]
    numbers = [numbers_of(memory)[row : row + 1] for row in range(len(memory))]

    def receive(grid: Doubles, memory: Doubles, row: int, step: int) -> None:
        shmem.signal_wait_until(numbers[row], ">=", step)
        grid[row, 0] = memory[row, 0]

    def send(grid: Doubles, memory: Doubles, row: int, step: int) -> None:
        shmem.put_signal(values[row], grid[row, -1:], right, numbers[row], step, "set")

    return receive, send


def compiled_calls(memory: Doubles, right: int) -> tuple[Call, Call]:
    """Return functions of Numba that receive and send by calls of C, without Python in between."""
    put_double, put_long, fence = shmem.c.double_p, shmem.c.long_p, shmem.c.fence
    wait_until, at_least = shmem.c.long_wait_until, int(shmem.CMP_GE)
    first_value, row_bytes = memory.ctypes.data, memory.strides[0]
    first_number = first_value + memory.strides[1]

    def receive(grid: Doubles, memory: Doubles, row: int, step: int) -> None:
        wait_until(first_number + row * row_bytes, at_least, step)
        grid[row, 0] = memory[row, 0]

    def send(grid: Doubles, memory: Doubles, row: int, step: int) -> None:
        put_double(first_value + row * row_bytes, grid[row, -1], right)
        fence()
        put_long(first_number + row * row_bytes, step, right)

    return numba_options.compiled(receive), numba_options.compiled(send)
