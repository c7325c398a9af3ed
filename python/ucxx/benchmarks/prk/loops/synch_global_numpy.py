# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Digits by arithmetic of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import Bytes


def take(own: Bytes, everything: Bytes, me: int, pes: int) -> None:
    """Take every n-th digit of all, from an own one on."""
    own[:] = everything[me::pes]
