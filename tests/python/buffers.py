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
    """A DLPack tensor of bytes of any shape, with memory or not, of any version and flags."""

    class _Tensor(ctypes.Structure):
        _fields_ = [
            ("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("ndim", ctypes.c_int32),
            ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
            ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
            ("byte_offset", ctypes.c_uint64),
        ]  # fmt: skip

    _DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)

    def __init__(self, *shape, ndim=None, memory=None, strides=None, version=None, flags=0,
                 code=1, bits=8, device=1, name=None):  # fmt: skip
        """Make it; `memory`: a writable buffer. It counts how often it was given back."""
        self.given_back = 0
        self._memory = memory
        data = None if memory is None else (ctypes.c_char * len(memory)).from_buffer(memory)
        self._deleter = self._DELETER(self._give_back)
        axes = [None if given is None else (ctypes.c_int64 * len(given))(*given)
                for given in (shape, strides)]  # fmt: skip
        self._tensor = self._Tensor(data and ctypes.addressof(data), (device, 0),
                                    len(shape) if ndim is None else ndim, code, bits, 1, *axes)  # fmt: skip
        self._name = (name or ("dltensor" if version is None else "dltensor_versioned")).encode()
        self._managed = self._with_version(version, flags) if version else self._without_version()
        self._keep = axes, data

    def _give_back(self, _):
        self.given_back += 1

    def _without_version(self):
        class Managed(ctypes.Structure):
            _fields_ = [("tensor", self._Tensor), ("manager", ctypes.c_void_p), ("deleter", self._DELETER)]

        return Managed(self._tensor, None, self._deleter)

    def _with_version(self, version, flags):
        class Managed(ctypes.Structure):
            _fields_ = [("version", ctypes.c_uint32 * 2), ("manager", ctypes.c_void_p),
                        ("deleter", self._DELETER), ("flags", ctypes.c_uint64), ("tensor", self._Tensor)]  # fmt: skip

        return Managed(version, None, self._deleter, flags, self._tensor)

    def __dlpack__(self):
        """Return a capsule of it."""
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self._managed), self._name, None)


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
