# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Streams of asyncio over loopback TCP: what a program uses that has nothing else."""

import asyncio

from ucxx.benchmarks.backends.base import AsyncBackend


class Backend(AsyncBackend):
    """A reader and a writer of asyncio; the reader makes new bytes for each message, always."""

    _reader = _writer = None

    async def _serve(self, announce):
        caller = asyncio.get_running_loop().create_future()
        server = await asyncio.start_server(
            lambda *streams: caller.set_result(streams), "127.0.0.1", 0
        )
        announce(server.sockets[0].getsockname()[1])
        self._reader, self._writer = await caller
        server.close()

    async def _connect(self, address):
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", address)

    def calls(self, message):
        """Return coroutine functions that write and read the buffers one after the other."""
        reader, writer = self._reader, self._writer

        async def send():
            for buffer in message.sent:
                writer.write(buffer)
            await writer.drain()

        async def receive():
            message.received = [await reader.readexactly(message.size) for _ in message.sent]

        return send, receive

    async def _close(self):
        self._writer.close()
