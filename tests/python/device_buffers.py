# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Programs over a driver of CUDA with memory of a device that the library gives."""

import ctypes
import gc
import os
import threading

import numpy as np
from cuda_driver import calls_of, use_device
from device_ends import raises

import ucxx
from ucxx import core

MIB = 1 << 20
CUDA = (2, 0)  # kDLCUDA, the first device


def bytes_of(array):
    """Return the bytes, which the processor reaches over the stand-in."""
    interface = array.__cuda_array_interface__
    return np.frombuffer((ctypes.c_ubyte * interface["shape"][0]).from_address(interface["data"][0]), "u1")


class Tensor:
    """What has DLPack alone."""

    def __init__(self, owner):
        self.__dlpack__, self.__dlpack_device__ = owner.__dlpack__, owner.__dlpack_device__


def it_says_where_its_memory_is():
    use_device()
    buffer = core.DeviceBuffer(1000)
    address = core.Array(buffer).ptr
    assert buffer.__cuda_array_interface__ == {
        "shape": (1000,), "typestr": "|u1", "data": (address, False), "version": 3,
    }  # fmt: skip
    assert len(buffer) == 1000 and address % 256 == 0
    assert core.pool_stats()["device_used_bytes"] == 1024
    empty = core.DeviceBuffer(nbytes=0)
    assert len(empty) == 0 and empty.__cuda_array_interface__["data"] == (0, False)
    assert core.Array(empty).nbytes == 0


def dlpack_says_the_same():
    use_device()
    buffer = core.DeviceBuffer(1000)
    assert buffer.__dlpack_device__() == CUDA
    for consumer in (Tensor(buffer), Array_of_old(buffer)):
        array = core.Array(consumer)
        assert array.cuda and not array.readonly and array.shape == (1000,) and array.strides == (1,)
        assert array.itemsize == 1 and array.ptr == core.Array(buffer).ptr


class Array_of_old(Tensor):  # noqa: N801
    """A producer that knows no versions."""

    def __init__(self, owner):
        super().__init__(owner)
        self.__dlpack__ = lambda stream=None: owner.__dlpack__(stream=stream)


def capsules_are_of_the_version_that_is_wanted():
    use_device()
    buffer = core.DeviceBuffer(1)
    assert '"dltensor"' in repr(buffer.__dlpack__())
    assert '"dltensor"' in repr(buffer.__dlpack__(max_version=(0, 8)))
    assert '"dltensor_versioned"' in repr(buffer.__dlpack__(max_version=(1, 0), dl_device=CUDA, copy=False, stream=1))
    assert '"dltensor_versioned"' in repr(buffer.__dlpack__(max_version=(2, 3)))
    with raises(BufferError, "copy=True"):
        buffer.__dlpack__(copy=True)
    for other in ((1, 0), (2, 1)):
        with raises(BufferError, "dl_device"):
            buffer.__dlpack__(dl_device=other)
    for wrong in ({"max_version": 1}, {"max_version": ()}, {"dl_device": (2,)}, {"dl_device": "ab"}):
        with raises(TypeError, *wrong, "a tuple of two ints"):
            buffer.__dlpack__(**wrong)


def idle():
    gc.collect()
    return core.pool_stats()["device_idle_bytes"]


def whoever_has_it_keeps_it():
    use_device()
    for hold in (
        lambda buffer: buffer.__dlpack__(),
        lambda buffer: buffer.__dlpack__(max_version=(1, 0)),
        lambda buffer: core.Array(Tensor(buffer)),
        core.Array,
    ):
        ucxx.trim_pool()
        holder = hold(core.DeviceBuffer(MIB))
        assert idle() == 0, holder
        del holder
        assert idle() == MIB


def a_consumer_may_end_it_in_a_thread_without_python():
    use_device()
    capsule = core.DeviceBuffer(MIB).__dlpack__()
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    rename = ctypes.pythonapi.PyCapsule_SetName
    rename.argtypes = [ctypes.py_object, ctypes.c_char_p]
    used = b"used_dltensor"
    managed = pointer(capsule, b"dltensor")
    assert rename(capsule, used) == 0
    del capsule
    assert idle() == 0
    # DLManagedTensor: a tensor of 48 bytes, the manager, the deleter. ctypes calls it without the GIL.
    deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(ctypes.c_void_p.from_address(managed + 56).value)
    thread = threading.Thread(target=deleter, args=(managed,))
    thread.start()
    thread.join()
    assert idle() == MIB


def it_is_used_again():
    use_device()
    address = core.Array(core.DeviceBuffer(MIB)).ptr
    calls = calls_of("cuMemAlloc")
    assert core.Array(core.DeviceBuffer(MIB)).ptr == address and calls_of("cuMemAlloc") == calls
    core.set_pool_limits(device_idle_bytes=0)
    assert idle() == 0 and core.pool_stats()["device_idle_limit_bytes"] == 0
    core.set_pool_limits()
    assert core.pool_stats()["device_idle_limit_bytes"] == 0
    for name in ("device_idle_bytes", "staging_bytes"):
        with raises(ValueError, name):
            core.set_pool_limits(**{name: -1})


def staging_memory_has_a_limit():
    """Without any, one copy at a time goes through four blocks."""
    use_device()
    worker = core.UCXWorker(core.UCXContext())
    endpoint = worker.create_endpoint_from_worker_address(worker.address)
    core.set_pool_limits(staging_bytes=0)
    room = core.DeviceBuffer(MIB)
    received, sent = endpoint.tag_recv(room, 1), endpoint.tag_send(bytes(MIB), 1)
    with raises(ucxx.UCXNoMemoryError):
        received.wait(20)
    core.set_pool_limits(staging_bytes=4 * MIB)
    received, again = endpoint.tag_recv(room, 1), endpoint.tag_send(bytes(range(256)) * 4096, 1)
    received.wait(20)
    assert bytes(bytes_of(room)) == bytes(range(256)) * 4096
    assert sent.completed and again.completed


def trim_gives_it_back():
    use_device()
    core.DeviceBuffer(MIB)
    assert ucxx.trim_pool() >= MIB and idle() == 0


def what_cannot_be_had_is_said():
    with raises(ucxx.UCXUnsupportedError, "nobody has initialised CUDA"):
        core.DeviceBuffer(1)
    use_device()
    with raises(ucxx.UCXNoMemoryError, "bytes left", "CUDA_ERROR_OUT_OF_MEMORY"):
        core.DeviceBuffer(1 << 40)
    with raises(MemoryError, "bytes"):
        core.DeviceBuffer(2**64 - 1)
    for wrong, error in ((-1, ValueError), (2**64, ValueError), ("1", TypeError), (1.0, TypeError)):
        with raises(error, "nbytes"):
            core.DeviceBuffer(wrong)
    with raises(TypeError, "nbytes"):
        core.DeviceBuffer()


def a_thread_without_a_context_has_it_too():
    use_device()
    made = []
    thread = threading.Thread(target=lambda: made.append(core.DeviceBuffer(8)))
    thread.start()
    thread.join()
    assert made[0].__dlpack_device__() == CUDA


def a_forked_child_has_none():
    use_device()
    buffer = core.DeviceBuffer(8)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            core.DeviceBuffer(8)
        except ucxx.UCXUnsupportedError:
            status = 0
        del buffer
        os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
