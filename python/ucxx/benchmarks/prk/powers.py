# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Powers of 2, as polynomials over the field of two elements, modulo x^63 + x^2 + x + 1."""

from __future__ import annotations

# The terms of the modulus below the highest one, which is HIGH_TERM.
LOW_TERMS, HIGH_TERM = 7, 1 << 63


def doubled(value: int) -> int:
    """Return twice a value."""
    twice = value << 1
    return twice ^ HIGH_TERM ^ LOW_TERMS if twice & HIGH_TERM else twice


def power_of_two(exponent: int) -> int:
    """Return a power, by squares."""
    power, base = 1, 2
    while exponent:
        if exponent & 1:
            power = _product(power, base)
        base = _product(base, base)
        exponent >>= 1
    return power


def _product(one: int, other: int) -> int:
    total = 0
    while other:
        if other & 1:
            total ^= one
        one, other = doubled(one), other >> 1
    return total
