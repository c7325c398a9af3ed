# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Prepared transfers of the asynchronous API: done again and again between the same two buffers."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Hashable
from types import TracebackType
from typing import TYPE_CHECKING, ClassVar, Self

from ucxx import _core
from ucxx._core import UCXRequest
from ucxx._shared.closing import SECONDS_AFTER_ERROR

if TYPE_CHECKING:
    from ucxx.types import BufferLike


class _Prepared(_core._AsyncPrepared):
    _SENDS: ClassVar[bool]

    def __init__(
        self,
        endpoint: _core._AsyncEndpoint,
        buffer: BufferLike,
        tag: Hashable,
        force_tag: bool,
        partitions: int,
        contributors: int = 1,
    ) -> None:
        """Prepare it."""
        super().__init__(endpoint, self._SENDS, buffer, tag, force_tag, partitions, contributors)

    def wait(self) -> UCXRequest[None]:
        """Return what ends with the iteration that was started last, to be awaited: its `request()`.

        The sender's: the buffer may be filled again. The receiver's: all partitions have arrived. It
        raises what the iteration has failed with: UCXCanceledError when it was closed at this end,
        UCXConnectionResetError when it was closed at the other, or the peer has gone. Cancelling it ends
        the wait, not the iteration.

        It tells of iterations that have begun. One whose start was posted to a stream may not have: await
        what `start(stream=...)` has returned.
        """
        return self.request()

    async def close(self) -> None:
        """End the plan; wait until nobody touches the buffer any more, which is free then.

        That is when the peer has answered, or has ended. An iteration in progress ends here with
        UCXCanceledError, and at the other end with UCXConnectionResetError. It may be closed again.
        Cancelling it ends the wait, not the close: the buffer stays pinned until that has ended. It
        raises UCXCanceledError when the worker was closed before: the peer may still write to the buffer.
        """
        closing = self._close()
        if not closing._look():
            over = asyncio.Event()
            closing.add_done_callback(lambda _: over.set())
            await over.wait()
        closing.check_error()

    async def __aenter__(self) -> Self:
        """Return it."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it; after an exception wait for a second at most, the close going on."""
        if error is None:
            return await self.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SECONDS_AFTER_ERROR):
                await self.close()


class PreparedSend(_Prepared):
    """The sender's end of a transfer that is prepared once; made by `Endpoint.prepare_send`.

    `start` at both ends begins an iteration, between the same two buffers each time. After a failure
    or the close of the plan, `start` and `ready` do nothing, and `wait` raises what it has failed with.
    The buffer is pinned until `close` has ended. An asynchronous context manager closes it at its end;
    dropping it closes it, too. It keeps its endpoint. Call `start` and `close` in one thread at a time;
    all else in any, at once.
    """

    _SENDS = True
    ready = _core._AsyncPrepared._ready


class PreparedRecv(_Prepared):
    """The receiver's end of a transfer that is prepared once; made by `Endpoint.prepare_recv`.

    As `PreparedSend`, but that `arrived` tells which partitions have come.
    """

    _SENDS = False
    arrived = _core._AsyncPrepared._arrived
