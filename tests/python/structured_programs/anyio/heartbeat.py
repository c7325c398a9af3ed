# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A server that gives clients up that say nothing for too long."""

import os

import anyio

import ucxx.anyio


async def guard(endpoint):
    beat = bytearray(1)
    try:
        while True:
            with anyio.fail_after(0.5):
                await endpoint.recv(beat, tag="beat")
    except TimeoutError:
        print("given up")
    except ConnectionResetError:
        print("gone")


async def beat(endpoint, count):
    for _ in range(count):
        await endpoint.send(b".", tag="beat")
        await anyio.sleep(0.01)


async def main():
    async with ucxx.anyio.open_worker() as worker, anyio.create_task_group() as group:
        listener = await group.start(worker.serve, guard)
        async with await worker.create_endpoint("127.0.0.1", listener.port) as lively:
            await beat(lively, 20)
        async with await worker.create_endpoint("127.0.0.1", listener.port) as silent:
            await beat(silent, 5)
            try:
                await silent.recv(bytearray(1))
            except ConnectionResetError:
                print("hung up")
        group.cancel_scope.cancel()


anyio.run(main, backend=os.environ.get("BACKEND", "asyncio"))
