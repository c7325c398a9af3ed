# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Large sends that nobody receives: cancel, deadlines, close, and the end of the worker."""

import asyncio
import time

import handlers
import pytest
from served import served, within

import ucxx

LARGE = (64 << 20) + 1  # more than is fetched before there is a receive
CHANNELS = {"local": {}, "tcp": {"UCXX_LOCAL": "off"}}
SENDS = {
    "send": lambda endpoint, data: endpoint.send(data),
    "am_send": lambda endpoint, data: endpoint.am_send(data),
    "send_multi": lambda endpoint, data: endpoint.send_multi([b"small", data, data]),
}


@pytest.fixture(autouse=True)
def fresh():
    """Leave nothing initialised."""
    yield
    ucxx.reset()


def run(server, program, options):
    async def main():
        ucxx.init(options)
        endpoint = await within(ucxx.create_endpoint("127.0.0.1", server.port))
        await within(program(endpoint))
        endpoint.abort()

    asyncio.run(main())


async def expect_end(endpoint, send):
    data = bytearray(LARGE)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await send(endpoint, data)
    begin = time.monotonic()
    task = asyncio.create_task(send(endpoint, data))
    await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.wait([task])
    assert time.monotonic() - begin < 1  # 0.2 at most; the machine may be busy
    assert task.cancelled()
    data.clear()  # a pinned bytearray cannot be resized


@pytest.mark.parametrize("options", CHANNELS.values(), ids=CHANNELS)
@pytest.mark.parametrize("send", SENDS.values(), ids=SENDS)
def test_a_deadline_and_cancel_end_it(options, send):
    async def program(endpoint):
        await expect_end(endpoint, send)

    with served(handlers.silent, options) as server:
        run(server, program, options)


@pytest.mark.parametrize("send", SENDS.values(), ids=SENDS)
def test_also_while_the_receiver_is_stopped(send):
    async def program(endpoint):
        await endpoint.send(b"met")
        server.stop()
        try:
            await expect_end(endpoint, send)
        finally:
            server.go_on()

    with served(handlers.silent) as server:
        run(server, program, {})


END = """
import gc
import os
import time

from ucxx import core


def send():
    worker = core.UCXWorker(core.UCXContext())
    endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
    buffer = bytearray(8 << 20)
    endpoint.tag_send(buffer, tag=1)
    return buffer


send()
gc.collect()
before = len(os.listdir("/proc/self/fd"))
begin = time.monotonic()
buffer = send()
gc.collect()
took = time.monotonic() - begin
buffer.clear()
assert took < 0.4, took
assert len(os.listdir("/proc/self/fd")) == before
print("fine")
"""


def test_a_worker_ends_with_what_it_has_sent_to_itself(run_python):
    assert run_python(END) == (0, "fine\n")
