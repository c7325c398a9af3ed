# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Objects with memory, of every kind that a transfer takes."""

import array
import ctypes
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


class Lie:
    """A DLPack tensor of bytes of any shape, with memory or not."""

    class _Tensor(ctypes.Structure):
        _fields_ = [
            ("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("ndim", ctypes.c_int32),
            ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
            ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.c_void_p),
            ("byte_offset", ctypes.c_uint64), ("manager", ctypes.c_void_p),
            ("deleter", ctypes.c_void_p),
        ]  # fmt: skip

    def __init__(self, *shape, ndim=None):
        """Make it; it has no memory."""
        self._shape = (ctypes.c_int64 * len(shape))(*shape)
        ndim = len(shape) if ndim is None else ndim
        self._tensor = self._Tensor(None, (1, 0), ndim, 1, 8, 1, self._shape)

    def __dlpack__(self):
        """Return a capsule of it."""
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self._tensor), b"dltensor", None)


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
