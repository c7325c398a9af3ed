# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Blocks of matrices by arithmetic of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import Doubles


def pack(a: Doubles, pe: int, packed: Doubles) -> None:
    """Copy the rows that a PE wants as columns, transposed. The columns of `a` are contiguous."""
    width = len(a)
    packed.reshape(width, width)[...] = a[:, pe * width : (pe + 1) * width].T


def add(b: Doubles, pe: int, block: Doubles) -> None:
    """Add the block that a PE has packed for this one."""
    width = len(b)
    target = b[:, pe * width : (pe + 1) * width]
    target += block.reshape(width, width)


def increase(a: Doubles) -> None:
    """Add 1 to all."""
    a += 1
