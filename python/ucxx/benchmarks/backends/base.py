# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What all backends share: the ping-pong, over one call that sends and one that receives."""

from __future__ import annotations

import asyncio
import time

from ucxx.testing import running_peers


class SyncBackend:
    """A way to send whose calls block.

    One process calls `serve`, the other one `connect` with the address that it has announced;
    then both call `ping_pong` with the same counts, and `close`.
    """

    def __init__(self, settings):
        """Keep the settings."""
        self.settings = settings

    @classmethod
    def missing(cls):
        """Return why it cannot be used here, None if it can."""
        return None

    @classmethod
    def processes(cls, function, *args):
        """Return a context manager that gives two processes of `function(words, *args)`."""
        return running_peers(2, function, *args)

    def serve(self, announce):
        """Call `announce(address)` and wait until the other process has connected."""
        raise NotImplementedError

    def connect(self, address):
        """Connect to the process that serves."""
        raise NotImplementedError

    def calls(self, message):
        """Return two functions: one sends the message, one receives its counterpart."""
        raise NotImplementedError

    def ping_pong(self, message, count, begins):
        """Exchange messages; return `count + 1` instants in seconds, one after each round trip."""
        send, receive = self.calls(message)
        now = time.perf_counter
        if not begins:
            receive()
        instants = [now()]
        for _ in range(count if begins else count - 1):
            send()
            receive()
            instants.append(now())
        if not begins:
            send()
        return instants

    def close(self):
        """Let go of the peer."""


class AsyncBackend(SyncBackend):
    """A way to send whose calls are awaited; it has an event loop of its own.

    Subclasses have `_serve`, `_connect` and `_close` as coroutines; `calls` gives functions whose
    results are awaited.
    """

    loop_factory = None

    def __init__(self, settings):
        """Make the loop."""
        super().__init__(settings)
        self._runner = asyncio.Runner(loop_factory=self.loop_factory)

    def serve(self, announce):
        """Call `announce(address)` and wait until the other process has connected."""
        self._runner.run(self._serve(announce))

    def connect(self, address):
        """Connect to the process that serves."""
        self._runner.run(self._connect(address))

    def ping_pong(self, message, count, begins):
        """Exchange messages; return `count + 1` instants in seconds, one after each round trip."""
        return self._runner.run(self._ping_pong(message, count, begins))

    async def _ping_pong(self, message, count, begins):
        send, receive = self.calls(message)
        now = time.perf_counter
        if not begins:
            await receive()
        instants = [now()]
        for _ in range(count if begins else count - 1):
            await send()
            await receive()
            instants.append(now())
        if not begins:
            await send()
        return instants

    def close(self):
        """Let go of the peer and of the loop."""
        self._runner.run(self._close())
        self._runner.close()
