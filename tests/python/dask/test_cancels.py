# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Comms that are cancelled at any point, left open by their loop, or meet another process than before."""

import asyncio
import contextlib
import itertools
import logging
import random
import socket
import time

import comms
import numpy as np
import pytest
from comms import served, within
from distributed.comm import get_address_host_port
from distributed.comm.core import CommClosedError, connect, listen
from distributed.protocol import to_serialize
from processes import assert_back_to, in_use

import ucxx
from ucxx.testing import running_peers

pytestmark = pytest.mark.slow

SECONDS = 3  # of cancelling; 30 were run by hand
SIZES = (10, 5_000, 200_000, 20_000_000)


async def talk(comm, chance):
    """Read and write what comes into the mind, at once and in turn."""
    while True:
        array = to_serialize(np.ones(chance.choice(SIZES), dtype="u1"))
        await asyncio.gather(comm.write({"x": array}), comm.read())


async def talk_and_be_cancelled(address, chance):
    """Connect and talk, until some turns of the loop or some time later a cancel comes."""

    async def connect_and_talk():
        comm = await connect(address)
        try:
            await talk(comm, chance)
        finally:
            await comm.close() if chance.random() < 0.1 else comm.abort()  # closing waits for a peer that writes

    task = asyncio.create_task(connect_and_talk())
    if chance.random() < 0.5:
        for _ in range(chance.randrange(60)):
            await asyncio.sleep(0)
    else:
        await asyncio.sleep(chance.random() * 0.03)
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError, CommClosedError):
        await within(task)


@pytest.mark.parametrize("seed", [1])
def test_cancels_at_any_point_harm_nobody_else(channel, seed, caplog):
    chance = random.Random(seed)
    caplog.set_level(logging.CRITICAL, "distributed")

    async def steady(comm, over):
        for number in itertools.count():
            if over.is_set():
                return number
            array = np.full(chance.choice(SIZES), number % 256, dtype="u1")
            await comm.write([number, to_serialize(array)])
            said, received = await within(comm.read())
            assert said == number
            assert len(received) == len(array)
            assert (received[0], received[-1]) == (number % 256, number % 256)

    async def cancel(address, seconds):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            await asyncio.gather(*(talk_and_be_cancelled(address, chance) for _ in range(4)))

    async def main():
        async with served(channel, comms.forward) as address:
            comm, over = await within(connect(address)), asyncio.Event()
            going_on = asyncio.create_task(steady(comm, over))
            await cancel(address, 1)
            before = in_use()
            await cancel(address, SECONDS)
            assert not going_on.done()
            await asyncio.to_thread(assert_back_to, before, mebibytes=256)  # blocks that are free stay warm
            over.set()
            assert await within(going_on) > 10
            comm.abort()

    asyncio.run(main())


def test_loops_that_leave_comms_open(channel):
    left = []

    async def leave(address):
        comm = await within(connect(address))
        await within(comm.write(b"x" * 1_000_000))
        left.append((comm, asyncio.create_task(comm.read())))  # asyncio.run cancels it

    async def leave_a_listener():
        listener = await listen("ucx://127.0.0.1", comms.echo)
        await leave(listener.contact_address)
        left.append(listener)

    async def main():
        async with served(channel, comms.echo) as address:
            for number in range(30):
                await asyncio.to_thread(asyncio.run, leave(address))
                await asyncio.to_thread(asyncio.run, leave_a_listener())
                if number % 2:
                    left.clear()
                if number == 9:
                    before = in_use()
            comm = await within(connect(address))
            await within(comm.write("still"))
            assert await within(comm.read()) == "still"
            comm.abort()
            left.clear()
            await asyncio.to_thread(assert_back_to, before)

    asyncio.run(main())


@pytest.mark.parametrize("name", ["local", "tcp"])
def test_another_process_at_a_port_that_was_known(name):
    """Who calls gets the one that listens now, whatever listened there before."""
    options = comms.CHANNELS[name]
    ucxx.init(options)

    async def main():
        address = "ucx://127.0.0.1:0"
        comm = None
        for handler in (comms.echo, comms.addresses, comms.echo):
            with running_peers(1, comms._serve, handler, options, address, {}) as (server,):
                address = await asyncio.to_thread(server.receive)
                if comm is not None:
                    with pytest.raises(CommClosedError):
                        await within(comm.read())
                comm = await within(connect(address))
                if handler is comms.echo:
                    await within(comm.write("hello"))
                    assert await within(comm.read()) == "hello"
                else:
                    assert len(await within(comm.read())) == 4
                server.kill()
        with socket.create_server(get_address_host_port(address)):  # speaks nothing
            with pytest.raises(OSError, match="Timed out"):
                await within(connect(address, timeout=0.5))
        comm.abort()

    asyncio.run(main())
