# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Sizes and times as people write them."""

import re

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_SIZE = re.compile(r"(\d[\d_]*)\s*([KMG]?)(?:iB|B)?", re.IGNORECASE)


def read_size(text: str) -> int:
    """Return 65536 for '64K'; K, M and G are powers of 1024. Raises ValueError for other texts."""
    found = _SIZE.fullmatch(text.strip())
    size = int(found[1]) * _UNITS[found[2].upper()] if found else 0
    if not 1 <= size <= 1 << 32:
        raise ValueError(f"invalid size {text!r}: use 8, 64K, 1M or the like, 4G at most")
    return size


def size_text(size: float) -> str:
    """Return '64K' for 65536."""
    for name in ("G", "M", "K"):
        if size >= _UNITS[name]:
            return f"{size / _UNITS[name]:.4g}{name}"
    return str(size)


def size_word(size: int) -> str:
    """Return '8B' or '64KiB'."""
    return size_name(size).replace(" ", "")


def size_name(size: int) -> str:
    """Return '8 B' or '64 KiB'."""
    text = size_text(size)
    return f"{text} B" if text.isdigit() else f"{text[:-1]} {text[-1]}iB"


def time_text(us: float) -> str:
    """Return '1.25 ms' for 1250, with three digits."""
    for unit, name in ((1e6, "s"), (1e3, "ms")):
        if us >= unit:
            return f"{us / unit:.3g} {name}"
    return f"{us:.3g} us"
