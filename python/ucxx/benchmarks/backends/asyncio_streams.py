# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Streams of asyncio over TCP: what a program uses that has nothing else."""

from __future__ import annotations

import asyncio
import pickle
from typing import TYPE_CHECKING

from ucxx.benchmarks.backends.base import Announce, AsyncBackend, AsyncCall

if TYPE_CHECKING:
    from ucxx.benchmarks.message import Message, ObjectMessage


class Backend(AsyncBackend):
    """A reader and a writer of asyncio; the reader makes new bytes for each message, always."""

    gives_memory = True
    _reader: asyncio.StreamReader
    _writer: asyncio.StreamWriter

    async def _serve(self, announce: Announce) -> None:
        caller: asyncio.Future[tuple[asyncio.StreamReader, asyncio.StreamWriter]]
        caller = asyncio.get_running_loop().create_future()
        server = await asyncio.start_server(
            lambda *streams: caller.set_result(streams),
            self.settings.address,
            self.settings.port,
        )
        announce(server.sockets[0].getsockname()[1])
        self._reader, self._writer = await caller
        server.close()

    async def _connect(self, address: int) -> None:
        self._reader, self._writer = await asyncio.open_connection(
            self.settings.address, address
        )

    def calls(self, message: Message) -> tuple[AsyncCall, AsyncCall]:
        """Return coroutine functions that write and read the buffers one after the other."""
        reader, writer, views = self._reader, self._writer, message.views

        async def send() -> None:
            for view in views:
                writer.write(view)
            await writer.drain()

        async def receive() -> None:
            message.received = [await reader.readexactly(message.size) for _ in views]

        return send, receive

    def object_calls(self, message: ObjectMessage) -> tuple[AsyncCall, AsyncCall]:
        """Return coroutine functions that write and read a pickle behind its length."""
        reader, writer, sent = self._reader, self._writer, message.sent

        async def send() -> None:
            data = pickle.dumps(sent, protocol=5)
            writer.write(len(data).to_bytes(8, "little"))
            writer.write(data)
            await writer.drain()

        async def receive() -> None:
            size = int.from_bytes(await reader.readexactly(8), "little")
            message.received = pickle.loads(await reader.readexactly(size))

        return send, receive

    async def _close(self) -> None:
        self._writer.close()
