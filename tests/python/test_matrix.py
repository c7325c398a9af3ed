# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Each progress mode by each channel in each event loop, with buffers of every kind and size."""

import asyncio
import gc

import handlers
import pytest
import uvloop
from buffers import WRITABLE
from served import served, within

import ucxx
from ucxx import core

MODES = ["loop", "blocking", "polling", "thread", "thread-polling"]
# Inside a machine: by our channel, its large messages in turn by the copy of the receiver's and
# through the ring; and by UCX.
CHANNELS = {
    "local": {},
    "copy": {"UCXX_LOCAL_BULK": "copy"},
    "ring": {"UCXX_LOCAL_BULK": "ring"},
    "tcp": {"UCXX_LOCAL": "off"},
}
SIZES = [16, 4096, 200_000, 3 << 20]  # by the ring's line, eager, announced, in many parts


@pytest.fixture(autouse=True)
def fresh():
    """Leave nothing initialised."""
    yield
    gc.collect()
    ucxx.reset()


def pattern(size):
    return bytes(i % 251 for i in range(min(size, 251 * 16))) * (size // (251 * 16) + 1)


def fill(kind, size):
    buffer = WRITABLE[kind](size)
    memoryview(core.Array(buffer))[:] = pattern(size)[:size]
    return buffer


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.parametrize("mode", MODES)
def test_buffers_of_every_kind_come_back(mode, channel, loop):
    async def exchange(endpoint, kind, size):
        sent, received = fill(kind, size), WRITABLE[kind](size)
        await endpoint.send(size.to_bytes(8))
        await endpoint.send(sent)
        assert await endpoint.recv(received) == size
        assert bytes(core.Array(received)) == bytes(core.Array(sent))

    async def main():
        ucxx.init(CHANNELS[channel], progress_mode=mode)
        endpoint = await within(ucxx.create_endpoint("127.0.0.1", server.port))
        for kind in WRITABLE:
            await within(exchange(endpoint, kind, 16))
        for size in SIZES:
            await within(exchange(endpoint, "ndarray", size))
        await within(endpoint.close())

    with served(handlers.echo_sized, CHANNELS[channel], mode) as server:
        factory = uvloop.new_event_loop if loop == "uvloop" else asyncio.new_event_loop
        with asyncio.Runner(loop_factory=factory) as runner:
            runner.run(main())
