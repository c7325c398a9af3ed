# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""CUDA's driver is not asked about memory that Python knows to be the host's, and may be too old to be asked."""

import pathlib

import pytest

from ucxx import _core

TESTS = pathlib.Path(_core.__file__).parents[2] / "tests"
COUNTING = TESTS / "cuda/driver"  # stands in for CUDA's driver, and counts its questions
OLD, PART = TESTS / "drivers/old", TESTS / "drivers/first"

PROGRAM = """
import ctypes
import numpy as np
import ucxx
from ucxx import core

context = core.UCXContext()
worker, other = core.UCXWorker(context), core.UCXWorker(context)
here = core.UCXEndpoint.create_from_worker_address(worker, other.address)
there = core.UCXEndpoint.create_from_worker_address(other, worker.address)


class Interface:
    def __init__(self, owner, name):
        self.owner = owner
        setattr(self, name, {**owner.__array_interface__, "version": 3})


class Tensor:
    def __init__(self, owner):
        self.owner = owner

    def __dlpack__(self):
        return self.owner.__dlpack__()


def end(*requests):
    while not all(request.completed for request in requests):
        worker.progress()
        other.progress()
    for request in requests:
        request.check_error()


"""

COUNT = """
calls_of = ctypes.CDLL("libcuda.so.1").ucxx_stand_in_calls_of
calls_of.restype = ctypes.c_uint64


def questions():
    return calls_of(b"cuPointerGetAttributes")


"""

TRANSFERS = """
handle = core.MemoryHandle(context, 4096)
key = core.RemoteKey.create_from_buffer(here, bytes(handle.create_remote_key()))
for size in (8, 1 << 20):
    array = np.ones(size, "u1")
    kinds = [array, bytes(array), bytearray(array), memoryview(array), core.Array(array), Tensor(array),
             Interface(array, "__array_interface__")]
    for kind in kinds:
        into = np.zeros(size, "u1")
        end(here.tag_send(kind, 1), other.tag_recv(into, 1))
        end(here.tag_send(kind, 1), there.tag_recv(into, 1))
        end(here.stream_send(kind), there.stream_recv(into))
        end(here.am_send(kind), there.am_recv())
        end(here.tag_send_multi([kind, kind], 1), there.tag_recv_multi(1))
    probed = here.tag_send(array, 2)
    while not (info := other.tag_probe(2, remove=True)).matched:
        other.progress()
    end(there.tag_recv_with_handle(np.zeros(size, "u1"), info), probed)
    core.MemoryHandle(context, array)
end(here.put(np.ones(4096, "u1"), key), here.get(np.ones(4096, "u1"), key))
print(questions())
"""


REFUSED = """
array = np.ones(8, "u1")
device = Interface(array, "__cuda_array_interface__")
for send in (
    lambda: here.tag_send(device, 1),
    lambda: here.stream_send(device),
    lambda: here.am_send(device),
    lambda: here.tag_send_multi([array, device], 1),
    lambda: here.tag_recv(device, 1),
    lambda: core.MemoryHandle(context, device),
):
    try:
        send()
        print("not refused")
    except ucxx.UCXUnsupportedError as error:
        assert hex(array.ctypes.data) in str(error), error
        print("refused:", error)
end(here.tag_send(array, 1), other.tag_recv(bytearray(8), 1))
"""

FAILING = """
device = Interface(np.ones(8, "u1"), "__cuda_array_interface__")
for _ in range(3):
    receive, send = here.tag_recv(device, 1), there.tag_send(b"12345678", 1)
    try:
        end(receive, send)
    except ucxx.UCXIOError:
        print("IOError")
worker.progress()  # the lines of the log
"""


@pytest.fixture
def run_with(run_python):
    """Return a function that runs a program with a driver, and returns what it has printed."""

    def run(folder, program, **environment):
        assert (folder / "libcuda.so.1").exists(), "built with the tests in C++"
        # UCX must not take it for a whole driver.
        status, said = run_python(PROGRAM + program, LD_LIBRARY_PATH=str(folder), UCX_MODULES="^cuda",
                                  **environment)
        assert status == 0, said
        return said.strip()

    return run


def test_host_memory_is_not_asked_about(run_with):
    assert run_with(COUNTING, COUNT + TRANSFERS) == "0"


def test_memory_that_is_said_to_be_a_devices_is_asked_about(run_with):
    asks = """
array = np.ones(8, "u1")
end(here.tag_send(Interface(array, "__cuda_array_interface__"), 1), other.tag_recv(bytearray(8), 1))
print(questions())
"""
    assert run_with(COUNTING, COUNT + asks) == "1"


def test_a_device_of_a_driver_that_is_too_old_is_an_error(run_with):
    said = run_with(OLD, REFUSED)
    assert said.count("refused:") == 6 and "not refused" not in said, said
    why = "is in the memory of a device; libcuda.so.1 has no cuGetProcAddress: it is older than CUDA 11.3"
    assert said.count(why) == 5, said
    assert said.count("the memory of a device is taken for the host's") == 1, said  # the log


def test_a_driver_that_fails_to_answer_is_told_once(run_with):
    said = run_with(PART, FAILING, CUDA_PART="cuPointerGetAttributes")
    assert said.count("cuPointerGetAttributes: error 999 of CUDA") == 1, said
    assert said.count("IOError") == 3, said
