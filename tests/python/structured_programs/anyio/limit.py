# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A server that works for three clients at a time, whoever else is there."""

import os

import anyio

import ucxx.anyio


async def main():
    places = anyio.CapacityLimiter(3)
    most = 0

    async def work(endpoint):
        nonlocal most
        async with places:
            most = max(most, places.borrowed_tokens)
            number = await endpoint.recv_obj()
            await anyio.sleep(0.005)
            await endpoint.send_obj(number)

    async def client(worker, port, number):
        async with await worker.create_endpoint("127.0.0.1", port) as endpoint:
            await endpoint.send_obj(b"%d" % number)
            assert bytes(await endpoint.recv_obj()) == b"%d" % number

    async with ucxx.anyio.open_worker() as worker, anyio.create_task_group() as server:
        listener = await server.start(worker.serve, work)
        async with anyio.create_task_group() as clients:
            for number in range(20):
                clients.start_soon(client, worker, listener.port, number)
        server.cancel_scope.cancel()
    print("at most", most)


anyio.run(main, backend=os.environ.get("BACKEND", "asyncio"))
