# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Ten thousand connections, and what they leave: descriptors, memory, objects of Python."""

import asyncio
import gc
import os
import threading
import tracemalloc

import handlers
import numpy as np
import pytest
from served import served, within

import ucxx
from ucxx import core

CHANNELS = {"local": {}, "tcp": {"UCXX_LOCAL": "off"}}
CONNECTIONS, AT_ONCE = 10_000, 20


@pytest.fixture(autouse=True)
def fresh():
    """Leave nothing initialised."""
    yield
    gc.collect()
    ucxx.reset()


def in_use():
    """Return descriptors, threads, and resident memory in MiB."""
    gc.collect()
    with open("/proc/self/statm") as file:
        resident = int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") >> 20
    return len(os.listdir("/proc/self/fd")), threading.active_count(), resident


async def connect_and_talk(port, close):
    endpoint = await within(ucxx.create_endpoint("127.0.0.1", port))
    buffer = bytearray(8)
    await within(endpoint.send(b"12345678"))
    await within(endpoint.recv(buffer))
    if close:
        await within(endpoint.close())


@pytest.mark.slow
@pytest.mark.timeout(180)
@pytest.mark.parametrize("channel", CHANNELS)
def test_connections_leave_nothing(channel):
    async def some(port, count):
        for i in range(count // AT_ONCE):
            # Every other one is dropped, not closed.
            await asyncio.gather(*(connect_and_talk(port, i % 2 == 0) for _ in range(AT_ONCE)))

    async def main(port):
        ucxx.init(CHANNELS[channel])
        await some(port, CONNECTIONS // 5)
        descriptors, threads, resident = in_use()
        tracemalloc.start()
        began = tracemalloc.get_traced_memory()[0]
        await some(port, CONNECTIONS)
        now = in_use()
        grown = tracemalloc.get_traced_memory()[0] - began
        tracemalloc.stop()
        assert now[0] <= descriptors + 2 * AT_ONCE  # those dropped last are still ending
        assert now[1] == threads
        assert now[2] <= resident + 24
        assert grown < 10 * CONNECTIONS

    with served(handlers.echo_bytes, CHANNELS[channel]) as server:
        asyncio.run(main(server.port))


@pytest.mark.slow
def test_transfers_leave_nothing():
    worker = core.UCXWorker(core.UCXContext())
    endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
    data, buffer = np.zeros(1 << 18, dtype="u1"), np.empty(1 << 18, dtype="u1")

    def some(count):
        for i in range(count):
            size = (0, 8, 1 << 12, 1 << 18)[i % 4]
            request = endpoint.tag_recv(buffer[:size], tag=1)
            endpoint.tag_send(data[:size], tag=1).wait(5)
            assert request.wait(5) == size
            request = endpoint.tag_recv_multi(tag=2)
            endpoint.tag_send_multi([data[:size], b"head"], tag=2).wait(5)
            assert [len(frame) for frame in request.wait(5)] == [size, 4]
            endpoint.tag_recv(buffer, tag=3).cancel()

    some(2000)
    before = in_use()
    tracemalloc.start()
    began = tracemalloc.get_traced_memory()[0]
    some(10_000)
    grown = tracemalloc.get_traced_memory()[0] - began
    tracemalloc.stop()
    after = in_use()
    assert after[:2] == before[:2]
    assert after[2] <= before[2] + 16
    assert grown < 100_000


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["loop", "polling", "thread", "thread-polling"])
def test_a_thousand_loops_leave_nothing(mode):
    async def main():
        address = ucxx.get_worker_address()
        one = await ucxx.create_endpoint_from_worker_address(address)
        await one.send(b"x", 1, True)
        await one.recv(bytearray(1), 1, True)
        one.recv(bytearray(1), 2, True)

    def some(count):
        for _ in range(count):
            asyncio.run(main())

    ucxx.init(progress_mode=mode)
    some(50)
    before = in_use()
    some(1000)
    after = in_use()
    assert after[:2] == before[:2]
    assert after[2] <= before[2] + 8
