# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A process that has not initialised CUDA receives what another one sends from memory of a device."""

import asyncio
import pathlib
import sys

from cuda_driver import use_device
from device_arrays import Plain, bytes_of, pattern
from device_ends import raises

import ucxx

SIZES = (8, 100_000, 5_000_000)
PATIENCE = 40
PEER = """
import asyncio, sys
sys.path.insert(0, {folder!r})
import device_without
asyncio.run(device_without.send({port}))
"""


async def send(port):
    """Send everything, as the process that has a device."""
    use_device()
    async with await ucxx.create_endpoint("127.0.0.1", port) as endpoint:
        for nbytes in SIZES:
            array = Plain(pattern(nbytes))
            await endpoint.send(array)
            await endpoint.am_send(array)
            await endpoint.send_multi([array])


async def receive():
    """Receive it: frames have no memory to come into, all else comes to the host."""
    accepted = asyncio.get_running_loop().create_future()
    listener = ucxx.create_listener(accepted.set_result)
    code = PEER.format(folder=str(pathlib.Path(__file__).parent), port=listener.port)
    process = await asyncio.create_subprocess_exec(sys.executable, "-B", "-c", code)
    endpoint = await accepted
    for nbytes in SIZES:
        room = bytearray(nbytes)
        await endpoint.recv(room)
        assert room == bytes_of(await endpoint.am_recv()) == pattern(nbytes)
        with raises(ucxx.UCXUnsupportedError, "multi-buffer receive", "nobody has initialised CUDA"):
            await endpoint.recv_multi()
    assert await process.wait() == 0
    await endpoint.close()
    listener.close()


def run():
    """Be the process without a device."""
    asyncio.run(asyncio.wait_for(receive(), PATIENCE))
    ucxx.reset()
