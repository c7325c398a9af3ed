# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Words for type checkers. Nothing imports this at run time."""

from collections.abc import Sequence
from typing import SupportsIndex, TypeVar

import numpy as np

Generic = TypeVar("Generic", bound=np.generic)
Shape = SupportsIndex | Sequence[SupportsIndex]
