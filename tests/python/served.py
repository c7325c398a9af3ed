# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A listener in another process, for tests of what happens between two."""

import asyncio
import contextlib
import multiprocessing
import os
import signal

import ucxx

DEADLINE = 20
_spawn = multiprocessing.get_context("spawn")


class Server:
    """A process with a listener whose handler is a coroutine function of a test module."""

    def __init__(self, handler, options=None, mode="loop"):
        """Start it; it listens when this returns."""
        parent, child = _spawn.Pipe()
        self.process = _spawn.Process(target=_serve, args=(child, handler, options, mode), daemon=True)
        self.process.start()
        child.close()
        assert parent.poll(DEADLINE), "the server does not listen"
        self.port = parent.recv()
        self._words = parent

    def signal(self, number):
        """Send it a signal."""
        os.kill(self.process.pid, number)

    def end(self):
        """End it, if it has not ended by itself."""
        self._words.close()
        self.process.join(DEADLINE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join(DEADLINE)


@contextlib.contextmanager
def served(handler, options=None, mode="loop"):
    """Give a server, and end it."""
    server = Server(handler, options, mode)
    try:
        yield server
    finally:
        with contextlib.suppress(ProcessLookupError):
            server.signal(signal.SIGCONT)
        server.end()


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
