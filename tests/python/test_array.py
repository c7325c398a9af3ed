# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Array: what it tells of the memory of an object."""

import array
import io
import mmap

import numpy as np
import pytest
from buffers import Foreign, Tensor

from ucxx import core


@pytest.fixture
def endpoint():
    """Return an endpoint to the own worker."""
    worker = core.UCXWorker(core.UCXContext())
    return core.UCXEndpoint.create_from_worker_address(worker, worker.address)


# What Array tells of an object: (shape, strides, itemsize, C order, Fortran order)
ARRAYS = {
    "bytes": (b"12345", (5,), (1,), 1, True, True),
    "none": (b"", (0,), (1,), 1, True, True),
    "bytearray": (bytearray(3), (3,), (1,), 1, True, True),
    "array.array": (array.array("d", [1, 2]), (2,), (8,), 8, True, True),
    "memoryview 2-D": (
        memoryview(bytes(12)).cast("B").cast("i", (1, 3)),
        (1, 3),
        (12, 4),
        4,
        True,
        True,
    ),
    "memoryview sliced": (memoryview(bytes(10))[::2], (5,), (2,), 1, False, False),
    "BytesIO": (io.BytesIO(bytes(4)).getbuffer(), (4,), (1,), 1, True, True),
    "mmap": (mmap.mmap(-1, 16), (16,), (1,), 1, True, True),
    "ndarray": (np.zeros((2, 3), "f4"), (2, 3), (12, 4), 4, True, False),
    "Fortran": (np.zeros((2, 3), "f4", order="F"), (2, 3), (4, 8), 4, False, True),
    "strided": (np.zeros((4, 6), "f8")[::2, ::3], (2, 2), (96, 24), 8, False, False),
    "reversed": (np.arange(3, dtype="i2")[::-1], (3,), (-2,), 2, False, False),
    "dates": (np.zeros(3, "datetime64[s]"), (3,), (8,), 8, True, True),
    "scalar": (np.array(1.0), (), (), 8, True, True),
    "array interface": (Foreign(np.zeros((2, 3))), (2, 3), (24, 8), 8, True, False),
    "strided interface": (Foreign(np.zeros((4, 2))[::2]), (2, 2), (32, 8), 8, False, False),
    "DLPack": (Tensor(np.zeros((2, 3))), (2, 3), (24, 8), 8, True, False),
    "strided DLPack": (Tensor(np.zeros((2, 3)).T), (3, 2), (8, 24), 8, False, True),
}


@pytest.mark.parametrize("kind", ARRAYS)
def test_array_tells_of_its_object(kind):
    thing, shape, strides, itemsize, is_c, is_f = ARRAYS[kind]
    told = core.Array(thing)
    assert (told.shape, told.strides, told.itemsize) == (shape, strides, itemsize)
    assert (told.c_contiguous, told.f_contiguous) == (is_c, is_f)
    assert told.contiguous == (is_c or is_f)
    assert told.ndim == len(shape) and told.nbytes == itemsize * int(np.prod(shape))
    assert told.obj is thing and told.cuda is False and told.ptr != 0
    assert not hasattr(told, "__cuda_array_interface__")


def test_array_knows_address_and_access():
    numbers = np.arange(3)
    assert core.Array(numbers).ptr == numbers.ctypes.data
    assert core.Array(numbers).readonly is False and core.Array(b"").readonly is True
    numbers.flags.writeable = False
    assert core.Array(numbers).readonly is True


def test_array_pins_its_object():
    pinned = bytearray(3)
    told = core.Array(pinned)
    with pytest.raises(BufferError):
        pinned.clear()
    del told
    pinned.clear()


def test_array_of_a_device():
    class Device:
        def __init__(self, owner):
            self.owner = owner
            self.__cuda_array_interface__ = {**owner.__array_interface__, "version": 3}

    numbers = np.zeros((2, 3))
    told = core.Array(Device(numbers))
    assert told.cuda is True and told.shape == (2, 3) and told.ptr == numbers.ctypes.data
    assert told.__cuda_array_interface__["data"] == (numbers.ctypes.data, False)
    with pytest.raises(BufferError, match="this memory is a device's"):
        memoryview(told)


def test_array_that_is_not_contiguous_is_not_sent(endpoint):
    for thing in (np.arange(10)[::2], Foreign(np.arange(10)[::2])):
        with pytest.raises((ValueError, BufferError), match="is not contiguous"):
            endpoint.tag_send(core.Array(thing), tag=1)


@pytest.mark.parametrize("thing", [None, 3, "text", [b"x"], object()])
def test_array_of_an_object_without_memory(thing):
    with pytest.raises(TypeError, match=f"{type(thing).__name__} has no memory to transfer"):
        core.Array(thing)


@pytest.mark.parametrize(
    "interface",
    [
        {"shape": (2**62, 8)},
        {"shape": (-1,)},
        {"strides": (8, 8)},
        {"data": "nowhere"},
        {"data": (1,)},
        {"typestr": "|V0"},
    ],
)
def test_array_of_an_interface_that_lies(interface):
    with pytest.raises((TypeError, ValueError)):
        core.Array(Foreign(np.zeros(2), **interface))


def test_array_of_objects_is_refused():
    with pytest.raises(TypeError):
        core.Array(np.array([1, "two"], dtype=object))
