# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Connect to several servers at once: the first to accept wins, the others are cancelled."""

import trio

import ucxx.trio


async def first_of(worker, ports):
    winner = None

    async def attempt(port, scope):
        nonlocal winner
        endpoint = await worker.create_endpoint("127.0.0.1", port, connect_timeout=None)
        if winner is None:
            winner = endpoint
            scope.cancel()

    async with trio.open_nursery() as nursery:
        for port in ports:
            nursery.start_soon(attempt, port, nursery.cancel_scope)
    return winner


async def main():
    async with ucxx.trio.open_worker() as worker:
        deaf = [worker.create_listener(ip="127.0.0.1") for _ in range(3)]  # nobody accepts
        good = worker.create_listener(ip="127.0.0.1")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(good.accept)
            winner = await first_of(worker, [one.port for one in [*deaf, good]])
        print("won by the good one:", winner.peer_address.endswith(f":{good.port}"))


trio.run(main)
