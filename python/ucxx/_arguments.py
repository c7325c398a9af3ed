# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What the APIs check of their arguments, so that an error names the argument and what would be right."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])

MOST_SECONDS = 1e9  # as the core takes them


def function_of(what: str, function: _Function) -> _Function:
    """Return what can be called; raise TypeError for anything else."""
    if not callable(function):
        raise TypeError(f"{what} is called, which {type(function).__name__} cannot be")
    return function


def seconds_or_none(name: str, value: float | None) -> float | None:
    """Return a limit as it was given; raise TypeError or ValueError for what is no time to wait."""
    if value is None:
        return None
    if not isinstance(value, numbers.Real):
        raise TypeError(f"{name} is a number of seconds or None, not {type(value).__name__}")
    if not value >= 0:  # nan, too
        raise ValueError(f"{name} is a number of seconds, not negative, or None, not {value}")
    return value
