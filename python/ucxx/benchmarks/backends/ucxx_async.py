# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The asynchronous API: `await endpoint.send(...)`, `await endpoint.recv(...)`."""

import asyncio
import functools

import ucxx
from ucxx.benchmarks import kinds
from ucxx.benchmarks.backends.base import AsyncBackend


class Backend(AsyncBackend):
    """Endpoints of `ucxx`, met by a listener at the loopback address."""

    object_types = kinds.NAMES
    gives_memory = True

    def __init__(self, settings):
        """Initialise UCXX in the progress mode that was asked for."""
        super().__init__(settings)
        ucxx.init(progress_mode=settings.progress_mode)
        self._endpoint = None

    async def _serve(self, announce):
        caller = asyncio.get_running_loop().create_future()
        with ucxx.create_listener(caller.set_result, ip="127.0.0.1") as listener:
            announce(listener.port)
            self._endpoint = await caller

    async def _connect(self, address):
        self._endpoint = await ucxx.create_endpoint("127.0.0.1", address)

    def calls(self, message):
        """Return the methods of the endpoint, with their buffers."""
        endpoint = self._endpoint
        if self.settings.is_multi:
            return functools.partial(endpoint.send_multi, message.sent), self._receiver(message)
        send = functools.partial(endpoint.send, message.sent[0])
        if message.reuse:
            return send, functools.partial(endpoint.recv, message.received[0])
        return send, lambda: endpoint.recv(message.fresh()[0])

    def _receiver(self, message):
        async def receive():
            message.received = await self._endpoint.recv_multi()

        return receive

    def object_calls(self, message):
        """Return coroutine functions of send_obj and recv_obj."""

        async def receive():
            message.received = await self._endpoint.recv_obj()

        return functools.partial(self._endpoint.send_obj, message.sent), receive

    async def _close(self):
        await self._endpoint.close()
