# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Vectors by arithmetic of arrays, some elements at a time so that they stay in the cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import Doubles

_ELEMENTS = 4 << 10  # at a time


def add(a: Doubles, b: Doubles, c: Doubles, scale: float) -> None:
    """Add b + scale * c to a."""
    product = np.empty(min(_ELEMENTS, len(a)))
    for first in range(0, len(a), _ELEMENTS):
        some = slice(first, first + _ELEMENTS)
        target = a[some]
        scaled = np.multiply(c[some], scale, out=product[: len(target)])
        scaled += b[some]
        target += scaled
