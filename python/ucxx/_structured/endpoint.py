# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Endpoints, whose transfers are awaited by tasks of trio or anyio: their life."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from types import TracebackType
from typing import TYPE_CHECKING, Self

from ucxx import _core
from ucxx._arguments.checks import require_remove
from ucxx._core import RemoteKey, TagProbe, UCXRequest
from ucxx._process.logger import logger
from ucxx._shared.closing import SECONDS_AFTER_ERROR
from ucxx._structured.ended import EndedEndpoint
from ucxx._structured.transfers import Transfers
from ucxx._structured.waiting import result_of
from ucxx.exceptions import UCXError

if TYPE_CHECKING:
    from ucxx._structured.worker import Worker
    from ucxx.types import BufferLike


class Endpoint(Transfers):
    """One end of a pair; the other end is the peer's endpoint. Dropping it closes it.

    Made by `Worker.create_endpoint`, accepted by a Listener, or given to the handler of `Worker.serve`. An
    asynchronous context manager: it is closed at the end, and so it is with its worker. Any number of
    tasks of the worker's run may use it at once.

    Every method to be awaited is a checkpoint. Cancelling it loses no message: one that was cancelled
    before it began has not begun; one that has ended keeps its result; a receive that is cancelled
    meanwhile leaves its message to the next one. It returns when the buffer is free.
    """

    def __init__(self, core: _core.UCXEndpoint, worker: Worker) -> None:
        """Wrap an endpoint of the core."""
        super().__init__(_core._AsyncEndpoint(core), worker)
        self._uid = self._core.handle
        self._closing: UCXRequest[None] | None = None
        worker._endpoints.add(self)
        worker._by_handle[self._uid] = self

    def __repr__(self) -> str:
        """Name the peer and the state."""
        state = "closed" if self._core._was_closed else "alive" if self.alive else "failed"
        name = self._worker._loop.library.name
        return f"<ucxx.{name}.Endpoint to {self.peer_address or 'its peer'}, {state}>"

    async def __aenter__(self) -> Self:
        """Return it."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it; after an exception or a cancel within a second, and what is lost then is only logged."""
        if error is None:
            await self.close()
        else:
            await self._close_quickly()

    # What it is

    @property
    def worker(self) -> Worker:
        """The worker that moves it."""
        return self._worker

    @property
    def uid(self) -> int:
        """A number that no other endpoint of this process has; it keeps it when it is closed."""
        return self._uid

    @property
    def alive(self) -> bool:
        """False once it is closed, or the peer has closed or gone and the worker has noticed."""
        return self._core.alive

    @property
    def closed(self) -> bool:
        """Not `alive`."""
        return self._core.closed

    @property
    def local_address(self) -> str:
        """Address and port as text; empty until connected."""
        return self._core.local_address

    @property
    def peer_address(self) -> str:
        """Address and port as text; empty until connected."""
        return self._core.peer_address

    @property
    def transports(self) -> list[str]:
        """Names of the transports (self, local, or UCX's); empty until connected."""
        return self._core.transports

    def explain(self, nbytes: int) -> str:
        """Say how a message of so many bytes would go to the peer now, and why."""
        return self._core.explain(nbytes)

    def raise_on_error(self) -> None:
        """Raise what the endpoint has failed with, if it has: UCXConnectionResetError and others."""
        self._core.raise_on_error()

    # What can be done without waiting

    def tag_probe(
        self, remove: bool = False, tag: Hashable = None, force_tag: bool = False
    ) -> TagProbe:
        """Look for the oldest message of that tag that nobody has received; see Worker.tag_probe.

        Raises:
            TypeError: `remove` is no bool: a tag has to be given by name.
        """
        require_remove(remove)
        return self._worker.tag_probe(self._core._receive_tag(tag, force_tag), remove)

    def am_probe(self) -> bool:
        """Tell whether an active message of this endpoint waits. Also after the peer has closed."""
        self._worker._loop.require_here(self)
        return self._core.am_probe()

    def receive_ahead(self, nbytes: int) -> None:
        """Take messages that the peer sends by send_multi or send_obj into memory as they come.

        From now on, before anybody receives them: a send to here does not wait for this program. So many
        bytes are held at a time, and one message of any size while none is; what is beyond waits for its
        receive, or for room. What is held when this end closes is dropped. 0: no more is taken.
        """
        self._worker._loop.require_here(self)
        self._core.receive_ahead(nbytes)

    def create_remote_key(self, data: BufferLike) -> RemoteKey:
        """Make the key of memory of the peer of the bytes that it has sent, `bytes(key)` there.

        Raises UCXInvalidParamError for bytes that are no key.
        """
        return RemoteKey.create_from_buffer(self._core, data)

    def set_close_callback(
        self,
        callback_func: Callable[..., object] | None,
        cb_args: tuple[object, ...] | None = None,
        cb_kwargs: dict[str, object] | None = None,
    ) -> None:
        """Call `callback_func(*cb_args, **cb_kwargs)` once, at the end of the endpoint.

        A plain function, `event.set` for example; what it raises ends the worker's block. None takes it
        back. Raises RuntimeError after the end.
        """
        self._worker._loop.require_here(self)
        self._core.set_close_callback(callback_func, cb_args, cb_kwargs)

    # Its end

    async def close(self, *, timeout: float | None = None) -> None:
        """Wait for what was sent, tell the peer, end pending receives with UCXCanceledError.

        It is closed afterwards in any case, and may be closed again. Cancelling it ends the wait.

        Args:
            timeout: seconds to wait for receivers of what was sent before; None: ten, or those of
                `open_worker`.

        Raises:
            UCXTimedOutError: not all of it was taken in time. The text says how many messages and bytes;
                they are lost.
            UCXConnectionResetError: the same, because the peer closes, too, or has gone.
            ValueError: for a timeout that is no number of seconds.
        """
        loop = self._worker._loop
        if not loop.is_closed():  # else its worker has closed it
            loop.require_here(self)
        request = None if loop.is_closed() else self._begin_close(timeout)
        if request is None:
            await loop.library.cancel_shielded_checkpoint()
        else:
            await result_of(loop, request)
        await loop.library.checkpoint_if_cancelled()

    async def aclose(self) -> None:
        """Close it, by the name that trio and anyio have for it."""
        await self.close()

    def abort(self) -> None:
        """Cancel what is pending and close; a peer that does not answer is waited for 50 ms at most.

        What nobody has begun to receive ends, and is not received later.
        """
        self._worker._loop.require_here(self)
        self._core.close_blocking()

    def _begin_close(self, timeout: float | None) -> UCXRequest[None] | None:
        """Return what ends with the close, whoever has begun it; None: it has ended."""
        if self._closing is None:
            self._closing = self._core._close(timeout)
        return None if self._closing is None or self._closing.done() else self._closing

    def _end(self) -> None:
        self._core = EndedEndpoint(self._core)  # type: ignore[assignment]
        self._closing = None

    async def _close_quickly(self) -> None:
        with self._worker._loop.library.cancel_scope(shield=True):
            await self._close_quietly(SECONDS_AFTER_ERROR)

    async def _close_quietly(self, timeout: float | None) -> None:
        try:
            await self.close(timeout=timeout)
        except UCXError as lost:
            logger.warning("%r: %s", self, lost)
