# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""How things are shared out among PEs."""

from __future__ import annotations

import math


def first_of(total: int, parts: int, part: int) -> int:
    """Return how many things come before those of a part: parts differ by one at most."""
    return total // parts * part + min(part, total % parts)


def share_of(total: int, parts: int, part: int) -> int:
    """Return how many things a part has."""
    return total // parts + (part < total % parts)


def columns_of(pes: int) -> int:
    """Return the columns of a grid of PEs: the largest divisor of their number up to its root."""
    return next(columns for columns in range(math.isqrt(pes), 0, -1) if pes % columns == 0)
