# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Memory of a device that the library gives, over the driver that stands in for CUDA's."""

import inspect
import os

import device_buffers
import pytest

import ucxx
from ucxx import core

PROGRAMS = [
    name
    for name, thing in vars(device_buffers).items()
    if inspect.isfunction(thing) and thing.__module__ == device_buffers.__name__ and name not in ("bytes_of", "idle")
]


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(run_over_stand_in, name):
    run_over_stand_in(f"import device_buffers\ndevice_buffers.{name}()")


def test_a_frame_of_a_device_comes_in_one_without_an_allocator(run_over_stand_in, stand_in):
    preloaded = stand_in.parent / "libucxx_cuda_for_ucx.so"
    if not preloaded.exists():
        pytest.skip("not built, as where the extension has a sanitizer")
    with open("/proc/self/maps") as maps:
        ucp = next(line.split()[-1] for line in maps if "libucp.so" in line)  # where it looks for what it replaces
    run_over_stand_in(FRAMES, LD_PRELOAD=f"{preloaded}:{ucp}", UCX_TLS="tcp,cuda", UCXX_LOCAL="off")


FRAMES = """
import numpy as np
from cuda_driver import use_device
from device_buffers import bytes_of
from ucxx import core

use_device()
context = core.UCXContext()
assert context.cuda_support
here, there = core.UCXWorker(context), core.UCXWorker(context)
to = core.UCXEndpoint.create_from_worker_address(here, there.address)
back = core.UCXEndpoint.create_from_worker_address(there, here.address)
sent = core.DeviceBuffer(100_000)
bytes_of(sent)[:] = np.arange(100_000, dtype="u1")
requests = [to.tag_send_multi([b"host", sent], 1), back.tag_recv_multi(1)]
while not all(each.completed for each in requests):
    here.progress()
    there.progress()
for each in requests:
    each.check_error()
host, device = requests[1].result()
assert bytes(host) == b"host" and type(device) is core.DeviceBuffer and len(device) == 100_000
assert (bytes_of(device) == bytes_of(sent)).all() and core.Array(device).ptr != core.Array(sent).ptr
"""


@pytest.mark.skipif(os.path.exists("/dev/nvidiactl"), reason="this machine has a driver")
def test_without_a_driver_it_says_so():
    with pytest.raises(ucxx.UCXUnsupportedError, match="libcuda"):
        core.DeviceBuffer(8)
