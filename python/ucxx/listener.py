# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Listeners of the asynchronous API."""

from __future__ import annotations

import asyncio
import inspect

from ucxx import _core
from ucxx._runtime import logger
from ucxx.endpoint import Endpoint
from ucxx.exceptions import UCXCloseError


class Listener:
    """Accepts endpoints at a port, and calls a function with each; made by `ucxx.create_listener`.

    Dropping the last reference stops it; handlers that run go on. A context manager: it is closed at
    the end.
    """

    def __init__(self, runtime, callback, port, ip, endpoint_error_handling):
        """Listen."""
        self._runtime = runtime
        self._callback = callback
        self._error_handling = endpoint_error_handling
        self._tasks = set()
        self._listener = _core._Listener(runtime.worker(), port, _Caller(self), ip or "")
        runtime.members.add(self)

    def __repr__(self):
        """Say where it listens."""
        where = "closed" if self.closed else f"at {self.ip}:{self.port}"
        return f"<ucxx.Listener {where}>"

    def __enter__(self):
        """Return it."""
        return self

    def __exit__(self, *exception):
        """Close it."""
        self.close()

    async def __aenter__(self):
        """Return it."""
        return self

    async def __aexit__(self, *exception):
        """Close it."""
        self.close()

    def __del__(self):
        """Warn of handlers that are left alone."""
        if getattr(self, "_tasks", None):
            logger.warning(
                "Listener object is being destroyed, but %d handlers run; they go on",
                len(self._tasks),
            )

    @property
    def port(self):
        """The port it listens at."""
        return self._open().port

    @property
    def ip(self):
        """The address it listens at, as text."""
        return self._open().ip

    @property
    def closed(self):
        """Whether it has been closed."""
        return self._listener is None

    @property
    def active_clients(self):
        """How many handlers run."""
        return len(self._tasks)

    def close(self):
        """Stop listening. Endpoints and handlers live on."""
        self._listener = None

    def _open(self):
        if self._listener is None:
            raise UCXCloseError("the listener is closed")
        return self._listener

    def _on_caller(self, request):
        if self._listener is None:
            return
        endpoint = Endpoint(self._listener.accept(request, self._error_handling), self._runtime)
        result = self._callback(endpoint)
        if not inspect.isawaitable(result):
            return
        task = asyncio.ensure_future(result)
        self._tasks.add(task)
        task.add_done_callback(_Ended(self._tasks))


class _Caller:
    """What the core calls, without keeping the listener."""

    def __init__(self, listener):
        import weakref

        self._listener = weakref.ref(listener)

    def __call__(self, request):
        listener = self._listener()
        if listener is not None:
            listener._on_caller(request)


class _Ended:
    """Takes a handler that has ended out of a set, and reports what it raised."""

    def __init__(self, tasks):
        self._tasks = tasks

    def __call__(self, task):
        self._tasks.discard(task)
        if task.cancelled() or task.exception() is None:
            return
        task.get_loop().call_exception_handler(
            {
                "message": "a handler of a ucxx.Listener raised an exception",
                "exception": task.exception(),
                "task": task,
            }
        )
