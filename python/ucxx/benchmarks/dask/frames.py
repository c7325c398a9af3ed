# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Frames of pandas or cuDF, of random values; tasks of the workers import this."""

from __future__ import annotations

import functools
import importlib
from typing import Any

import dask.dataframe
import numpy

PARTS = 8
_ROW = 16  # bytes: a key and a value
_PRIME = 2_654_435_761  # larger than any number of rows: times it, modulo that, each number comes once


def rows_of(size: int) -> int:
    """Return how many rows each part has of a frame of so many bytes."""
    return max(1, size // _ROW // PARTS)


def bytes_of(rows: int) -> int:
    """Return the bytes of so many rows."""
    return rows * _ROW


def part(number: int, rows: int, keys: int, is_mixed: bool, column: str, library: str) -> Any:
    """Return a part of a frame: a key and a random value in each row.

    Args:
        number: of the part.
        rows: of each part.
        keys: how many there are; all come equally often in the whole frame if they divide its rows.
        is_mixed: whether the keys stand in no order, else they count up.
        column: the name of that of the values.
        library: pandas or cudf.
    """
    numbers = numpy.arange(number * rows, (number + 1) * rows)
    found = (numbers * (_PRIME if is_mixed else 1)) % keys
    values = numpy.random.default_rng().random(rows)
    return importlib.import_module(library).DataFrame({"key": found, column: values})


def frame(rows: int, keys: int, is_mixed: bool, column: str, library: str) -> Any:
    """Return a frame of PARTS parts, which the workers begin to make."""
    make = functools.partial(part, keys=keys, is_mixed=is_mixed, column=column, library=library)
    return dask.dataframe.from_map(make, range(PARTS), rows=rows, meta=make(0, 1).iloc[:0]).persist()
