# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A loop that computes, and takes messages when there are any."""

import asyncio

import ucxx

STEPS = 5


async def main():
    accepted = asyncio.Queue()
    listener = ucxx.create_listener(accepted.put_nowait)
    client = await ucxx.create_endpoint("127.0.0.1", listener.port)
    server = await accepted.get()
    taken = []
    for step in range(STEPS):
        if step % 2:
            await client.send(bytes([step]))
        if server.tag_probe():
            buffer = bytearray(1)
            await server.recv(buffer)
            taken.append(buffer[0])
    print("taken", taken)
    await client.close()
    await server.close()
    listener.close()


asyncio.run(main())
