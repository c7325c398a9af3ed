# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A row of the wave front by a loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ucxx.benchmarks.prk.loops.numba_options import compiled

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import Doubles


def _next_row(grid: Doubles, y: int) -> None:
    for x in range(1, grid.shape[1]):
        # In parentheses what need not wait for the value before.
        grid[y, x] = (grid[y - 1, x] - grid[y - 1, x - 1]) + grid[y, x - 1]


# Computes a row from the one above and from its first value.
next_row = compiled(_next_row)
