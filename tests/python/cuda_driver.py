# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""CUDA's driver by ctypes, for programs of the tests: the stand-in (tests/cuda/driver), or that of a GPU."""

import contextlib
import ctypes
import time

import numpy as np

DEADLINE = 20
_NON_BLOCKING = 1
_PORTABLE, _MAPPED = 1, 2
_NOT_READY = 600
_OF_THREAD = 2
_U64 = ctypes.c_uint64


class DriverError(Exception):
    """A call has failed."""


def call(name, *arguments):
    """Call a function, which must succeed: ints are words, others as ctypes takes them."""
    words = [_U64(each) if isinstance(each, int) else each for each in arguments]
    result = getattr(_library(), name)(*words)
    if result != 0:
        raise DriverError(f"{name}: {result}")


def _library():
    return ctypes.CDLL("libcuda.so.1")


def made_by(name, *arguments):
    """Return the handle that a function writes to its first argument."""
    handle = _U64()
    call(name, ctypes.byref(handle), *arguments)
    return handle.value


def calls_of(name):
    """Return how often a function was called; of the stand-in only."""
    count = _library().ucxx_stand_in_calls_of
    count.restype = _U64
    return count(name.encode())


def use_device(ordinal=0):
    """Make the context of a device current in this thread."""
    call("cuInit", ctypes.c_uint(0))
    call("cuCtxSetCurrent", made_by("cuDevicePrimaryCtxRetain", ctypes.c_int(ordinal)))


@contextlib.contextmanager
def held_copies():
    """Copies of streams do not begin in the body; of the stand-in only."""
    hold = _library().ucxx_stand_in_hold_copies
    hold(1)
    try:
        yield
    finally:
        hold(0)


def copies_in_flight():
    """Return how many copies streams have been given that are not done; of the stand-in only."""
    count = _library().ucxx_stand_in_copies_in_flight
    count.restype = ctypes.c_size_t
    return count()


def pinned(nbytes):
    """Return page-locked bytes, for ever: zeros, an array."""
    address = made_by("cuMemHostAlloc", nbytes, ctypes.c_uint(_PORTABLE | _MAPPED))
    array = np.frombuffer((ctypes.c_ubyte * nbytes).from_address(address), "u1")
    array[:] = 0
    return array


def until(condition, what):
    """Look until the condition holds."""
    deadline = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.0002)


class Word:
    """A word that streams and this process write and read."""

    def __init__(self):
        """0."""
        self._word = pinned(8).view("u8")
        self.address = made_by("cuMemHostGetDevicePointer_v2", self._word.ctypes.data, ctypes.c_uint(0))

    @property
    def value(self):
        """What it holds."""
        return int(self._word[0])

    @value.setter
    def value(self, value):
        self._word[0] = value


class Stream:
    """A stream; it has a gate, which it waits for after `shut`, until `open`."""

    def __init__(self, flags=_NON_BLOCKING):
        """Make it."""
        self.handle = made_by("cuStreamCreate", ctypes.c_uint(flags))
        self._gate, self._closed = Word(), 0

    @classmethod
    def of_thread(cls):
        """Return the one that each thread has of its own."""
        self = cls.__new__(cls)
        self.handle = _OF_THREAD
        return self

    def shut(self):
        """Let it wait from here on."""
        self._closed += 1
        call("cuStreamWaitValue64_v2", self.handle, self._gate.address, self._closed, ctypes.c_uint(0))

    def open(self):
        """Let it go on."""
        self._gate.value = self._closed

    def follow(self, other):
        """Let it wait for what is in another stream now."""
        event = made_by("cuEventCreate", ctypes.c_uint(2))
        call("cuEventRecord", event, other.handle)
        call("cuStreamWaitEvent", self.handle, event, ctypes.c_uint(0))
        call("cuEventDestroy_v2", event)

    def write(self, word, value=1):
        """Let it write a word."""
        call("cuStreamWriteValue64_v2", self.handle, word.address, value, ctypes.c_uint(0))

    def is_idle(self):
        """Tell whether all in it is done."""
        result = _library().cuStreamQuery(_U64(self.handle))
        assert result in (0, _NOT_READY), result
        return result == 0

    def drain(self):
        """Wait until all in it is done."""
        until(self.is_idle, "the stream waits for ever")

    def begin_capture(self):
        """Make a graph of what comes."""
        call("cuStreamBeginCapture_v2", self.handle, ctypes.c_int(0))

    def end_capture(self):
        """Return the graph."""
        graph = Graph.__new__(Graph)
        graph.handle, graph._exec = made_by_last("cuStreamEndCapture", self.handle), None
        return graph


def made_by_last(name, *arguments):
    """Return the handle that a function writes to its last argument."""
    handle = _U64()
    call(name, *arguments, ctypes.byref(handle))
    return handle.value


class Graph:
    """A graph, and what was instantiated from it."""

    def __init__(self):
        """Make an empty one."""
        self.handle, self._exec = made_by("cuGraphCreate", ctypes.c_uint(0)), None

    def launch(self, stream):
        """Launch it in a stream."""
        if self._exec is None:
            self._exec = made_by("cuGraphInstantiateWithFlags", self.handle, 0)
        call("cuGraphLaunch", self._exec, stream.handle)

    def destroy(self):
        """End both."""
        if self._exec is not None:
            call("cuGraphExecDestroy", self._exec)
        call("cuGraphDestroy", self.handle)


class Kernel:
    """What a kernel does by the handle of a condition (ucxx/cuda/device.h), done by a stream."""

    def __init__(self, handle):
        """Read the words in the memory of the device."""
        words = (_U64 * 3)()
        call("cuMemcpyDtoH_v2", ctypes.byref(words), handle.ptr, ctypes.sizeof(words))
        self._trigger, self._answer, self._base = words
        self._triggers = 0

    def trigger(self, stream):
        """Trigger it, once more."""
        self._triggers += 1
        call("cuStreamWriteValue64_v2", stream.handle, self._trigger, self._base + self._triggers,
             ctypes.c_uint(0))  # fmt: skip

    def wait(self, stream, epoch):
        """Let the stream wait until it has ended so often."""
        call("cuStreamWaitValue64_v2", stream.handle, self._answer, self._base + epoch, ctypes.c_uint(0))
