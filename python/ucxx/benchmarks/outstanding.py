# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Many receives that wait on one event loop at the same time: what the end of one costs.

Each has a tag and a task of its own, which waits again at once. The peer sends ten messages, each to
another of them, and then waits until it is told that they have come: all that the number of waiting
receives can change is what ten ends cost.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any

import ucxx
from ucxx.benchmarks.pair import Announce, in_turn, run_pair

COUNTS = (10, 100, 1000, 10_000)
MESSAGES = 50_000
_AT_ONCE = 10
_STRIDE = 7919  # a prime: neighbours in time are none in memory


def measure(
    counts: Sequence[int],
    messages: int,
    runs: int,
    pin: tuple[int | None, int | None] | None = None,
    on_run: Callable[[], object] = lambda: None,
) -> list[dict[str, Any]]:
    """Return a row for each count: microseconds for each completion, of all runs.

    Args:
        counts: how many receives wait, 10 or more.
        messages: how many are received in all, of 8 bytes.
        runs: how often each count is measured, in turn.
        pin: processor numbers of receiver and sender.
        on_run: called after each measurement.

    Raises:
        BenchmarkError: it has failed.
    """

    def run(count: int) -> float:
        return run_pair(f"{count} receives", serve, connect, count, messages, pin=pin)

    found = in_turn(counts, runs, run, on_run)
    return [{"outstanding": count, "us_per_completion": found[count]} for count in counts]


def _rounds(count: int, messages: int) -> tuple[int, int]:
    """Return how many rounds of ten warm up, so that all tags have their turn, and are measured."""
    return -(-count // _AT_ONCE), -(-messages // _AT_ONCE)


def serve(announce: Announce, count: int, messages: int) -> None:
    """Send to `count` tags in turn, ten messages at a time."""

    async def main() -> None:
        done = asyncio.Event()

        async def send(endpoint: ucxx.Endpoint) -> None:
            ready, message, number = bytearray(1), bytes(8), 0
            for _ in range(sum(_rounds(count, messages))):
                await endpoint.recv(ready)
                for _ in range(_AT_ONCE):
                    await endpoint.send(message, tag=number * _STRIDE % count)
                    number += 1
            await endpoint.recv(ready)
            done.set()

        with ucxx.create_listener(send, ip="127.0.0.1") as listener:
            announce(listener.port)
            await done.wait()

    asyncio.run(main())


def connect(port: int, count: int, messages: int) -> float:
    """Receive them; return the microseconds for each."""
    return asyncio.run(_connect(port, count, messages))


async def _connect(port: int, count: int, messages: int) -> float:
    endpoint = await ucxx.create_endpoint("127.0.0.1", port)
    warm_up, measured = _rounds(count, messages)
    instants = {warm_up: 0.0, warm_up + measured: 0.0}
    done = asyncio.Event()
    ended = 0

    async def receive(tag: int) -> None:
        nonlocal ended
        buffer = bytearray(8)
        request = endpoint.recv(buffer, tag=tag)
        while True:
            await request
            request = endpoint.recv(buffer, tag=tag)
            ended += 1
            if ended % _AT_ONCE != 0:
                continue
            rounds = ended // _AT_ONCE
            if rounds in instants:
                instants[rounds] = time.perf_counter()
            await endpoint.send(b"x")
            if rounds == warm_up + measured:
                done.set()

    tasks = [asyncio.create_task(receive(tag)) for tag in range(count)]
    await asyncio.sleep(0)  # each has its turn, and waits
    await endpoint.send(b"x")
    await done.wait()
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    await endpoint.close()
    begin, end = instants.values()
    return (end - begin) / (measured * _AT_ONCE) * 1e6
