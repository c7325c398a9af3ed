# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What servers of the tests do for each caller."""

import asyncio
import contextlib
import os
import time

import ucxx


async def echo(endpoint):
    """Send back each object until the peer closes."""
    while True:
        try:
            received = await endpoint.recv_obj()
            await endpoint.send_obj(received)
        except ucxx.UCXError:
            return


async def echo_bytes(endpoint):
    """Send back messages of eight bytes."""
    buffer = bytearray(8)
    while True:
        try:
            await endpoint.recv(buffer)
            await endpoint.send(buffer)
        except ucxx.UCXError:
            return


async def silent(endpoint):
    """Say nothing, keep the endpoint."""
    await asyncio.Event().wait()
    del endpoint


async def leave(endpoint):
    """Send one message and close."""
    await endpoint.send(b"goodbye!")
    await endpoint.close()


async def echo_anything(endpoint):
    """Send back each object, whoever sends it."""
    while True:
        try:
            received = await endpoint.recv_obj(allow_pickle=True)
            await endpoint.send_obj(received)
        except ucxx.UCXError:
            return


async def echo_frames(endpoint):
    """Send back the frames of one message."""
    await endpoint.send_multi(await endpoint.recv_multi())
    await silent(endpoint)


async def echo_sized(endpoint):
    """Send back messages, each behind its size in eight bytes."""
    head = bytearray(8)
    while True:
        try:
            await endpoint.recv(head)
            body = bytearray(int.from_bytes(head))
            await endpoint.recv(body)
            await endpoint.send(body)
        except ucxx.UCXError:
            return


async def take_late(endpoint):
    """Compute, which stops the loop, until a file is there; then take the messages and leave their sizes."""
    path = await endpoint.recv_obj(allow_pickle=True)
    while not os.path.exists(path):
        time.sleep(0.01)
    sizes = [len(await endpoint.recv_obj(allow_pickle=True)) for _ in range(3)]
    with open(path + ".sizes", "w") as file:
        file.write(repr(sizes))


async def never_take(endpoint):
    """Receive nothing, and close when the peer says something."""
    await endpoint.recv(bytearray(1))
    await endpoint.close()


async def send_and_close(endpoint):
    """Send what nobody receives, and close at once."""
    await endpoint.recv(bytearray(1))
    endpoint.send(bytearray(4 << 20), 99, True)
    with contextlib.suppress(ucxx.UCXError):
        await endpoint.close()


async def exchange_sending_first(endpoint, size):
    """Exchange a message of each kind; each side awaits its send before it receives."""
    sent = bytes(range(251)) * (size // 251 + 1)
    sent = sent[:size]
    buffer = bytearray(size)
    await endpoint.send(sent)
    await endpoint.recv(buffer)
    assert buffer == sent
    await endpoint.send_multi([b"small", sent, sent])
    assert [bytes(frame) for frame in await endpoint.recv_multi()] == [b"small", sent, sent]
    await endpoint.am_send(sent)
    assert bytes(await endpoint.am_recv()) == sent
    await endpoint.send_obj(sent)
    assert bytes(await endpoint.recv_obj()) == sent


SIZES = (16 << 10) + 1, 64 << 10, 1 << 20, 8 << 20


async def send_first(endpoint):
    """Exchange messages of many sizes so, and stay."""
    for size in SIZES:
        await exchange_sending_first(endpoint, size)
    await silent(endpoint)


# More than is fetched without a receive or a standing one.
HELD = [b"x", bytes(100_000), bytes(65 << 20), b""]


async def receive_when_told(endpoint):
    """Receive nothing before the peer says so: then frames, and two objects."""
    endpoint.receive_ahead(256 << 20)
    await endpoint.recv(bytearray(1), tag="now")
    assert [bytes(frame) for frame in await endpoint.recv_multi()] == HELD
    for _ in range(2):
        assert bytes(await endpoint.recv_obj()) == HELD[2]
    await endpoint.send(b"!")
    await silent(endpoint)
