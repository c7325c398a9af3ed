# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A row of the wave front by arithmetic of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import Doubles


def next_row(grid: Doubles, y: int) -> None:
    """Compute a row from the one above and from its first value: the sums of the differences."""
    above, row = grid[y - 1], grid[y]
    np.subtract(above[1:], above[:-1], out=row[1:])
    np.add.accumulate(row, out=row)
