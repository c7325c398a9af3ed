# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The asynchronous API: `await endpoint.send(...)`, `await endpoint.recv(...)`."""

from __future__ import annotations

import asyncio
import functools
from typing import TYPE_CHECKING

import ucxx
from ucxx.benchmarks import kinds
from ucxx.benchmarks.backends.base import Announce, AsyncBackend, AsyncCall

if TYPE_CHECKING:
    from ucxx.benchmarks.message import Message, ObjectMessage
    from ucxx.benchmarks.settings import Settings


class Backend(AsyncBackend):
    """Endpoints of `ucxx`, met by a listener."""

    object_types = kinds.NAMES
    gives_memory = True
    has_active_messages = True
    _endpoint: ucxx.Endpoint

    def __init__(self, settings: Settings) -> None:
        """Initialise UCXX in the progress mode that was asked for."""
        super().__init__(settings)
        ucxx.init(progress_mode=settings.progress_mode)

    async def _serve(self, announce: Announce) -> None:
        caller: asyncio.Future[ucxx.Endpoint] = asyncio.get_running_loop().create_future()
        with ucxx.create_listener(
            caller.set_result, self.settings.port, self.settings.address
        ) as listener:
            announce(listener.port)
            self._endpoint = await caller

    async def _connect(self, address: int) -> None:
        self._endpoint = await ucxx.create_endpoint(self.settings.address, address)

    def calls(self, message: Message) -> tuple[AsyncCall, AsyncCall]:
        """Return the methods of the endpoint, with their buffers."""
        endpoint = self._endpoint
        if self.settings.is_multi:
            return functools.partial(endpoint.send_multi, message.sent), self._receiver(message)
        if self.settings.active_messages:
            return functools.partial(endpoint.am_send, message.sent[0]), self._am_receiver(message)
        send = functools.partial(endpoint.send, message.sent[0])
        if message.reuse:
            return send, functools.partial(endpoint.recv, message.received[0])
        return send, lambda: endpoint.recv(message.fresh()[0])

    def _receiver(self, message: Message) -> AsyncCall:
        async def receive() -> None:
            message.received = await self._endpoint.recv_multi()

        return receive

    def _am_receiver(self, message: Message) -> AsyncCall:
        async def receive() -> None:
            message.received = [await self._endpoint.am_recv()]

        return receive

    def object_calls(self, message: ObjectMessage) -> tuple[AsyncCall, AsyncCall]:
        """Return coroutine functions of send_obj and recv_obj."""

        async def receive() -> None:
            message.received = await self._endpoint.recv_obj()

        return functools.partial(self._endpoint.send_obj, message.sent), receive

    async def _close(self) -> None:
        await self._endpoint.close()
