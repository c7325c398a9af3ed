# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""IOStream of Tornado over TCP: what Dask's comms are made of."""

from __future__ import annotations

import asyncio
import importlib.util
from typing import TYPE_CHECKING

from ucxx.benchmarks.backends.base import Announce, AsyncBackend, AsyncCall

if TYPE_CHECKING:
    from tornado.iostream import IOStream

    from ucxx.benchmarks.message import Message


class Backend(AsyncBackend):
    """A stream of Tornado's in asyncio's event loop."""

    _stream: IOStream

    @classmethod
    def missing(cls) -> str | None:
        """Return that Tornado is not installed, or None."""
        return None if importlib.util.find_spec("tornado") else "tornado is not installed"

    async def _serve(self, announce: Announce) -> None:
        from tornado import netutil, tcpserver

        caller: asyncio.Future[IOStream] = asyncio.get_running_loop().create_future()

        class Server(tcpserver.TCPServer):
            def handle_stream(self, stream: IOStream, address: object) -> None:
                caller.set_result(stream)

        server = Server()
        sockets = netutil.bind_sockets(self.settings.port, self.settings.address)
        server.add_sockets(sockets)
        announce(sockets[0].getsockname()[1])
        self._use(await caller)
        server.stop()

    async def _connect(self, address: int) -> None:
        from tornado import tcpclient

        self._use(await tcpclient.TCPClient().connect(self.settings.address, address))

    def _use(self, stream: IOStream) -> None:
        stream.set_nodelay(True)
        self._stream = stream

    def calls(self, message: Message) -> tuple[AsyncCall, AsyncCall]:
        """Return coroutine functions that write and read the buffers one after the other."""
        stream, views = self._stream, message.views

        async def send() -> None:
            for view in views:
                await stream.write(view)

        async def receive() -> None:
            for buffer in message.received if message.reuse else message.fresh():
                await stream.read_into(buffer)

        return send, receive

    async def _close(self) -> None:
        self._stream.close()
