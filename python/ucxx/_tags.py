# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Numbers for tags that are no ints."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable


def number_of(tag: Hashable) -> int:
    """Return a number of 64 bits for a hashable object.

    The same in every process for str, bytes, and tuples of them and of ints; for other objects it is
    their hash, which may be another one elsewhere. Raises TypeError for what is not hashable.
    """
    if isinstance(tag, str):
        return _digest(b"s" + tag.encode())
    if isinstance(tag, bytes):
        return _digest(b"b" + tag)
    if isinstance(tag, tuple):
        return _digest(b"t" + b"".join((number_of(item) % 2**64).to_bytes(8) for item in tag))
    return hash(tag)


def _digest(data: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest())
