# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Objects with memory, of every kind that a transfer takes."""

import array
import io
import mmap

import numpy as np

from ucxx import core


class Foreign:
    """Memory behind __array_interface__ only."""

    def __init__(self, owner, **interface):
        """Take the fields over."""
        self.owner = owner
        self.__array_interface__ = {**owner.__array_interface__, **interface}


class Tensor:
    """Memory behind DLPack only."""

    def __init__(self, owner):
        """Keep the array."""
        self.owner = owner

    def __dlpack__(self):
        """Give the array's."""
        return self.owner.__dlpack__()


# Makes a writable one of a multiple of 16 bytes.
WRITABLE = {
    "ndarray": lambda size: np.zeros(size, dtype="u1"),
    "float64": lambda size: np.zeros(size // 8),
    "2-D": lambda size: np.zeros((2, size // 2), dtype="u1"),
    "Fortran": lambda size: np.zeros((4, size // 4), dtype="u1", order="F"),
    "datetime64": lambda size: np.zeros(size // 8, dtype="M8[s]"),
    "record": lambda size: np.zeros(size // 16, dtype=[("a", "f8"), ("b", "i4", 2)]),
    "bytearray": bytearray,
    "array": lambda size: array.array("d", bytes(size)),
    "memoryview": lambda size: memoryview(bytearray(size)),
    "mmap": lambda size: mmap.mmap(-1, size),
    "BytesIO": lambda size: io.BytesIO(bytes(size)).getbuffer(),
    "array interface": lambda size: Foreign(np.zeros(size, dtype="u1")),
    "DLPack": lambda size: Tensor(np.zeros(size // 8)),
    "Array": lambda size: core.Array(bytearray(size)),
}
