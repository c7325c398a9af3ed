# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Products by arithmetic of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import Doubles


def add_products(sums: Doubles, columns: Any, values: Doubles, vector: Doubles) -> None:
    """Add the product of each row and the vector."""
    sums += np.einsum("ij,ij->i", values, vector[columns])
