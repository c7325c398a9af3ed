#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""8 MiB through the ring between two Python processes on one core, alone and beside busy ones.

usage: PYTHONPATH=build/dev/python benchmarks/figures/shared_cores.py

Prints seconds for each payload and the word that it has come, as JSON: by `wait` of the core, and by `await` in the
modes of the event loop.
"""

import asyncio
import json
import multiprocessing
import os
import statistics
import time

SIZE = 8 << 20
COUNT = 10
BUSY = 16
OPTIONS = {"UCXX_LOCAL": "only", "UCXX_LOCAL_BULK": "ring"}
THERE, BACK = 1, 2


def by_wait(pipe, is_first, wakeup):
    """Exchange by the core's `wait`; the first side returns its times."""
    from ucxx import core
    from ucxx.types import Feature

    features = [Feature.TAG, *([Feature.WAKEUP] if wakeup else [])]
    worker = core.UCXWorker(core.UCXContext(OPTIONS, features))
    pipe.send(bytes(worker.address))
    address = core.UCXAddress.create_from_buffer(pipe.recv())
    endpoint = core.UCXEndpoint.create_from_worker_address(worker, address)
    payload, word, times = bytearray(SIZE), bytearray(1), []
    for _ in range(COUNT):
        begin = time.perf_counter()
        if is_first:
            answer = endpoint.tag_recv(word, tag=BACK)
            endpoint.tag_send(payload, tag=THERE).wait()
            answer.wait()
        else:
            endpoint.tag_recv(payload, tag=THERE).wait()
            endpoint.tag_send(word, tag=BACK).wait()
        times.append(time.perf_counter() - begin)
    pipe.send(None)
    pipe.recv()
    return times


async def by_await(pipe, is_first, mode):
    """Exchange by `await`."""
    import ucxx

    ucxx.init(OPTIONS, progress_mode=mode)
    pipe.send(bytes(ucxx.get_worker_address()))
    address = ucxx.get_ucx_address_from_buffer(pipe.recv())
    endpoint = await ucxx.create_endpoint_from_worker_address(address)
    payload, word, times = bytearray(SIZE), bytearray(1), []
    for _ in range(COUNT):
        begin = time.perf_counter()
        if is_first:
            answer = asyncio.create_task(endpoint.recv(word, tag=BACK, force_tag=True))
            await endpoint.send(payload, tag=THERE, force_tag=True)
            await answer
        else:
            await endpoint.recv(payload, tag=THERE, force_tag=True)
            await endpoint.send(word, tag=BACK, force_tag=True)
        times.append(time.perf_counter() - begin)
    pipe.send(None)
    pipe.recv()
    return times


WAYS = {
    "wait": lambda *end: by_wait(*end, True),
    "wait, no WAKEUP": lambda *end: by_wait(*end, False),
    "await": lambda *end: asyncio.run(by_await(*end, "loop")),
    "await, polling": lambda *end: asyncio.run(by_await(*end, "polling")),
    "await, thread": lambda *end: asyncio.run(by_await(*end, "thread")),
    "await, thread-polling": lambda *end: asyncio.run(by_await(*end, "thread-polling")),
}


def side(way, pipe, is_first, result):
    """Be one of the two processes."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    times = WAYS[way](pipe, is_first)
    if is_first:
        result.send(times)
    os._exit(0)


def spin():
    """Be busy, on any core."""
    while True:
        pass


def measured(way):
    """Return the median of one way, with the least and the most."""
    ends, (heard, result) = multiprocessing.Pipe(), multiprocessing.Pipe(duplex=False)
    sides = [multiprocessing.Process(target=side, args=(way, end, end is ends[0], result)) for end in ends]
    for process in sides:
        process.start()
    times = heard.recv() if heard.poll(120) else [float("inf")]
    for process in sides:
        process.join(5)
        process.kill()
    return {"median": statistics.median(times), "min": min(times), "max": max(times)}


def main():
    """Measure all ways, alone and beside busy processes."""
    said = {way: {"alone": measured(way)} for way in WAYS}
    busy = [multiprocessing.Process(target=spin, daemon=True) for _ in range(BUSY)]
    for process in busy:
        process.start()
    for way in WAYS:
        said[way]["busy"] = measured(way)
    for process in busy:
        process.kill()
    print(json.dumps({"payload_s": said}, indent=2))


if __name__ == "__main__":
    main()
