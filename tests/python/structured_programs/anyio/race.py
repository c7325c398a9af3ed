# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Connect to several servers at once: the first to accept wins, the others are cancelled."""

import os

import anyio

import ucxx.anyio


async def first_of(worker, ports):
    winner = None

    async def attempt(port, scope):
        nonlocal winner
        endpoint = await worker.create_endpoint("127.0.0.1", port, connect_timeout=None)
        if winner is None:
            winner = endpoint
            scope.cancel()

    async with anyio.create_task_group() as group:
        for port in ports:
            group.start_soon(attempt, port, group.cancel_scope)
    return winner


async def main():
    async with ucxx.anyio.open_worker() as worker:
        deaf = [worker.create_listener(ip="127.0.0.1") for _ in range(3)]  # nobody accepts
        good = worker.create_listener(ip="127.0.0.1")
        async with anyio.create_task_group() as group:
            group.start_soon(good.accept)
            winner = await first_of(worker, [one.port for one in [*deaf, good]])
        print("won by the good one:", winner.peer_address.endswith(f":{good.port}"))


anyio.run(main, backend=os.environ.get("BACKEND", "asyncio"))
