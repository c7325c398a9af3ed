# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A vector by a loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ucxx.benchmarks.prk.loops.numba_options import compiled

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import Doubles


def _increase(own: Doubles, values: Doubles) -> None:
    for i in range(len(own)):
        own[i] = values[i] + 1


# Makes each element one more than the value.
increase = compiled(_increase)
