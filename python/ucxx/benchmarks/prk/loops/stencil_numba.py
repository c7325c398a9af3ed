# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The star by loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ucxx.benchmarks.prk.loops.numba_options import compiled, natural

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import Doubles


def star_adder(radius: int) -> Callable[[Doubles, Doubles, int, int, int, int], None]:
    """Return a function that adds the star of each point within an area to `out`."""
    reach, one = natural(radius), natural(1)

    def add_stars(
        grid: Doubles, out: Doubles, top: int, bottom: int, left: int, right: int
    ) -> None:
        for y in range(natural(top), natural(bottom)):
            for x in range(natural(left), natural(right)):
                total = 0.0
                for j in range(one, reach + one):
                    weight = 1.0 / (2.0 * j * radius)
                    total += weight * grid[y + reach, x + reach + j]
                    total -= weight * grid[y + reach, x + reach - j]
                    total += weight * grid[y + reach + j, x + reach]
                    total -= weight * grid[y + reach - j, x + reach]
                out[y, x] += total

    return compiled(add_stars)


def _increase(grid: Doubles, radius: int) -> None:
    height, width = grid.shape
    for y in range(natural(radius), natural(height - radius)):
        for x in range(natural(radius), natural(width - radius)):
            grid[y, x] += 1


# Adds 1 to all but the frame.
increase = compiled(_increase)
