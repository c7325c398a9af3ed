# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The worker that a program of trio or anyio connects, listens and receives by."""

from __future__ import annotations

import weakref
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from ucxx import _core
from ucxx._arguments.checks import require_bytes, require_callable
from ucxx._core import TagProbe, UCXAddress, UCXRequest
from ucxx._process import log
from ucxx._structured import connecting
from ucxx._structured.ended import Ended
from ucxx._structured.endpoint import Endpoint
from ucxx._structured.library import IGNORED, Nursery, TaskStatus
from ucxx._structured.listener import Listener
from ucxx._structured.waiting import result_of
from ucxx.core import MemoryHandle, UCXContext, UCXWorker
from ucxx.exceptions import UCXError

if TYPE_CHECKING:
    from ucxx._structured.loop import WorkerLoop
    from ucxx.types import BufferLike

_T = TypeVar("_T")


class Worker:
    """Connects, listens, and moves all transfers; made by `open_worker`, whose block it lives in.

    It is for the tasks of one run, in one thread. After the block all that it has made is closed, and
    raises UCXCloseError.
    """

    def __init__(self, core: UCXWorker, context: UCXContext, loop: WorkerLoop) -> None:
        """Wrap a worker that is bound to a loop."""
        self._core = core
        self._context = context
        self._loop = loop
        self._endpoints: weakref.WeakSet[Endpoint] = weakref.WeakSet()
        self._by_handle: weakref.WeakValueDictionary[int, Endpoint] = weakref.WeakValueDictionary()
        self._listeners: weakref.WeakSet[Listener] = weakref.WeakSet()
        self._receives: weakref.WeakSet[UCXRequest[int]] = weakref.WeakSet()

    def __repr__(self) -> str:
        """Say how many endpoints it has, and whether its block has ended."""
        count = sum(not endpoint.closed for endpoint in self._endpoints)
        state = "ended" if self._loop.is_closed() else f"{count} endpoints"
        return f"<ucxx.{self._loop.library.name}.Worker, {state}>"

    # To connect and to listen

    async def create_endpoint(
        self,
        ip_address: str,
        port: int,
        endpoint_error_handling: bool = True,
        connect_timeout: float | None = 5.0,
        receive_ahead: int = 0,
    ) -> Endpoint:
        """Meet the listener at an address and wait until it has accepted.

        Args:
            ip_address: a number or a name, which is looked up in a thread.
            port: of the listener.
            endpoint_error_handling: whether the endpoint notices that its peer has gone.
            connect_timeout: seconds; None: as long as it takes. A scope of the caller's may end it, too.
            receive_ahead: bytes; see `Endpoint.receive_ahead`.

        Raises:
            UCXUnreachableError: nobody listens there; it is a ConnectionRefusedError, too.
            UCXRejectedError: the peer has sent us away.
            UCXTimedOutError: it has not accepted in time; it is a TimeoutError, too.
            ValueError: `connect_timeout` is negative, or the port is none.
        """
        core = await connecting.met(
            self, ip_address, port, endpoint_error_handling, connect_timeout, receive_ahead
        )
        return Endpoint(core, self)

    async def create_endpoint_from_worker_address(
        self,
        address: UCXAddress,
        endpoint_error_handling: bool = True,
        connect_timeout: float | None = None,
        receive_ahead: int = 0,
    ) -> Endpoint:
        """Meet a worker by its address. Waits for nobody: transfers fail if the worker does not answer.

        It has `connect_timeout` seconds for that; None: five, or those of `open_worker`. Its messages have
        no tags of their own: give `tag=..., force_tag=True`. `receive_ahead`: bytes; see
        `Endpoint.receive_ahead`.
        """
        require_bytes("receive_ahead", receive_ahead)
        await self._begin()
        log.follow_levels()
        core = _core.UCXEndpoint.create_from_worker_address(
            self._core, address, endpoint_error_handling, connect_timeout
        )
        if receive_ahead:
            core.receive_ahead(receive_ahead)
        endpoint = Endpoint(core, self)
        await self._loop.library.cancel_shielded_checkpoint()
        return endpoint

    def create_listener(
        self,
        port: int | None = None,
        ip: str | None = None,
        endpoint_error_handling: bool = True,
        receive_ahead: int = 0,
    ) -> Listener:
        """Listen at `port` (None: any free one) of `ip` (None: all interfaces).

        Callers wait until `Listener.accept` or `Listener.serve` takes them, for as long as their
        `connect_timeout`. `receive_ahead`: bytes; each endpoint calls `Endpoint.receive_ahead` with them
        first. Raises UCXError naming the address when it cannot be bound.
        """
        require_bytes("receive_ahead", receive_ahead)
        self._loop.require_here(self)
        return Listener(self, port, ip, endpoint_error_handling, receive_ahead)

    async def serve(
        self,
        handler: Callable[[Endpoint], Awaitable[object]],
        port: int | None = None,
        ip: str | None = None,
        *,
        endpoint_error_handling: bool = True,
        receive_ahead: int = 0,
        handler_nursery: Nursery | None = None,
        task_status: TaskStatus = IGNORED,
    ) -> NoReturn:
        """Listen, and run `handler(endpoint)` in a task for each caller, until it is cancelled.

        `await nursery.start(worker.serve, handler, port)` returns the Listener, which is listening.
        Arguments of the listener are those of `create_listener`, the others those of `Listener.serve`.
        """
        listener = self.create_listener(port, ip, endpoint_error_handling, receive_ahead)
        await listener.serve(handler, handler_nursery=handler_nursery, task_status=task_status)

    # Messages of any peer

    @property
    def address(self) -> UCXAddress:
        """The address by which other workers meet it; it pickles, and has the buffer protocol."""
        return self._core.address

    async def recv(self, buffer: BufferLike, tag: int) -> int:
        """Receive the next message of any peer with exactly this tag; return how many bytes it has."""
        await self._begin()
        request = self._core.tag_recv(buffer, tag)
        self._receives.add(request)
        return await result_of(self._loop, request)

    def tag_probe(self, tag: int, remove: bool = False) -> TagProbe:
        """Look for the oldest message of any peer with this tag that nobody has received.

        `remove=True` takes it out, for `recv_with_handle`. What is found is true or false, and has the
        tag and the length in bytes. It waits for nothing.
        """
        self._loop.require_here(self)
        return self._core.tag_probe(tag, remove=remove)

    async def recv_with_handle(self, buffer: BufferLike, probe_result: TagProbe) -> int:
        """Receive a message that a probe with remove=True has found; return how many bytes it has."""
        return await self._transfer(self._core.tag_recv_with_handle, buffer, probe_result)

    def register_am_receiver_callback(
        self, id: int, callback: Callable[[UCXRequest[Any], Endpoint | None], object]
    ) -> None:
        """Call `callback(request, endpoint)` for each active message that is sent with this id.

        The request has ended: `request.result()` is the message, an array of bytes, or raises what became
        of it; `request.recv_header` is its user header. `endpoint` is the Endpoint that it came to, None
        if nobody has it any more. The callback is a plain function, which hands over: it starts a task in
        a nursery, or sends into a memory channel. What it raises ends the worker's block.

        Raises:
            RuntimeError: the id is taken.
            ValueError: it is no int of 0 to 2**64 - 1.
        """
        require_callable("a callback", callback)
        self._loop.require_here(self)

        def on_message(request: UCXRequest[Any], handle: int) -> None:
            callback(request, self._by_handle.get(handle))

        self._core.register_am_receiver_callback(id, on_message)

    async def flush(self) -> None:
        """Wait until all that was sent before is with its receivers."""
        await self._transfer(self._core.flush)

    # Memory

    def create_memory_handle(self, memory: BufferLike | int) -> MemoryHandle:
        """Register memory that peers reach by put, get and atomic operations; see core.MemoryHandle."""
        return MemoryHandle(self._context, memory)

    def set_allocator(self, kind: str, function: Callable[[int], BufferLike]) -> None:
        """Receive large messages into what `function(nbytes)` makes; see core.UCXWorker.set_allocator."""
        self._loop.require_here(self)
        self._core.set_allocator(kind, function)

    # What goes on

    def describe(self) -> str:
        """Return a text: peers, channels, endpoints, and what is pending since when."""
        return self._core.describe()

    def stats(self) -> dict[str, int]:
        """Return its counters since it was made, by name; sizes are in bytes."""
        return self._core.stats()

    # For the other modules

    async def _begin(self) -> None:
        """Raise where nothing may be posted: a transfer of a cancelled task is not begun."""
        self._loop.require_here(self)
        await self._loop.library.checkpoint_if_cancelled()

    async def _transfer(self, post: Callable[..., UCXRequest[_T]], *arguments: Any) -> _T:
        await self._begin()
        return await result_of(self._loop, post(*arguments))

    async def _close(self, timeout: float | None) -> list[UCXError]:
        """Close all that is open, at once; return what the endpoints have lost."""
        for listener in list(self._listeners):
            listener.close()
        for receive in [one for one in self._receives if not one.done()]:
            receive.close()
        pending = [endpoint._begin_close(timeout) for endpoint in list(self._endpoints)]
        closing = [request for request in pending if request is not None]
        try:
            return [error for one in closing if (error := await self._lost_by(one)) is not None]
        except BaseException:  # the peers are not waited for any more
            for request in closing:
                request.close()
            raise

    async def _lost_by(self, closing: UCXRequest[None]) -> UCXError | None:
        try:
            await result_of(self._loop, closing)
        except UCXError as error:
            return error
        return None

    def _end(self) -> None:
        """Let go of the worker of the core, so that it ends, whoever keeps this object or an endpoint."""
        self._core._unbind()
        self._loop.close()
        for endpoint in list(self._endpoints):
            endpoint._end()
        self._core = Ended()  # type: ignore[assignment]
