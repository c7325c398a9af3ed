# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Memory of a device in objects of every kind that a transfer takes, for programs over a driver of CUDA."""

import ctypes

import numpy as np
from cuda_driver import Stream, call

from ucxx import core

_READ_ONLY = 1  # a flag of DLPack


def pattern(nbytes, seed=0):
    """Return bytes that differ from those of other seeds."""
    return ((np.arange(nbytes) * 7 + seed * 31 + 1) % 251).astype("u1").tobytes()


def bytes_of(thing):
    """Return what lies in an array of this module, a DeviceBuffer or a buffer of the host."""
    if isinstance(thing, Device):
        return thing.content
    if not hasattr(thing, "__cuda_array_interface__"):
        return bytes(thing)
    array = core.Array(thing)
    content = bytearray(array.nbytes)
    if content:
        into = ctypes.addressof(ctypes.c_char.from_buffer(content))
        call("cuMemcpyDtoH_v2", into, array.ptr, len(content))
    return bytes(content)


class Device:
    """Bytes of the device that is current at first, which have no interface."""

    def __init__(self, content):
        """Take bytes, or room for so many."""
        self.memory = core.DeviceBuffer(content if isinstance(content, int) else len(content))
        self.nbytes, self.ptr = len(self.memory), core.Array(self.memory).ptr
        if not isinstance(content, int):
            self.content = content

    @property
    def content(self):
        """What it holds."""
        return bytes_of(self.memory)

    @content.setter
    def content(self, content):
        if content:
            call("cuMemcpyHtoD_v2", self.ptr, ctypes.c_char_p(bytes(content)), len(content))


class Plain(Device):
    """Of __cuda_array_interface__ that names no stream, as PyTorch's."""

    stream = None

    @property
    def __cuda_array_interface__(self):
        """Name the memory."""
        interface = {"shape": (self.nbytes,), "typestr": "|u1", "version": 3,
                     "data": (self.ptr if self.nbytes else 0, False)}  # fmt: skip
        return interface if self.stream is None else {**interface, "stream": self.stream.handle}


class Streamed(Plain):
    """Of one that names a stream, as CuPy's."""

    def __init__(self, content, stream=None):
        """Name this stream, or one of its own."""
        super().__init__(content)
        self.stream = stream or Stream()


class Tensor(Device):
    """Of DLPack alone. Whoever asks is made to wait for its stream."""

    def __init__(self, content, stream=None):
        """Its work is in this stream; None: there is none."""
        super().__init__(content)
        self._stream = stream
        self.asked = []  # the streams

    def __dlpack_device__(self):
        """Say where it is."""
        return self.memory.__dlpack_device__()

    def __dlpack__(self, *, stream=None, max_version=None):
        """Give a capsule."""
        self.asked.append(stream)
        if self._stream is not None and stream != -1:
            assert stream == Stream.of_thread().handle
            Stream.of_thread().follow(self._stream)
        return self.memory.__dlpack__(max_version=max_version)


class ReadOnly(Tensor):
    """The same, of an array that may not be written to, as JAX's."""

    def __dlpack__(self, *, stream=None, max_version=None):
        """Give a capsule that says so."""
        capsule = super().__dlpack__(stream=stream, max_version=max_version)
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        flags_at = pointer(capsule, b"dltensor_versioned") + 24  # behind version, manager and deleter
        ctypes.c_uint64.from_address(flags_at).value |= _READ_ONLY
        return capsule


def host(content):
    """Return bytes of the host, or room for so many."""
    return bytearray(content)


# Into each of them can be received.
KINDS = {"host": host, "no stream": Plain, "a stream": Streamed, "DLPack": Tensor, "library": None}


def made(kind, content):
    """Return bytes of a kind, or room for so many."""
    if kind == "library":
        return Device(content).memory
    return KINDS[kind](content)
