# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What the APIs check of their arguments, so that an error names the argument and what would be right."""

from __future__ import annotations

import numbers

MOST_SECONDS = 1e9  # as the core takes them
_MOST_BYTES = 2**64 - 1


def require_callable(what: str, function: object) -> None:
    """Raise TypeError for what cannot be called."""
    if not callable(function):
        raise TypeError(f"{what} must be callable, not {type(function).__name__}")


def require_remove(remove: object) -> None:
    """Raise TypeError for a tag in the place of `tag_probe(remove)` of an endpoint."""
    if not isinstance(remove, bool):
        raise TypeError(f"remove must be True or False, not {remove!r}; a tag: tag_probe(tag={remove!r})")


def require_seconds(name: str, value: float | None) -> None:
    """Raise TypeError or ValueError for what is neither a time to wait nor None."""
    if value is None:
        return
    if not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be a number of seconds or None, not {type(value).__name__}")
    if not value >= 0:  # nan, too
        raise ValueError(f"{name} must be a number of seconds of at least 0, or None, not {value}")


def require_bytes(name: str, value: int) -> None:
    """Raise TypeError or ValueError for what is no number of bytes."""
    if not isinstance(value, numbers.Integral):
        raise TypeError(f"{name} must be an int, a number of bytes, not {type(value).__name__}")
    if not 0 <= value <= _MOST_BYTES:
        raise ValueError(f"{name} must be a number of bytes from 0 to 2**64 - 1, not {value}")
