# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A proxy between a client and a server: two tasks for each client, one for each direction."""

import functools

import trio

import ucxx
import ucxx.trio


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
        async with trio.open_nursery() as nursery:
            nursery.start_soon(forward, client, server, nursery.cancel_scope)
            nursery.start_soon(forward, server, client, nursery.cancel_scope)


async def main():
    async with ucxx.trio.open_worker() as worker, trio.open_nursery() as nursery:
        server = await nursery.start(worker.serve, upper)
        between = await nursery.start(worker.serve, functools.partial(proxy, worker, server.port))
        async with await worker.create_endpoint("127.0.0.1", between.port) as endpoint:
            for words in ([b"hello", b"world"], [b"x" * 100_000]):
                await endpoint.send_multi(words)
                assert [bytes(one) for one in await endpoint.recv_multi()] == [
                    word.upper() for word in words
                ]
        nursery.cancel_scope.cancel()
    print("proxied")


trio.run(main)
