# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What a process costs that waits for a message which does not come, in each progress mode."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from typing import Any

import ucxx
from ucxx.benchmarks.pair import Announce, in_turn, run_pair
from ucxx.benchmarks.settings import MODES

ASYNCIO = "asyncio"
NAMES = (*MODES, ASYNCIO)
_SETTLE_S = 0.2


def measure(
    names: Sequence[str],
    seconds: float,
    runs: int,
    pin: tuple[int | None, int | None] | None = None,
    on_run: Callable[[], object] = lambda: None,
) -> list[dict[str, Any]]:
    """Return a row for each name: percent of a processor, of all runs.

    Args:
        names: progress modes, or "asyncio": a stream that waits.
        seconds: how long each waits.
        runs: how often each is measured, in turn.
        pin: processor numbers of the one that waits and of its peer.
        on_run: called after each measurement.

    Raises:
        BenchmarkError: it has failed.
    """

    def run(name: str) -> float:
        return run_pair(name, serve, connect, name, seconds, pin=pin)

    found = in_turn(names, runs, run, on_run)
    return [{"mode": name, "cpu_percent": found[name]} for name in names]


def serve(announce: Announce, name: str, seconds: float) -> None:
    """Accept, and send nothing."""
    asyncio.run(_serve_stream(announce) if name == ASYNCIO else _serve(announce, name))


def connect(address: int, name: str, seconds: float) -> float:
    """Wait for a message; return percent of a processor."""
    return asyncio.run(
        _connect_stream(address, seconds) if name == ASYNCIO else _connect(address, name, seconds)
    )


async def _serve(announce: Announce, mode: str) -> None:
    ucxx.init(progress_mode=mode)
    done = asyncio.Event()

    async def wait(endpoint: ucxx.Endpoint) -> None:
        with contextlib.suppress(ucxx.UCXError):
            await endpoint.recv(bytearray(8))
        done.set()

    with ucxx.create_listener(wait, ip="127.0.0.1") as listener:
        announce(listener.port)
        await done.wait()


async def _connect(port: int, mode: str, seconds: float) -> float:
    ucxx.init(progress_mode=mode)
    endpoint = await ucxx.create_endpoint("127.0.0.1", port)
    waiting = asyncio.ensure_future(_receive(endpoint))
    percent = await _percent(seconds)
    waiting.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await waiting
    await endpoint.close()
    return percent


async def _receive(endpoint: ucxx.Endpoint) -> None:
    await endpoint.recv(bytearray(8))


async def _serve_stream(announce: Announce) -> None:
    done = asyncio.Event()

    async def wait(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()
        done.set()

    server = await asyncio.start_server(wait, "127.0.0.1", 0)
    announce(server.sockets[0].getsockname()[1])
    await done.wait()
    server.close()


async def _connect_stream(port: int, seconds: float) -> float:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    waiting = asyncio.ensure_future(reader.read())
    percent = await _percent(seconds)
    writer.close()
    await waiting
    return percent


async def _percent(seconds: float) -> float:
    """Sleep; return how much of a processor all threads of this process have taken meanwhile."""
    await asyncio.sleep(_SETTLE_S)
    begin, used = time.perf_counter(), time.process_time()
    await asyncio.sleep(seconds)
    return (time.process_time() - used) / (time.perf_counter() - begin) * 100
