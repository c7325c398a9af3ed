# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A proxy between a client and a server: two tasks for each client, one for each direction."""

import functools
import os

import anyio

import ucxx
import ucxx.anyio


async def upper(endpoint):
    try:
        while True:
            await endpoint.send_multi([bytes(one).upper() for one in await endpoint.recv_multi()])
    except ConnectionResetError:
        pass


async def forward(source, target, scope):
    try:
        while True:
            await target.send_multi(await source.recv_multi())
    except ucxx.UCXError:
        scope.cancel()


async def proxy(worker, port, client):
    async with await worker.create_endpoint("127.0.0.1", port) as server:
        async with anyio.create_task_group() as group:
            group.start_soon(forward, client, server, group.cancel_scope)
            group.start_soon(forward, server, client, group.cancel_scope)


async def main():
    async with ucxx.anyio.open_worker() as worker, anyio.create_task_group() as group:
        server = await group.start(worker.serve, upper)
        between = await group.start(worker.serve, functools.partial(proxy, worker, server.port))
        async with await worker.create_endpoint("127.0.0.1", between.port) as endpoint:
            for words in ([b"hello", b"world"], [b"x" * 100_000]):
                await endpoint.send_multi(words)
                assert [bytes(one) for one in await endpoint.recv_multi()] == [
                    word.upper() for word in words
                ]
        group.cancel_scope.cancel()
    print("proxied")


anyio.run(main, backend=os.environ.get("BACKEND", "asyncio"))
