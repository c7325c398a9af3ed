# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What an await of ucxx.trio and ucxx.anyio costs, beside the streams of trio and anyio themselves.

usage: python benchmarks/structured.py [RUNS]

Everything is measured in turn, RUNS (5) times; medians, and the least and the most. With a build: PYTHONPATH.
"""

import contextlib
import functools
import importlib
import statistics
import sys
import time

import anyio
import anyio.abc
import anyio.lowlevel
import anyio.to_thread
import trio

from ucxx.testing import running_peers

WAYS = {"trio": "trio", "anyio on asyncio": "asyncio"}
COUNT = 3000
EIGHT = b"12345678"


def module_of(way):
    """Return ucxx.trio or ucxx.anyio."""
    return importlib.import_module(f"ucxx.{way.partition(' ')[0]}")


async def microseconds(count, *awaits):
    """Return how long the awaits take, one after the other, on average."""
    begin = time.perf_counter()
    for _ in range(count):
        for one in awaits:
            await one()
    return (time.perf_counter() - begin) / count * 1e6


async def checkpoint(way):
    """The least that an await costs which lets others run."""
    pause = trio.lowlevel.checkpoint if way == "trio" else anyio.lowlevel.checkpoint
    return await microseconds(COUNT, pause)


async def own_worker(way):
    """A send and a receive that have ended when they are awaited."""
    async with module_of(way).open_worker() as worker:
        endpoint = await worker.create_endpoint_from_worker_address(worker.address)
        send = functools.partial(endpoint.send, EIGHT, 1, True)
        return await microseconds(COUNT, send, functools.partial(endpoint.recv, bytearray(8), 1, True))


async def memory_channel(way):
    """The same by what the library has for tasks of one program."""
    if way == "trio":
        send, receive = trio.open_memory_channel(1)
    else:
        send, receive = anyio.create_memory_object_stream(1)
    with send, receive:
        return await microseconds(COUNT, functools.partial(send.send, EIGHT), receive.receive)


async def serve_ucxx(way, words):
    """Send back what comes."""

    async def echo(endpoint):
        buffer = bytearray(8)
        with contextlib.suppress(ConnectionResetError):
            while True:
                await endpoint.recv(buffer)
                await endpoint.send(buffer)

    async with module_of(way).open_worker() as worker, anyio.create_task_group() as group:
        listener = await group.start(worker.serve, echo, None, "127.0.0.1")
        words.send(listener.port)
        await anyio.wait_readable(words.fileno())
        group.cancel_scope.cancel()


async def call_ucxx(way, port):
    """Return half a round trip."""
    async with module_of(way).open_worker() as worker:
        async with await worker.create_endpoint("127.0.0.1", port) as endpoint:
            buffer = bytearray(8)
            send, receive = (functools.partial(one, buffer) for one in (endpoint.send, endpoint.recv))
            await microseconds(COUNT // 10, send, receive)
            return await microseconds(COUNT, send, receive) / 2


async def serve_streams(way, words):
    """Send back what comes by TCP."""

    async def echo(stream):
        with contextlib.suppress(anyio.EndOfStream, trio.BrokenResourceError):
            if way == "trio":
                while data := await stream.receive_some(8):
                    await stream.send_all(data)
            else:
                while True:
                    await stream.send(await stream.receive(8))

    async with anyio.create_task_group() as group:
        if way == "trio":
            serve = functools.partial(trio.serve_tcp, host="127.0.0.1")
            (listener,) = await group.start(serve, echo, 0)
            words.send(listener.socket.getsockname()[1])
        else:
            listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
            group.start_soon(listener.serve, echo)
            words.send(listener.extra(anyio.abc.SocketAttribute.local_port))
        await anyio.wait_readable(words.fileno())
        group.cancel_scope.cancel()


async def call_streams(way, port):
    """Return half a round trip by TCP."""
    connect = trio.open_tcp_stream if way == "trio" else anyio.connect_tcp
    async with await connect("127.0.0.1", port) as stream:
        send, receive = (
            (stream.send_all, stream.receive_some) if way == "trio" else (stream.send, stream.receive)
        )
        return await microseconds(COUNT, functools.partial(send, EIGHT), functools.partial(receive, 8)) / 2


def serve(words, function, way):
    """Run a server of another process."""
    anyio.run(function, way, words, backend=WAYS[way])


def between_processes(server, client, way):
    """Run a client against a server of another process."""
    with running_peers(1, serve, server, way) as (peer,):
        return anyio.run(client, way, peer.receive(), backend=WAYS[way])


ROWS = {
    "a checkpoint": lambda way: anyio.run(checkpoint, way, backend=WAYS[way]),
    "send and receive, own worker": lambda way: anyio.run(own_worker, way, backend=WAYS[way]),
    "send and receive, memory channel": lambda way: anyio.run(memory_channel, way, backend=WAYS[way]),
    "8 B, half a round trip, ucxx": functools.partial(between_processes, serve_ucxx, call_ucxx),
    "8 B, half a round trip, TCP stream": functools.partial(between_processes, serve_streams, call_streams),
}


def main(runs):
    """Measure everything, and print a table."""
    found = {}
    for _ in range(runs):
        for way in WAYS:
            for name, measure in ROWS.items():
                found.setdefault((way, name), []).append(measure(way))
    for (way, name), values in found.items():
        middle = statistics.median(values)
        print(f"{way:17} {name:35} {middle:6.1f} us ({min(values):.1f} .. {max(values):.1f})")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
