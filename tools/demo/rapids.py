# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Ping-pong by RAPIDS UCXX, in an environment of its own: its package is called ucxx, as ours.

usage: rapids.py MODE PIN,PIN SIZE:COUNT...

MODE is its progress mode. Prints one JSON object: the median of half a round trip in us, by size.
"""

import asyncio
import json
import multiprocessing
import os
import statistics
import sys
import time

import numpy

import ucxx


async def exchange(endpoint, begins, plan):
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


def serve(words, mode, processor, plan):
    """Accept one endpoint, and answer."""
    os.sched_setaffinity(0, {processor})

    async def main():
        ucxx.init(progress_mode=mode)
        done = asyncio.Event()

        async def answer(endpoint):
            await exchange(endpoint, False, plan)
            await endpoint.close()
            done.set()

        listener = ucxx.create_listener(answer)
        words.send(listener.port)
        await done.wait()
        listener.close()

    asyncio.run(main())


async def begin(mode, port, plan):
    """Connect, and measure."""
    ucxx.init(progress_mode=mode)
    endpoint = await ucxx.create_endpoint("127.0.0.1", port)
    medians = await exchange(endpoint, True, plan)
    await endpoint.close()
    return medians


def main(mode, pin, *plan):
    """Run both sides."""
    processors = list(map(int, pin.split(",")))
    plan = [tuple(map(int, item.split(":"))) for item in plan]
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
