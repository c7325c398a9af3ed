# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The primitives of anyio where it runs on asyncio. On trio they are trio's own, which anyio wraps."""

from __future__ import annotations

import asyncio
import functools
import math
from collections.abc import Awaitable, Callable

import anyio
import anyio.lowlevel
import anyio.to_thread

from ucxx._structured.library import Library


async def _protected(function: Callable[..., Awaitable[None]], *arguments: object) -> None:
    await function(*arguments)  # asyncio makes a cancel of Ctrl-C


async def _cancel_shielded_checkpoint() -> None:
    # As anyio's own, which makes a cancel scope for it: that takes as long as the checkpoint.
    try:
        await asyncio.sleep(0)
    except asyncio.CancelledError:
        if anyio.current_effective_deadline() != -math.inf:
            raise  # by Task.cancel, which does not try again, as cancel scopes do


def _thread_caller() -> Callable[[Callable[[], object]], object]:
    return asyncio.get_running_loop().call_soon_threadsafe


ASYNCIO = Library(
    name="anyio",
    event=anyio.Event,
    checkpoint=functools.partial(asyncio.sleep, 0),
    checkpoint_if_cancelled=anyio.lowlevel.checkpoint_if_cancelled,
    cancel_shielded_checkpoint=_cancel_shielded_checkpoint,
    wait_readable=anyio.wait_readable,
    open_nursery=anyio.create_task_group,
    cancel_scope=anyio.CancelScope,
    move_on_after=anyio.move_on_after,
    cancelled=asyncio.CancelledError,
    run_in_thread=functools.partial(anyio.to_thread.run_sync, abandon_on_cancel=True),
    protected=_protected,
    thread_caller=_thread_caller,
)


def running() -> Library:
    """Return the primitives of the backend that runs. Raises RuntimeError where none does."""
    try:
        cancelled = anyio.get_cancelled_exc_class()
    except Exception as error:  # its class differs between versions of anyio
        raise RuntimeError(
            "no event loop runs here: ucxx.anyio is for tasks of anyio.run, asyncio.run or trio.run"
        ) from error
    if cancelled is asyncio.CancelledError:
        return ASYNCIO
    from ucxx._structured.of_trio import TRIO

    return TRIO
