# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Listeners of Dask in this process or another one, for tests of comms."""

import asyncio
import contextlib

from distributed.comm.core import CommClosedError, connect, listen

import ucxx
from ucxx.testing import running_peers

DEADLINE = 20
# `self`: both ends in this process; else the other end is in a process of its own.
CHANNELS = {"self": {}, "local": {}, "tcp": {"UCXX_LOCAL": "off"}}


async def within(awaitable, seconds=DEADLINE):
    """Await with a deadline."""
    return await asyncio.wait_for(awaitable, seconds)


async def until(condition, seconds=DEADLINE):
    """Wait until a condition holds; the loop goes on meanwhile."""
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.001)


@contextlib.asynccontextmanager
async def served(channel, handler, address="ucx://127.0.0.1", **arguments):
    """Give the address of a listener, whose handler is a coroutine function of a module."""
    if channel == "self":
        async with listen(address, handler, **arguments) as listener:
            yield listener.contact_address
    else:
        with running_peers(1, _serve, handler, CHANNELS[channel], address, arguments) as (server,):
            yield await asyncio.to_thread(server.receive, DEADLINE)


def _serve(words, handler, options, address, arguments):
    async def main():
        ucxx.init(options)
        async with listen(address, handler, **arguments) as listener:
            words.send(listener.contact_address)
            over = asyncio.Event()
            asyncio.get_running_loop().add_reader(words.fileno(), over.set)
            await over.wait()

    asyncio.run(main())


@contextlib.asynccontextmanager
async def connected(channel, handler, address="ucx://127.0.0.1", **arguments):
    """Give a comm to a handler in the process that the channel says; it is closed at the end."""
    async with served(channel, handler, address, **arguments) as contact:
        comm = await within(connect(contact))
        try:
            yield comm
        finally:
            comm.abort()


async def echo(comm):
    """Write what is read."""
    with contextlib.suppress(CommClosedError):
        while True:
            await comm.write(await comm.read())


async def forward(comm):
    """Write what is read, which is not deserialised."""
    comm.deserialize = False
    await echo(comm)


async def write_before_reading(comm):
    """Write a message of the size that is asked for, then read one, and confirm it."""
    size = await comm.read()
    await comm.write(b"a" * size)
    await comm.write(len(await comm.read()))
    await comm.read()


async def read_nothing(comm):
    """Keep the comm, and never read."""
    await asyncio.sleep(DEADLINE)


async def write_and_close(comm):
    """Write three messages and close at once."""
    for number in range(2):
        await comm.write(number)
    await comm.write(b"x" * 16_000_000)
    await comm.close()


async def say_goodbye(comm):
    """Write a message and go, without a word more."""
    await comm.write("goodbye")
    await comm.close()


async def addresses(comm):
    """Write both addresses, which are known after the handshake."""
    await comm.write([comm.local_address, comm.peer_address, comm.remote_info["address"], comm.same_host])
    await comm.read()


async def tell_end(comm):
    """Write what a read ends with, to the one that calls next."""
    await comm.write("here")
    try:
        await comm.read()
    except CommClosedError:
        ENDED.append(comm.closed())


ENDED = []
