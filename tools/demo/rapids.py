# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Ping-pong by RAPIDS UCXX, in an environment of its own: its package is called ucxx, as ours.

usage: rapids.py MODE PIN,PIN SIZE:COUNT...

MODE is its progress mode. Prints one JSON object: the median of half a round trip in us, by size.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import statistics
import sys
import time
from multiprocessing.connection import Connection

import numpy

import ucxx

Plan = list[tuple[int, int]]  # sizes, and how often


async def exchange(endpoint: ucxx.Endpoint, begins: bool, plan: Plan) -> dict[int, float]:
    """Send to and fro; return us by size."""
    medians = {}
    for size, count in plan:
        sent, received = numpy.ones(size, "u1"), numpy.zeros(size, "u1")
        instants = [time.perf_counter()]
        for _ in range(count + max(1, count // 10)):
            if begins:
                await endpoint.send(sent)
                await endpoint.recv(received)
            else:
                await endpoint.recv(received)
                await endpoint.send(sent)
            instants.append(time.perf_counter())
        if not (received == 1).all():
            raise ValueError(f"{size} bytes came as other bytes")
        measured = instants[-count - 1 :]
        halves = [(after - before) / 2 * 1e6 for before, after in zip(measured, measured[1:])]
        medians[size] = statistics.median(halves)
    return medians


def serve(words: Connection, mode: str, processor: int, plan: Plan) -> None:
    """Accept one endpoint, and answer."""
    os.sched_setaffinity(0, {processor})

    async def main() -> None:
        ucxx.init(progress_mode=mode)
        done = asyncio.Event()

        async def answer(endpoint: ucxx.Endpoint) -> None:
            await exchange(endpoint, False, plan)
            await endpoint.close()
            done.set()

        listener = ucxx.create_listener(answer)
        words.send(listener.port)
        await done.wait()
        listener.close()

    asyncio.run(main())


async def begin(mode: str, port: int, plan: Plan) -> dict[int, float]:
    """Connect, and measure."""
    ucxx.init(progress_mode=mode)
    endpoint = await ucxx.create_endpoint("127.0.0.1", port)
    medians = await exchange(endpoint, True, plan)
    await endpoint.close()
    return medians


def main(mode: str, pin: str, *items: str) -> None:
    """Run both sides."""
    processors = list(map(int, pin.split(",")))
    plan = [(int(size), int(count)) for size, count in (item.split(":") for item in items)]
    spawn = multiprocessing.get_context("spawn")
    words, theirs = spawn.Pipe()
    server = spawn.Process(target=serve, args=(theirs, mode, processors[1], plan), daemon=True)
    server.start()
    if not words.poll(60):
        raise TimeoutError("the server has not begun")
    port = words.recv()
    os.sched_setaffinity(0, {processors[0]})
    print(json.dumps(asyncio.run(begin(mode, port, plan))), flush=True)
    server.join(10)
    server.kill()


if __name__ == "__main__":
    main(*sys.argv[1:])
