# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""How Numba compiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function for Numba, with the liberties that C's compilers take at -O3."""
    import numba

    made: Callable[..., Any] = numba.njit(error_model="numpy", fastmath={"contract"})(function)
    return made
