# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Handlers that fail: one is caught in the handler, one ends the server, and is caught by except*."""

import os

import anyio

import ucxx.anyio


async def careful(endpoint):
    try:
        await divide(endpoint)
    except (ZeroDivisionError, ConnectionResetError) as error:
        print("one client:", type(error).__name__)


async def divide(endpoint):
    number = int(bytes(await endpoint.recv_obj()))
    await endpoint.send_obj(b"%d" % (100 // number))


async def ask(worker, port, number):
    async with await worker.create_endpoint("127.0.0.1", port) as endpoint:
        await endpoint.send_obj(b"%d" % number)
        try:
            return int(bytes(await endpoint.recv_obj()))
        except ConnectionResetError:
            return None


async def main():
    async with ucxx.anyio.open_worker() as worker:
        async with anyio.create_task_group() as group:
            listener = await group.start(worker.serve, careful)
            print(await ask(worker, listener.port, 0), await ask(worker, listener.port, 7))
            group.cancel_scope.cancel()
        try:
            async with anyio.create_task_group() as group:
                listener = await group.start(worker.serve, divide)
                await ask(worker, listener.port, 0)
                await anyio.sleep_forever()
        except* ZeroDivisionError:
            print("the server has ended")


anyio.run(main, backend=os.environ.get("BACKEND", "asyncio"))
