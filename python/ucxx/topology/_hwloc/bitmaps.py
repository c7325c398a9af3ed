# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Sets of hardware threads as hwloc writes them, as integers with a bit for each: 0x00000001,0xffffffff."""

from __future__ import annotations

import re

_WORD_BITS = 32
_MOST_BITS = 1 << 16  # twice what Linux knows, and more
_WORDS = re.compile(r"(?:,(?:0x[0-9a-f]{1,8})?)*", re.IGNORECASE)
_INFINITE = "0xf...f"


def parse(text: str) -> int:
    """Return a set as an integer; an infinite one ends where no machine has threads any more.

    Words of 32 bits stand with the highest first; one that is zero may be empty.

    Raises:
        ValueError: for what is no set.
    """
    is_infinite = text.startswith(_INFINITE)
    words = text.removeprefix(_INFINITE) if is_infinite else f",{text}"
    if not (text and _WORDS.fullmatch(words)):
        raise ValueError(f"{text[:60]!r} is no set of bits")
    parts = words.split(",")[1:]
    width = _WORD_BITS * len(parts)
    if width > _MOST_BITS:
        raise ValueError(f"a set of {width} bits; expected {_MOST_BITS} at most")
    bits = int("".join(part[2:].zfill(8) for part in parts) or "0", 16)
    return bits | (_all_from(width) if is_infinite else 0)


def _all_from(first: int) -> int:
    return ((1 << _MOST_BITS) - 1) >> first << first


def members(bits: int) -> frozenset[int]:
    """Return the numbers of the bits that are set."""
    return frozenset(index for index, bit in enumerate(reversed(f"{bits:b}")) if bit == "1")
