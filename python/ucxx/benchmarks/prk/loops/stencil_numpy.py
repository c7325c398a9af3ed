# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The star by arithmetic of arrays, some rows at a time so that they stay in the cache."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import Doubles

_VALUES = 16 << 10  # of some rows


def star_adder(radius: int) -> Callable[[Doubles, Doubles, int, int, int, int], None]:
    """Return a function that adds the star of each point within an area to `out`."""
    weights = [1 / (2 * j * radius) for j in range(1, radius + 1)]

    def add_some(grid: Doubles, out: Doubles, top: int, bottom: int, left: int, right: int) -> None:
        def moved(down: int, aside: int) -> Doubles:
            y, x = radius + down, radius + aside
            area: Doubles = grid[y + top : y + bottom, x + left : x + right]
            return area

        target = out[top:bottom, left:right]
        product = np.empty_like(target)
        for j, weight in enumerate(weights, 1):
            target += np.multiply(moved(0, j), weight, out=product)
            target -= np.multiply(moved(0, -j), weight, out=product)
            target += np.multiply(moved(j, 0), weight, out=product)
            target -= np.multiply(moved(-j, 0), weight, out=product)

    def add_stars(
        grid: Doubles, out: Doubles, top: int, bottom: int, left: int, right: int
    ) -> None:
        rows = max(1, _VALUES // max(1, right - left))
        for first in range(top, bottom, rows):
            add_some(grid, out, first, min(bottom, first + rows), left, right)

    return add_stars


def increase(grid: Doubles, radius: int) -> None:
    """Add 1 to all but the frame."""
    inner = grid[radius:-radius, radius:-radius]
    inner += 1
