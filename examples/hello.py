# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A first program, for two terminals: the server prints the command that calls it."""

import asyncio
import sys

import ucxx


async def call(host: str, port: int) -> None:  # python hello.py HOST PORT: the client
    async with await ucxx.create_endpoint(host, port) as endpoint:
        text = bytearray(b"hello")  # or a NumPy array, or whatever else is a buffer
        await endpoint.send(text)
        await endpoint.recv(text)
        print("received", text.decode())


async def serve() -> None:  # python hello.py: the server, for one client
    callers: asyncio.Queue[ucxx.Endpoint] = asyncio.Queue()
    with ucxx.create_listener(callers.put_nowait) as listener:  # any free port
        print("python hello.py 127.0.0.1", listener.port, flush=True)
        endpoint = await callers.get()
        text = bytearray(5)
        await endpoint.recv(text)
        await endpoint.send(text[::-1])
        await endpoint.close()


asyncio.run(call(sys.argv[1], int(sys.argv[2])) if len(sys.argv) == 3 else serve())
