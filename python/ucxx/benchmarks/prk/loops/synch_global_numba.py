# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Digits by a loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ucxx.benchmarks.prk.loops.numba_options import compiled, natural

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import Bytes


def _take(own: Bytes, everything: Bytes, me: int, pes: int) -> None:
    first, stride = natural(me), natural(pes)
    for i in range(natural(len(own))):
        own[i] = everything[first + i * stride]


# Takes every n-th digit of all, from an own one on.
take = compiled(_take)
