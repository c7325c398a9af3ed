# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Coroutines that answer callers and messages."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any


class Handlers:
    """Tasks that run; what one raises reaches the exception handler of its event loop."""

    def __init__(self) -> None:
        """Begin with none."""
        self._tasks: set[asyncio.Future[Any]] = set()

    def __len__(self) -> int:
        """Return how many run."""
        return len(self._tasks)

    def take(self, result: object) -> None:
        """Run what a callback has returned, if it can be awaited."""
        if not inspect.isawaitable(result):
            return
        task = asyncio.ensure_future(result)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Future[Any]) -> None:
        self._tasks.discard(task)
        if task.cancelled() or task.exception() is None:
            return
        task.get_loop().call_exception_handler(
            {
                "message": "a handler of ucxx raised an exception",
                "exception": task.exception(),
                "task": task,
            }
        )
