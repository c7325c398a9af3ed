# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Arrays of random bytes, which no compression makes smaller; tasks of the workers import this."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from ucxx.benchmarks.kinds import kind

NAMES = ("numpy", "cupy", "torch")

_END = 8


def make(nbytes: int, object_type: str) -> Any:
    """Return a new array of so many bytes, of a library of NAMES."""
    library = kind(object_type)
    array = library.allocate(nbytes)
    library.write(array, os.urandom(nbytes))
    return array


def ends(arrays: Iterable[Any], object_type: str) -> list[bytes]:
    """Return the first and the last bytes of each array, by which it is known again."""
    library = kind(object_type)
    return [library.read(array[:_END]) + library.read(array[-_END:]) for array in arrays]
