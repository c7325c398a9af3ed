# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Endpoints of the asynchronous API."""

from __future__ import annotations

import functools
import numbers
from collections.abc import Awaitable, Callable, Hashable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from ucxx import _core
from ucxx._arguments.checks import require_remove
from ucxx._asyncio.prepared import PreparedRecv, PreparedSend
from ucxx._core import Condition, TagProbe, UCXRequest
from ucxx._process.logger import logger
from ucxx._shared.closing import SECONDS_AFTER_ERROR
from ucxx._shared.objects import frames_of, object_of
from ucxx.exceptions import UCXError

if TYPE_CHECKING:
    from ucxx._asyncio.runtime import Runtime
    from ucxx.types import BufferLike

_T = TypeVar("_T")


class Endpoint(_core._AsyncEndpoint):
    """One end of a pair; the other end is the peer's endpoint. Dropping it closes it.

    Made by `ucxx.create_endpoint`, or given to the callback of a listener. An asynchronous context
    manager: it is closed at the end. All transfers are awaitables that may be awaited later, once or
    by several tasks; cancelling a task that awaits one waits until its buffer is free again. With
    `condition=` it starts when that is triggered; see `ucxx.cuda`.
    """

    def __init__(self, endpoint: _core.UCXEndpoint, runtime: Runtime) -> None:
        """Wrap an endpoint of the core."""
        super().__init__(endpoint)
        self._uid = self.handle
        self._receives_left: int | None = None
        runtime.members.add(self)
        runtime.endpoints[self._uid] = self

    def __repr__(self) -> str:
        """Name the peer and the state."""
        state = "closed" if self._was_closed else "alive" if self.alive else "failed"
        return f"<ucxx.Endpoint to {self.peer_address or 'its peer'}, {state}>"

    async def __aenter__(self) -> Self:
        """Return it."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it; after an exception within a second, and what is lost then is only logged."""
        if error is None:
            return await self.close()
        try:
            await self.close(timeout=SECONDS_AFTER_ERROR)
        except UCXError as lost:
            logger.warning("%r: %s", self, lost)

    @property
    def uid(self) -> int:
        """A number that no other endpoint of this process has; it keeps it when it is closed."""
        return self._uid

    @property
    def ucp_endpoint(self) -> int:
        """The key of the endpoint in UCX's type, as an int."""
        return self.handle

    @property
    def ucp_worker(self) -> int:
        """The ucp_worker_h, as an int."""
        return self.worker.handle

    @property
    def ucxx_endpoint(self) -> int:
        """The address of the C++ endpoint, as an int."""
        return self.ucxx_ptr

    @property
    def ucxx_worker(self) -> int:
        """The address of the C++ worker, as an int."""
        return self.worker.ucxx_ptr

    async def close(
        self,
        period: int | None = None,
        max_attempts: int | None = None,
        *,
        timeout: float | None = None,
    ) -> None:
        """Wait for what was sent, tell the peer, end pending receives with UCXCanceledError.

        It is closed afterwards in any case, and may be closed again. Cancelling it ends the wait.

        Args:
            period: accepted and ignored.
            max_attempts: accepted and ignored.
            timeout: seconds to wait for receivers of what was sent before; None: ten.

        Raises:
            UCXTimedOutError: not all of it was taken in time. The text says how many messages and bytes;
                they are lost.
            UCXConnectionResetError: the same, because the peer closes, too, or has gone.
            ValueError: for a timeout that is no number of seconds.
        """
        del period, max_attempts
        request = self._close(timeout)
        if request is not None:
            await request

    def abort(self, period: int | None = None, max_attempts: int | None = None) -> None:
        """Cancel what is pending and close; a peer that does not answer is waited for 50 ms at most.

        What nobody has begun to receive ends, and is not received later. A send that is in flight to a
        stopped peer of this machine keeps its buffer until the peer goes on or dies.
        """
        del period, max_attempts
        self.close_blocking()

    async def send_obj(
        self,
        obj: Any,
        tag: Hashable = None,
        force_tag: bool = False,
        *,
        condition: Condition | None = None,
    ) -> None:
        """Send a Python object: bytes as they are, anything else pickled.

        Bytes are bytes, bytearray, memoryview, `core.Array`, `core.DeviceBuffer`, and a contiguous
        ndarray (or memmap) without objects: the receiver gets them without type and shape. Of a
        memoryview that is not contiguous a copy is sent, in C order. Everything else arrives as what it
        was, subclasses of these and arrays of devices too, which pickle themselves by the host. Pickling
        is of protocol 5; buffers within the object travel beside it, uncopied. With a `condition` it is pickled and posted when
        the coroutine runs, and sent at the trigger.

        Raises:
            TypeError: a memoryview that has objects.
            BufferError: a `core.Array` of an array that is not contiguous.
        """
        await self.send_multi(frames_of(obj), tag, force_tag, condition=condition)

    async def recv_obj(
        self,
        tag: Hashable = None,
        allocator: Callable[[int], Any] | None = None,
        force_tag: bool = False,
        allow_pickle: bool = False,
        *,
        condition: Condition | None = None,
    ) -> Any:
        """Receive what `send_obj` has sent: an object, or bytes as an array of uint8.

        Args:
            tag: as in `recv`.
            allocator: makes what bytes are received into, `allocator(nbytes)`, a writable buffer of
                the host, which is then the result; None: memory of the library's.
            force_tag: as in `recv`.
            allow_pickle: also unpickle what comes from another machine or user, or over TCP (as with
                UCXX_LOCAL=off inside a machine), which proves no user. Unpickling runs what the
                sender wants.
            condition: as in `recv`; it is posted when the coroutine runs.

        Raises:
            ValueError: the allocator has given another size.
            UCXError: a pickled object of a peer that is not, or with `force_tag` may not be, a process
                of this user and machine; or what `send_obj` has not sent. The message is not lost: the
                next `recv_obj` or `recv_multi` gets it. Or what came is no pickle, or cannot be
                unpickled here: it is gone, since a part of it may have been run.

        What `allocator` raises is raised, and the message is not lost, either.
        """
        request = _core._AsyncEndpoint.recv_multi(self, tag, force_tag, condition=condition)
        frames: list[Any] = await request
        return object_of(self, request, frames, allocator, force_tag, allow_pickle)

    def prepare_send(  # type: ignore[override]  # of the asynchronous API
        self,
        buffer: BufferLike,
        tag: Hashable = None,
        force_tag: bool = False,
        *,
        partitions: int = 1,
        contributors: int = 1,
    ) -> PreparedSend:
        """Prepare to send a contiguous buffer again and again, in partitions of equal size.

        It does not wait for the peer, whose `prepare_recv` has the same tag: the first prepared there
        is that of the first prepared here. Messages of that tag have nothing to do with it.

        Args:
            buffer: pinned until the plan's `close` has ended.
            tag: as in `send`.
            force_tag: as in `send`.
            partitions: 1 to 65536, which divide the bytes. Each leaves when it is made ready; a single
                one leaves at the start.
            contributors: so many calls of kernels (`ucxx::device::ready`, by the plan's `handle`) make a
                partition ready.

        Raises:
            UCXInvalidParamError: the partitions do not divide the bytes.
            UCXUnsupportedError: the buffer is in the memory of a device.
            UCXCloseError: the endpoint is closed.
        """
        return PreparedSend(self, buffer, tag, force_tag, partitions, contributors)

    def prepare_recv(  # type: ignore[override]
        self,
        buffer: BufferLike,
        tag: Hashable = None,
        force_tag: bool = False,
        *,
        partitions: int = 1,
    ) -> PreparedRecv:
        """Prepare to receive into a writable, contiguous buffer again and again.

        The peer sends as many bytes; of the two numbers of partitions one must divide the other. Into
        memory of the library (of `create_memory_handle(size)`) a peer of the same machine writes up to
        256 KiB at a time itself. Arguments and errors are those of `prepare_send`.
        """
        return PreparedRecv(self, buffer, tag, force_tag, partitions)

    def set_close_callback(
        self,
        callback_func: Callable[..., object] | None,
        cb_args: tuple[object, ...] | None = None,
        cb_kwargs: dict[str, object] | None = None,
    ) -> None:
        """Call `callback_func(*cb_args, **cb_kwargs)` once, at the end of the endpoint.

        None takes it back. Raises RuntimeError after the end.
        """
        super().set_close_callback(callback_func, cb_args, cb_kwargs)

    def tag_probe(
        self, remove: bool = False, tag: Hashable = None, force_tag: bool = False
    ) -> TagProbe:
        """Look for the oldest message of that tag that nobody has received; see UCXWorker.tag_probe.

        Raises:
            TypeError: `remove` is no bool: a tag has to be given by name.
        """
        require_remove(remove)
        return self.worker.tag_probe(self._receive_tag(tag, force_tag), remove)

    def recv_with_handle(self, buffer: BufferLike, probe_result: TagProbe) -> UCXRequest[int]:
        """Receive a message that a probe with remove=True has found."""
        return self.worker.tag_recv_with_handle(buffer, probe_result)

    def close_after_n_recv(self, n: int, count_from_ep_creation: bool = False) -> None:
        """Close the endpoint after `n` more receives, or so many since it was made.

        Raises:
            UCXError: it was set before, or there have been more.
        """
        if not isinstance(n, numbers.Integral):
            raise TypeError(f"n must be an int, a number of receives, not {type(n).__name__}")
        if self._receives_left is not None:
            raise UCXError("close_after_n_recv has been set already")
        left = n - self._receives if count_from_ep_creation else n
        if left < 0:
            raise UCXError(f"close_after_n_recv({n}): there have been {self._receives} receives")
        self._receives_left = left
        self.__class__ = _CountingEndpoint
        if left == 0:
            self.abort()


class _CountingEndpoint(Endpoint):
    """One that closes after some receives: each is a coroutine, which counts and closes at its end."""

    async def _counted(self, receive: Callable[[], Awaitable[_T]]) -> _T:
        # It is posted when the task begins: one that is cancelled before takes no message.
        result = await receive()
        self._receives_left = (self._receives_left or 0) - 1
        if self._receives_left == 0:
            self.abort()
        return result

    def recv(
        self,
        buffer: BufferLike,
        tag: Hashable = None,
        force_tag: bool = False,
        *,
        condition: Condition | None = None,
    ) -> Any:
        return self._counted(
            functools.partial(super().recv, buffer, tag, force_tag, condition=condition)
        )

    def recv_multi(
        self, tag: Hashable = None, force_tag: bool = False, *, condition: Condition | None = None
    ) -> Any:
        return self._counted(
            functools.partial(super().recv_multi, tag, force_tag, condition=condition)
        )

    def recv_obj(self, *arguments: Any, **named: Any) -> Any:
        return self._counted(functools.partial(super().recv_obj, *arguments, **named))

    def am_recv(self, *, condition: Condition | None = None) -> Any:
        return self._counted(functools.partial(super().am_recv, condition=condition))
