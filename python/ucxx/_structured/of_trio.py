# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The primitives of trio."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable

import trio

from ucxx._structured.library import Library


@trio.lowlevel.enable_ki_protection
async def _protected(function: Callable[..., Awaitable[None]], *arguments: object) -> None:
    await function(*arguments)


def _thread_caller() -> Callable[[Callable[[], object]], object]:
    return trio.lowlevel.current_trio_token().run_sync_soon


TRIO = Library(
    name="trio",
    event=trio.Event,
    checkpoint=trio.lowlevel.checkpoint,
    checkpoint_if_cancelled=trio.lowlevel.checkpoint_if_cancelled,
    cancel_shielded_checkpoint=trio.lowlevel.cancel_shielded_checkpoint,
    wait_readable=trio.lowlevel.wait_readable,
    open_nursery=functools.partial(trio.open_nursery, strict_exception_groups=True),
    cancel_scope=trio.CancelScope,
    move_on_after=trio.move_on_after,
    cancelled=trio.Cancelled,
    run_in_thread=functools.partial(trio.to_thread.run_sync, abandon_on_cancel=True),
    protected=_protected,
    thread_caller=_thread_caller,
)


def running() -> Library:
    """Return the primitives. Raises RuntimeError where no task of trio runs."""
    try:
        trio.lowlevel.current_task()
    except RuntimeError:
        raise RuntimeError(
            "no task of trio runs here: ucxx.trio is for programs of trio.run. One of asyncio uses "
            "ucxx itself, or ucxx.anyio"
        ) from None
    return TRIO
