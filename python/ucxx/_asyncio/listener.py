# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Listeners of the asynchronous API."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from ucxx import _core
from ucxx._asyncio.endpoint import Endpoint
from ucxx._asyncio.handlers import Handlers
from ucxx._asyncio.runtime import Runtime
from ucxx._process.logger import logger
from ucxx._shared.listening import AsyncListening, Caller, port_number


class Listener(AsyncListening):
    """Accepts endpoints at a port, and calls a function with each; made by `ucxx.create_listener`.

    Dropping the last reference stops it; handlers that run go on. A context manager: it is closed at
    the end.
    """

    def __init__(
        self,
        runtime: Runtime,
        callback: Callable[[Endpoint], Awaitable[object] | object],
        port: int,
        ip: str | None,
        endpoint_error_handling: bool,
        receive_ahead: int,
    ) -> None:
        """Listen."""
        self._runtime = runtime
        self._callback = callback
        self._error_handling = endpoint_error_handling
        self._receive_ahead = receive_ahead
        self._handlers = Handlers()
        self._listener = _core._Listener(
            runtime.worker(), port_number(port), Caller(self), ip or ""
        )
        runtime.members.add(self)

    def __repr__(self) -> str:
        """Say where it listens."""
        where = "closed" if self.closed else f"at {self.ip}:{self.port}"
        return f"<ucxx.Listener {where}>"

    def __del__(self) -> None:
        """Warn of handlers that are left alone."""
        if getattr(self, "_handlers", None):
            logger.warning(
                "Listener object is being destroyed, but %d handlers run; they go on",
                len(self._handlers),
            )

    @property
    def active_clients(self) -> int:
        """How many handlers run."""
        return len(self._handlers)

    def _on_caller(self, request: int) -> None:
        if self._listener is None:
            return
        endpoint = Endpoint(self._accepted(request), self._runtime)
        self._handlers.take(self._callback(endpoint))
