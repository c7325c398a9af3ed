# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""An echo server with many clients: all of its endpoints on one event loop, theirs on another."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import ucxx
from ucxx.benchmarks.pair import Announce, in_turn, run_pair

NAMES = ("ucxx", "asyncio", "uvloop")
_WARM_UP_S = 0.1

_Call = Callable[[], Awaitable[object]]


def missing(name: str) -> str | None:
    """Return why it cannot be measured, None if it can."""
    if name == "uvloop":
        try:
            import uvloop  # noqa: F401
        except ImportError:
            return "uvloop is not installed"
    return None


def measure(
    names: Sequence[str],
    clients: int,
    size: int,
    seconds: float,
    runs: int,
    pin: tuple[int | None, int | None] | None = None,
    on_run: Callable[[], object] = lambda: None,
) -> list[dict[str, Any]]:
    """Return a row for each name: messages a second that come back, of all runs.

    Args:
        names: of NAMES.
        clients: how many, each with one message under way.
        size: bytes of a message.
        seconds: how long it is measured.
        runs: how often each is measured, in turn.
        pin: processor numbers of the clients and of the server.
        on_run: called after each measurement.

    Raises:
        BenchmarkError: it has failed.
    """

    def run(name: str) -> float:
        return run_pair(name, serve, connect, name, clients, size, seconds, pin=pin)

    found = in_turn(names, runs, run, on_run)
    return [{"server": name, "messages_per_s": found[name]} for name in names]


def serve(announce: Announce, name: str, clients: int, size: int, seconds: float) -> None:
    """Send back what comes until all clients have gone."""
    with _runner(name) as runner:
        runner.run((_serve if name == "ucxx" else _serve_streams)(announce, clients, size))


def connect(address: int, name: str, clients: int, size: int, seconds: float) -> float:
    """Have all clients send, one message each at a time; return messages a second."""
    with _runner(name) as runner:
        return runner.run(_clients(name, address, clients, size, seconds))


def _runner(name: str) -> asyncio.Runner:
    if name != "uvloop":
        return asyncio.Runner()
    import uvloop

    return asyncio.Runner(loop_factory=uvloop.new_event_loop)


async def _serve(announce: Announce, clients: int, size: int) -> None:
    left, done = clients, asyncio.Event()

    async def echo(endpoint: ucxx.Endpoint) -> None:
        nonlocal left
        buffer = bytearray(size)
        with contextlib.suppress(ucxx.UCXError):
            while True:
                await endpoint.recv(buffer)
                await endpoint.send(buffer)
        left -= 1
        if left == 0:
            done.set()

    with ucxx.create_listener(echo, ip="127.0.0.1") as listener:
        announce(listener.port)
        await done.wait()


async def _serve_streams(announce: Announce, clients: int, size: int) -> None:
    left, done = clients, asyncio.Event()

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal left
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                writer.write(await reader.readexactly(size))
                await writer.drain()
        writer.close()
        left -= 1
        if left == 0:
            done.set()

    server = await asyncio.start_server(echo, "127.0.0.1", 0, backlog=clients)
    announce(server.sockets[0].getsockname()[1])
    await done.wait()
    server.close()


async def _clients(name: str, port: int, clients: int, size: int, seconds: float) -> float:
    make = _endpoint if name == "ucxx" else _stream
    pairs = [await make(port, size) for _ in range(clients)]
    counts = [0] * clients
    stop = False

    async def client(number: int, send: _Call, receive: _Call) -> None:
        while not stop:
            await send()
            await receive()
            counts[number] += 1

    tasks = [
        asyncio.create_task(client(number, send, receive))
        for number, (send, receive, _) in enumerate(pairs)
    ]
    await asyncio.sleep(_WARM_UP_S)
    begin, before = time.perf_counter(), sum(counts)
    await asyncio.sleep(seconds)
    rate = (sum(counts) - before) / (time.perf_counter() - begin)
    stop = True
    await asyncio.gather(*tasks)
    for *_, close in pairs:
        await close()
    return rate


async def _endpoint(port: int, size: int) -> tuple[_Call, _Call, _Call]:
    endpoint = await ucxx.create_endpoint("127.0.0.1", port)
    sent, received = bytes(size), bytearray(size)
    send = functools.partial(endpoint.send, sent)
    return send, functools.partial(endpoint.recv, received), endpoint.close


async def _stream(port: int, size: int) -> tuple[_Call, _Call, _Call]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    sent = bytes(size)

    async def send() -> None:
        writer.write(sent)
        await writer.drain()

    async def close() -> None:
        writer.close()
        await writer.wait_closed()

    return send, functools.partial(reader.readexactly, size), close
