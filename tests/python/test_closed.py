# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`closed` is `not alive`, whoever ends an endpoint, and however: a loop over it ends."""

import asyncio
import gc
import socket

import handlers
import pytest
from served import CHANNELS, served, within

import ucxx
from ucxx import core

MODES = ["loop", "polling", "thread"]


@pytest.fixture(autouse=True)
def fresh():
    """Leave nothing initialised."""
    yield
    gc.collect()
    ucxx.reset()


async def until_closed(endpoint):
    """Do as ported programs do."""
    while not endpoint.closed:
        assert endpoint.alive
        await asyncio.sleep(0.001)
    assert not endpoint.alive


def run(program, channel, mode):
    async def main():
        ucxx.init(CHANNELS[channel], progress_mode=mode)
        await within(program())

    asyncio.run(main())


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.parametrize("end", ["close", "abort", "drop"])
def test_peer_ends_it(end, channel, mode):
    async def program():
        accepted = asyncio.Queue()
        listener = ucxx.create_listener(accepted.put_nowait)
        here = await ucxx.create_endpoint("127.0.0.1", listener.port)
        there = await accepted.get()
        assert not here.closed and not there.closed
        if end == "close":
            await there.close()
        elif end == "abort":
            there.abort()
        assert there.closed is (end != "drop")
        del there
        gc.collect()
        await until_closed(here)
        assert "failed" in repr(here)
        await here.close()
        assert here.closed and "closed" in repr(here)
        listener.close()

    run(program, channel, mode)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("channel", CHANNELS)
def test_peer_is_killed(channel, mode):
    async def program():
        ended = []
        with served(handlers.silent, CHANNELS[channel], mode) as server:
            endpoint = await ucxx.create_endpoint("127.0.0.1", server.port)
            endpoint.set_close_callback(ended.append, ("ended",))
            assert not endpoint.closed
            server.kill()
            await until_closed(endpoint)
            while not ended:
                await asyncio.sleep(0.001)
        await endpoint.close()

    run(program, channel, mode)


@pytest.mark.parametrize("channel", CHANNELS)
def test_nobody_answers(channel):
    async def program():
        worker = core.UCXWorker(core.UCXContext(CHANNELS[channel]))
        address = bytes(worker.address)
        del worker
        gc.collect()
        endpoint = await ucxx.create_endpoint_from_worker_address(
            ucxx.get_ucx_address_from_buffer(address)
        )
        await until_closed(endpoint)

    run(program, channel, "loop")


@pytest.mark.parametrize("channel", CHANNELS)
def test_without_asyncio(channel):
    worker = core.UCXWorker(core.UCXContext(CHANNELS[channel]))
    ends = [core.UCXEndpoint.create_from_worker_address(worker, worker.address) for _ in range(2)]
    assert not any(end.closed for end in ends)
    ends[0].close_blocking()
    assert ends[0].closed and not ends[1].closed
    with served(handlers.silent, CHANNELS[channel]) as server:
        endpoint = core.UCXEndpoint.create(worker, "127.0.0.1", server.port)
        while not endpoint.has_connected:
            worker.progress_worker_event(100)
        assert not endpoint.closed
        server.kill()
        while not endpoint.closed:
            worker.progress_worker_event(100)
    assert not endpoint.alive


def test_nobody_listens_without_asyncio():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # and does not listen
        worker = core.UCXWorker(core.UCXContext())
        endpoint = core.UCXEndpoint.create(worker, "127.0.0.1", unused.getsockname()[1])
        while not endpoint.closed:
            worker.progress_worker_event(100)
