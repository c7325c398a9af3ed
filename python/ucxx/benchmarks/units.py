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


def read_sizes(text: str) -> tuple[int, ...]:
    """Return sizes of a list or of a sweep, FIRST:LAST[:FACTOR], whose factor is 2 where none is given.

    Raises ValueError for other texts.
    """
    return _sweep(text) if ":" in text else tuple(map(read_size, text.split(",")))


def _sweep(text: str) -> tuple[int, ...]:
    """Return powers of the factor times the first size, and the last size."""
    words = text.split(":")
    first, last = read_size(words[0]), read_size(words[1])
    factor = 2 if len(words) == 2 else int(words[2]) if words[2].isdecimal() else 0
    if len(words) > 3 or factor < 2 or last < first:
        raise ValueError(
            f"invalid sweep of sizes {text!r}: FIRST:LAST[:FACTOR] is needed, from the least to the largest "
            "and with a factor of 2 or more, for example 1:64M or 1:64M:4"
        )
    sizes = [first]
    while sizes[-1] < last:
        sizes.append(min(last, sizes[-1] * factor))
    return tuple(sizes)


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
