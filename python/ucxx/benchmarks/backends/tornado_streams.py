# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""IOStream of Tornado over loopback TCP: what Dask's comms are made of."""

import asyncio
import importlib.util

from ucxx.benchmarks.backends.base import AsyncBackend


class Backend(AsyncBackend):
    """A stream of Tornado's in asyncio's event loop."""

    _stream = None

    @classmethod
    def missing(cls):
        """Return that Tornado is not installed, or None."""
        return None if importlib.util.find_spec("tornado") else "tornado is not installed"

    async def _serve(self, announce):
        from tornado import netutil, tcpserver

        caller = asyncio.get_running_loop().create_future()
        server = tcpserver.TCPServer()
        server.handle_stream = lambda stream, address: caller.set_result(stream)
        sockets = netutil.bind_sockets(0, "127.0.0.1")
        server.add_sockets(sockets)
        announce(sockets[0].getsockname()[1])
        self._use(await caller)
        server.stop()

    async def _connect(self, address):
        from tornado import tcpclient

        self._use(await tcpclient.TCPClient().connect("127.0.0.1", address))

    def _use(self, stream):
        stream.set_nodelay(True)
        self._stream = stream

    def calls(self, message):
        """Return coroutine functions that write and read the buffers one after the other."""
        stream, views = self._stream, message.views

        async def send():
            for view in views:
                await stream.write(view)

        async def receive():
            for buffer in message.received if message.reuse else message.fresh():
                await stream.read_into(buffer)

        return send, receive

    async def _close(self):
        self._stream.close()
