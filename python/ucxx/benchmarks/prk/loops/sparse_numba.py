# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Products by loops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ucxx.benchmarks.prk.loops.numba_options import compiled, natural

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import Doubles


def _add_products(sums: Doubles, columns: Any, values: Doubles, vector: Doubles) -> None:
    rows, elements = columns.shape
    for row in range(natural(rows)):
        total = 0.0
        for i in range(natural(elements)):
            total += values[row, i] * vector[columns[row, i]]
        sums[row] += total


# Adds the product of each row and the vector.
add_products = compiled(_add_products)
