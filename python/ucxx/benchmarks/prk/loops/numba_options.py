# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""How Numba compiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

# The type of indices: what may be negative counts from the end, and such loops are not vectorised.
natural = np.uint64


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function for Numba, with the liberties that C's compilers take at -O3."""
    import numba

    options: dict[str, Any] = {"error_model": "numpy", "fastmath": {"contract"}, "nogil": True}
    made: Callable[..., Any] = numba.njit(**options)(function)
    return made
