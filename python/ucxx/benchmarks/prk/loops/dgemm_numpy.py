# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A product of panels by NumPy's library of linear algebra."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import Doubles


def multiply(c: Doubles, left: Doubles, right: Doubles) -> None:
    """Add the product of two panels."""
    c += left @ right
