# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Numbers for tags that are no ints."""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Hashable
from typing import SupportsIndex


def number_of(tag: Hashable) -> int:
    """Return a number for a hashable object, of which the lowest 64 bits are its tag.

    The same in every process for str, bytes, and tuples of them and of ints; for other objects it is
    their hash, which may be another one elsewhere. Raises TypeError for what is not hashable.
    """
    if isinstance(tag, SupportsIndex):  # within a tuple: a tag that is an int has no need of this
        number = operator.index(tag)
        return number if 0 <= number < 2**64 else _digest(b"i" + _bytes_of(number))
    if isinstance(tag, str):
        return _digest(b"s" + tag.encode())
    if isinstance(tag, bytes):
        return _digest(b"b" + tag)
    if isinstance(tag, tuple):
        return _digest(b"t" + b"".join((number_of(item) % 2**64).to_bytes(8) for item in tag))
    return hash(tag)


def _bytes_of(number: int) -> bytes:
    return number.to_bytes(number.bit_length() // 8 + 1, signed=True)


def _digest(data: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest())
