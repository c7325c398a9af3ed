# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A listener in another process, for tests of what happens between two."""

import asyncio
import contextlib

import ucxx
from ucxx.testing import running_peers

DEADLINE = 20
# Settings, by the way of large payloads between two processes of this machine.
CHANNELS = {"local": {}, "ring": {"UCXX_LOCAL_BULK": "ring"}, "tcp": {"UCXX_LOCAL": "off"}}


@contextlib.contextmanager
def served(handler, options=None, mode="loop"):
    """Give a peer with a listener, whose handler is a coroutine function of a module; `.port`."""
    with running_peers(1, _serve, handler, options, mode) as (server,):
        server.port = server.receive(DEADLINE)
        yield server


def _serve(words, handler, options, mode):
    async def main():
        ucxx.init(options, progress_mode=mode)
        listener = ucxx.create_listener(handler)
        words.send(listener.port)
        over = asyncio.Event()
        asyncio.get_running_loop().add_reader(words.fileno(), over.set)
        await over.wait()
        listener.close()

    asyncio.run(main())


async def within(awaitable, seconds=DEADLINE):
    """Await with a deadline."""
    return await asyncio.wait_for(awaitable, seconds)
