# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Listeners, whose callers a task accepts or serves."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, NoReturn

from ucxx import _core
from ucxx._shared.listening import AsyncListening, Caller, port_number
from ucxx._structured.endpoint import Endpoint
from ucxx._structured.library import IGNORED, Nursery, TaskStatus

if TYPE_CHECKING:
    from ucxx._structured.worker import Worker


class Listener(AsyncListening):
    """Has callers at a port; made by `Worker.create_listener` or `Worker.serve`.

    A caller waits until it is accepted. A context manager, with `async` or without: it is closed at the
    end, and so it is with its worker. Dropping it closes it, too.
    """

    def __init__(
        self,
        worker: Worker,
        port: int | None,
        ip: str | None,
        error_handling: bool,
        receive_ahead: int,
    ) -> None:
        """Listen."""
        self._worker = worker
        self._error_handling = error_handling
        self._receive_ahead = receive_ahead
        self._clients = 0
        self._callers: deque[int] = deque()
        self._came = worker._loop.library.event()
        number = port_number(0 if port is None else port)
        self._listener = _core._Listener(worker._core, number, Caller(self), ip or "")
        worker._listeners.add(self)

    def __repr__(self) -> str:
        """Say where it listens."""
        where = "closed" if self.closed else f"at {self.ip}:{self.port}"
        return f"<ucxx.{self._worker._loop.library.name}.Listener {where}>"

    @property
    def active_clients(self) -> int:
        """How many handlers run."""
        return self._clients

    def close(self) -> None:
        """Stop listening; callers that wait are sent away, and `accept` raises UCXCloseError.

        Endpoints live on, and so do handlers of a nursery of the program's.
        """
        super().close()
        self._callers.clear()
        self._announce()

    async def aclose(self) -> None:
        """Do the same, by the name that trio and anyio have for it."""
        self.close()
        await self._worker._loop.library.cancel_shielded_checkpoint()
        await self._worker._loop.library.checkpoint_if_cancelled()

    async def accept(self) -> Endpoint:
        """Wait for a caller, and return the endpoint to it. Several tasks may wait.

        Cancelling it loses no caller. Raises UCXCloseError when the listener is closed, also while it
        waits.
        """
        await self._worker._begin()
        await self._worker._loop.library.cancel_shielded_checkpoint()  # later it could lose a caller
        while not self._callers:
            self._open()
            await self._came.wait()
        return Endpoint(self._accepted(self._callers.popleft()), self._worker)

    async def serve(
        self,
        handler: Callable[[Endpoint], Awaitable[object]],
        *,
        handler_nursery: Nursery | None = None,
        task_status: TaskStatus = IGNORED,
    ) -> NoReturn:
        """Run `handler(endpoint)` in a task for each caller, until it is cancelled; then close the listener.

        The endpoint is closed when its handler ends: orderly after a return; after an exception or a
        cancel within a second. What that close loses is logged.

        What a handler raises and does not catch ends the nursery, and with it all others: of a server, let
        each handler catch what its client may cause, such as ConnectionResetError when it goes.

        Args:
            handler: an async function of one argument.
            handler_nursery: where the handlers run: a nursery or task group of the program's, or anything
                with `start_soon`; None: one of its own, which ends with it.
            task_status: for `nursery.start`, which returns the listener.
        """
        async with self, self._worker._loop.library.open_nursery() as nursery:
            handlers = nursery if handler_nursery is None else handler_nursery
            task_status.started(self)
            while True:
                handlers.start_soon(self._handle, handler, await self.accept())
        raise AssertionError("a loop without an end has ended")

    async def _handle(
        self, handler: Callable[[Endpoint], Awaitable[object]], endpoint: Endpoint
    ) -> None:
        self._clients += 1
        try:
            await handler(endpoint)
        except BaseException:
            await endpoint._close_quickly()
            raise
        else:
            await endpoint._close_quietly(None)
        finally:
            self._clients -= 1

    def _on_caller(self, request: int) -> None:
        if self._listener is not None:
            self._callers.append(request)
            self._announce()

    def _announce(self) -> None:
        self._came.set()
        self._came = self._worker._loop.library.event()
