# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Waiting for a transfer in a task of trio or anyio."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, TypeVar

from ucxx.exceptions import UCXCanceledError

if TYPE_CHECKING:
    from ucxx._core import UCXRequest
    from ucxx._structured.library import Event
    from ucxx._structured.loop import WorkerLoop

_T = TypeVar("_T")


async def result_of(loop: WorkerLoop, request: UCXRequest[_T]) -> _T:
    """Return the result of a transfer that was posted, or raise what it has ended with.

    Other tasks have their turn in any case. Cancelled: a transfer that has ended keeps its result, and
    raises no cancel; any other is given up. Then it returns when the buffer is free; a message that the
    receive has got all the same goes back.
    """
    try:
        if request.done():
            loop.goes_on()
            await loop.library.cancel_shielded_checkpoint()
        elif loop.look_for(request):
            await loop.library.cancel_shielded_checkpoint()
        else:
            await _ended(loop, request)
    except BaseException:
        request.close()
        raise
    return request.result()


async def _ended(loop: WorkerLoop, request: UCXRequest[Any]) -> None:
    event = loop.library.event()
    request.add_done_callback(lambda _: event.set())
    loop.waits.add(event)
    try:
        await event.wait()
    except BaseException:
        request.close()
        await _free(loop, request, event)
        raise
    finally:
        loop.waits.discard(event)
    if not request.done():
        raise UCXCanceledError(
            f"{request!r}: its worker has ended; the buffer is in use until the peer goes on, or ends"
        )
    if request.cancelled():  # by the end of the block; its result would be an error of asyncio's
        raise UCXCanceledError(f"{request!r}: its worker has ended")


async def _free(loop: WorkerLoop, request: UCXRequest[Any], event: Event) -> None:
    """Wait until a transfer that was cancelled has ended, whatever else is cancelled."""
    with loop.library.cancel_scope(shield=True):
        while not request.done() and not loop.is_closed():
            with contextlib.suppress(loop.library.cancelled):  # by Task.cancel, which no scope holds back
                await event.wait()
