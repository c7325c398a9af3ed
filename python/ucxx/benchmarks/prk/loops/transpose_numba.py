# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Blocks of matrices by loops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ucxx.benchmarks.prk.loops.numba_options import compiled, natural

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import Doubles

_TILE = 32  # rows and columns of what stays in the cache


def _pack(a: Doubles, pe: int, packed: Doubles) -> None:
    width, tile = natural(len(a)), natural(_TILE)
    before = natural(pe) * width
    for first_row in range(natural(0), width, tile):
        for first_column in range(natural(0), width, tile):
            for row in range(first_row, min(first_row + tile, width)):
                for column in range(first_column, min(first_column + tile, width)):
                    packed[row * width + column] = a[column, before + row]


def _add(b: Doubles, pe: int, block: Doubles) -> None:
    width = natural(len(b))
    before = natural(pe) * width
    for column in range(width):
        for row in range(width):
            b[column, before + row] += block[column * width + row]


def _increase(a: Doubles) -> None:
    columns, rows = a.shape
    for column in range(natural(columns)):
        for row in range(natural(rows)):
            a[column, row] += 1


# Copies the rows that a PE wants as columns, transposed. The columns of the matrix are contiguous.
pack = compiled(_pack)
# Adds the block that a PE has packed for this one.
add = compiled(_add)
# Adds 1 to all.
increase = compiled(_increase)
