# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Connections of Dask from process to process, without a cluster: what each message costs."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import statistics
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from typing import Any

from distributed.comm import CommClosedError, connect, listen
from distributed.protocol import to_serialize

from ucxx.benchmarks.dask import payload
from ucxx.benchmarks.dask.beside import Beside
from ucxx.benchmarks.dask.figures import RATE, Figure, Found, Outcome, outcome
from ucxx.benchmarks.dask.transports import Transports, carriers, named
from ucxx.benchmarks.pair import Announce, in_turn, run_pair
from ucxx.benchmarks.units import size_word

LARGEST = 256 << 20
_LOGGER = logging.getLogger("distributed.comm")
_DICT = {"op": "identity", "reply": True, "key": "x-0123456789abcdef"}
_CONNECTS, _AT_ONCE, _STORMS, _DICTS, _ECHOES = 30, 100, 3, 300, 100
_ECHOED = (1 << 10, 64 << 10)
# Bytes, arrays, how often.
_ONE_WAY = ((1 << 20, 1, 30), (1 << 20, 8, 30), (16 << 20, 1, 30), (16 << 20, 8, 30), (LARGEST, 1, 8))
_BESIDE = ((1 << 20, 20), (64 << 20, 16))  # bytes, how often


def measure(
    protocols: Sequence[str],
    up_to: int,
    object_type: str,
    runs: int,
    on_run: Callable[[], object] = lambda: None,
) -> Outcome:
    """Measure connections of each protocol, in turn, in new processes each time.

    Args:
        protocols: sets of transports; the others are compared with the last.
        up_to: bytes of the largest message.
        object_type: whose arrays, of `payload.NAMES`.
        runs: how often each protocol is measured.
        on_run: called after each measurement.

    Raises:
        BenchmarkError: it has failed.
    """

    def run(name: str) -> Found:
        return run_pair(name, serve, call, named(name), up_to, object_type)

    return outcome(in_turn(protocols, runs, run, on_run))


def serve(announce: Announce, transports: Transports, up_to: int, object_type: str) -> None:
    """Answer all comms, until one says that it was the last."""
    _prepare(transports)
    asyncio.run(_serve(announce, transports.scheme, object_type))


def call(address: str, transports: Transports, up_to: int, object_type: str) -> Found:
    """Measure connections to an address; return the figures."""
    _prepare(transports)
    found = asyncio.run(_call(address, up_to, object_type))
    transports.require(found.transports)
    return found


def _prepare(transports: Transports) -> None:
    os.environ.update(transports.environment)
    _LOGGER.setLevel(logging.WARNING)


async def _serve(announce: Announce, scheme: str, object_type: str) -> None:
    done, beside = asyncio.Event(), Beside()

    async def answer(comm: Any) -> None:
        with contextlib.suppress(CommClosedError):
            while True:
                message = await comm.read()
                arrived = time.perf_counter()
                if message["op"] == "end":
                    break
                if message["op"] == "beside":
                    await comm.write(beside.answer(message["what"]))
                else:
                    await comm.write(_answer(message, arrived, object_type))
            done.set()
        await comm.close()

    async with listen(f"{scheme}://127.0.0.1:0", answer) as listener:
        announce(listener.contact_address)
        await done.wait()


def _answer(message: dict[str, Any], arrived: float, object_type: str) -> dict[str, Any]:
    """Return what goes back: when it came, which all processes of a machine measure alike, or the same."""
    if message["op"] == "sink":
        return {"arrived": arrived, "ends": payload.ends(message["arrays"], object_type)}
    if "array" in message:
        return {**message, "array": to_serialize(message["array"])}
    return message


async def _call(address: str, up_to: int, object_type: str) -> Found:
    figures = [Figure("connect and close, no other comm open", await _connects(address), "us")]
    async with _connected(address) as comm:
        figures.append(Figure("connect and close, another comm open", await _connects(address), "us"))
        figures.append(Figure(f"{_AT_ONCE} connects at once", await _storms(address), "ms"))
        figures.append(Figure("round trip of a small dict", await _dicts(comm), "us"))
        for size in _ECHOED:
            if size <= up_to:
                us = await _echoes(comm, size, object_type)
                figures.append(Figure(f"round trip of an array of {size_word(size)}", us, "us"))
        for size, count, times in _ONE_WAY:
            if size <= up_to:
                rate = await _one_way(comm, [size // count] * count, times, object_type)
                how = "an array" if count == 1 else f"{count} arrays"
                figures.append(Figure(f"one way, {how} of {size_word(size // count)}", rate, RATE))
        for size, times in _BESIDE:
            if size <= up_to:
                figures += await _beside(comm, size, times, object_type)
        transports = carriers(comm)
        await comm.write({"op": "end"})
    return Found(figures, transports=transports)


@contextlib.asynccontextmanager
async def _connected(address: str) -> AsyncIterator[Any]:
    comm = await connect(address)
    try:
        yield comm
    finally:
        await comm.close()


async def _times(count: int, once: Callable[[], Awaitable[float]]) -> float:
    """Return the median of what `once` returns, after some that warm up."""
    for _ in range(max(1, count // 10)):
        await once()
    return statistics.median([await once() for _ in range(count)])


@contextlib.contextmanager
def _timed(scale: float) -> Iterator[list[float]]:
    """Give a list that gets the time of the block, in a unit of which `scale` are a second."""
    found: list[float] = []
    begin = time.perf_counter()
    yield found
    found.append((time.perf_counter() - begin) * scale)


async def _connects(address: str) -> float:
    async def once() -> float:
        with _timed(1e6) as us:
            await (await connect(address)).close()
        return us[0]

    return await _times(_CONNECTS, once)


async def _storms(address: str) -> float:
    async def once() -> float:
        with _timed(1e3) as ms:
            comms = await asyncio.gather(*(connect(address) for _ in range(_AT_ONCE)))
        await asyncio.gather(*(comm.close() for comm in comms))
        return ms[0]

    return await _times(_STORMS, once)


async def _dicts(comm: Any) -> float:
    async def once() -> float:
        with _timed(1e6) as us:
            await comm.write(_DICT)
            answer = await comm.read()
        _require(answer == _DICT)
        return us[0]

    return await _times(_DICTS, once)


async def _echoes(comm: Any, size: int, object_type: str) -> float:
    array = payload.make(size, object_type)
    message = {"op": "echo", "array": to_serialize(array)}

    async def once() -> float:
        with _timed(1e6) as us:
            await comm.write(message)
            answer = await comm.read()
        _require(payload.ends([answer["array"]], object_type) == payload.ends([array], object_type))
        return us[0]

    return await _times(_ECHOES, once)


async def _one_way(comm: Any, sizes: Sequence[int], times: int, object_type: str) -> float:
    """Return GB/s from the begin of a write to the moment when the peer has read."""
    arrays = [payload.make(size, object_type) for size in sizes]
    ends = payload.ends(arrays, object_type)

    async def once() -> float:
        begin = time.perf_counter()
        await comm.write({"op": "sink", "arrays": [to_serialize(array) for array in arrays]})
        answer = await comm.read()
        _require(list(map(bytes, answer["ends"])) == ends)
        seconds: float = answer["arrived"] - begin
        return sum(sizes) / seconds / 1e9

    return await _times(times, once)


def _require(same: bool) -> None:
    if not same:
        raise ValueError("what came is not what was sent")


async def _beside(comm: Any, size: int, times: int, object_type: str) -> list[Figure]:
    """Return how arrays and a thread of the receiver that computes in Python fare beside each other."""

    async def ask(what: str) -> dict[str, Any]:
        await comm.write({"op": "beside", "what": what})
        answer: dict[str, Any] = await comm.read()
        return answer

    await ask("alone")
    await ask("begin")
    rate = await _one_way(comm, [size], times, object_type)
    found = await ask("end")
    name = f"{size_word(size)} beside a thread"
    return [
        Figure(f"{name}: one way", rate, RATE),
        Figure(f"{name}: 1 ms of its work", found["slower"], "ms"),
        Figure(f"{name}: its longest pause", found["pause"] * 1e3, "ms"),
    ]
