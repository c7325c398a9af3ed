# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What the tests of `ucxx.trio` and `ucxx.anyio` share: each runs in both, and in both backends of anyio."""

import contextlib
import importlib
import os
import time

import anyio
import pytest
import trio

from ucxx.testing import running_peers

DEADLINE = 20
WAYS = {"trio": "trio", "anyio-trio": "anyio", "anyio-asyncio": "anyio"}


class Way:
    """A module and a backend."""

    def __init__(self, name):
        self.name = name
        self.module = importlib.import_module(f"ucxx.{WAYS[name]}")
        self.open_worker = self.module.open_worker

    def run(self, function, *args, seconds=DEADLINE):
        """Run an async function within a deadline; return its result."""

        async def main():
            with anyio.fail_after(seconds):
                return await function(*args)

        if self.name == "trio":
            return trio.run(main)
        return anyio.run(main, backend=self.name.rpartition("-")[2])

    @contextlib.asynccontextmanager
    async def pair(self, options=None, **worker_options):
        """Give the two ends of a connection between two workers."""
        async with self.open_worker(options, **worker_options) as here:
            async with self.open_worker(options, **worker_options) as there:
                with there.create_listener(ip="127.0.0.1") as listener:
                    ends = []

                    async def accept():
                        ends.append(await listener.accept())

                    async with anyio.create_task_group() as group:
                        group.start_soon(accept)
                        one = await here.create_endpoint("127.0.0.1", listener.port)
                yield one, ends[0]


@pytest.fixture(params=WAYS)
def way(request):
    """Return each way in turn."""
    return Way(request.param)


@contextlib.contextmanager
def served(way, handler, options=None):
    """Give a peer with a server of that way, whose handler is an async function of a module; `.port`."""
    with running_peers(1, _serve, way.name, handler, options) as (server,):
        server.port = server.receive(DEADLINE)
        yield server


def _serve(words, name, handler, options):
    way = Way(name)

    async def main():
        async with way.open_worker(options) as worker, anyio.create_task_group() as group:
            listener = await group.start(worker.serve, handler, None, "127.0.0.1")
            words.send(listener.port)
            await anyio.wait_readable(words.fileno())
            group.cancel_scope.cancel()

    way.run(main, seconds=120)


async def until(condition):
    """Let others run until something is true; the test has a deadline."""
    while not condition():
        await anyio.sleep(0.002)


def descriptors():
    """Return how many this process has open."""
    return len(os.listdir("/proc/self/fd"))


def processor_seconds():
    """Return how long this process has computed."""
    return time.process_time()


# Handlers of servers


async def echo(endpoint):
    """Send back each object until the peer closes."""
    with contextlib.suppress(ConnectionResetError):
        while True:
            await endpoint.send_obj(await endpoint.recv_obj(allow_pickle=True))


async def silent(endpoint):
    """Take nothing."""
    await anyio.sleep_forever()


async def crash(endpoint):
    """Fail."""
    await endpoint.recv(bytearray(1))
    raise ZeroDivisionError
