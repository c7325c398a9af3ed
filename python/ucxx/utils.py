# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Helpers of programs written for RAPIDS UCXX; the first two are in `ucxx`, too."""

import re

from ucxx._arguments.interfaces import get_address
from ucxx._process.logger import get_ucxpy_logger

__all__ = [
    "format_bytes",
    "get_address",
    "get_ucxpy_logger",
    "parse_bytes",
    "print_key_value",
    "print_separator",
]

_PREFIXES = "kMGTP"
_NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?"
_SIZE = re.compile(rf"({_NUMBER})? *(?:([{_PREFIXES}]?)(i?)B?)", re.IGNORECASE)


def print_separator(separator: str = "-", length: int = 80) -> None:
    """Print a line of one character."""
    print(separator * length)


def print_key_value(key: str, value: object, length: int = 25) -> None:
    """Print a line of a table: the key, filled up to `length`, and the value."""
    print(f"{key:<{length}} | {value}")


def format_bytes(nbytes: float) -> str:
    """Return '1.21 kiB' for 1234."""
    for exponent, prefix in reversed(list(enumerate(_PREFIXES, 1))):
        unit = 1024**exponent
        if nbytes >= 0.9 * unit:
            return f"{nbytes / unit:.2f} {prefix}iB"
    return f"{nbytes:g} B"


def parse_bytes(size: float | str) -> int:
    """Return 1024 for '1 kiB', and 1000 for '1kB'; a number is one of bytes.

    Raises:
        ValueError: for any other text.
    """
    if isinstance(size, int | float):
        return int(size)
    found = _SIZE.fullmatch(size.replace("_", "").strip())
    if found is None or not size.strip():
        raise ValueError(f"{size!r} is no size: write '4096', '4 kiB', '1.5 MB' or the like")
    exponent = f" {_PREFIXES}".lower().index(found[2].lower() or " ")
    return int(float(found[1] or 1) * (1024 if found[3] else 1000) ** exponent)
