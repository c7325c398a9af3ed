# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The driver of CUDA is not asked about memory that Python knows to be the host's."""

import pathlib

import pytest

from ucxx import _core

# Stands in for CUDA's driver, and counts its questions; beside the extension in the build folder.
DRIVER = pathlib.Path(_core.__file__).parents[2] / "tests/cuda_driver/libcuda.so.1"

PROGRAM = """
import ctypes
import numpy as np
from ucxx import core

questions = ctypes.CDLL("libcuda.so.1").cudaDriverQueries
questions.restype = ctypes.c_ulong
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


@pytest.fixture
def run_with_driver(run_python):
    """Return a function that runs a program with that driver, and returns what it has printed."""
    assert DRIVER.exists(), "built with the tests in C++"

    def run(program):
        # UCX must not take it for a whole driver.
        status, said = run_python(PROGRAM + program, LD_LIBRARY_PATH=str(DRIVER.parent), UCX_MODULES="^cuda")
        assert status == 0, said
        return said.strip()

    return run


def test_host_memory_is_not_asked_about(run_with_driver):
    assert run_with_driver(TRANSFERS) == "0"


def test_memory_that_is_said_to_be_a_devices_is_asked_about(run_with_driver):
    asks = """
array = np.ones(8, "u1")
end(here.tag_send(Interface(array, "__cuda_array_interface__"), 1), other.tag_recv(bytearray(8), 1))
print(questions())
"""
    assert run_with_driver(asks) == "1"
