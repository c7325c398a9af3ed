# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""One process sends a list, another one answers with its sum: the first program of the README."""

import asyncio
import sys

import ucxx


async def serve() -> None:  # python sum.py: the server, for one caller
    callers: asyncio.Queue[ucxx.Endpoint] = asyncio.Queue()
    with ucxx.create_listener(callers.put_nowait) as listener:  # any free port
        print("python sum.py 127.0.0.1", listener.port, flush=True)
        async with await callers.get() as endpoint:
            await endpoint.send_obj(sum(await endpoint.recv_obj()))


async def call(host: str, port: int) -> None:  # python sum.py HOST PORT: the caller
    async with await ucxx.create_endpoint(host, port) as endpoint:
        await endpoint.send_obj([1, 2, 3])
        print("received", await endpoint.recv_obj())


asyncio.run(call(sys.argv[1], int(sys.argv[2])) if len(sys.argv) == 3 else serve())
