# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A vector by arithmetic of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import Doubles


def increase(own: Doubles, values: Doubles) -> None:
    """Make each element one more than the value."""
    np.add(values, 1, out=own)
