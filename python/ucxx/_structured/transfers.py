# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The transfers of an endpoint of trio or anyio."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any

from ucxx import _core
from ucxx._core import AtomicOperation, RemoteKey, TagProbe
from ucxx._shared.objects import frames_of, object_of
from ucxx._structured.waiting import result_of

if TYPE_CHECKING:
    import numpy

    from ucxx._structured.worker import Worker
    from ucxx.types import BufferLike


class Transfers:
    """What an endpoint sends and receives. Arguments and results are those of `ucxx.Endpoint`."""

    def __init__(self, core: _core._AsyncEndpoint, worker: Worker) -> None:
        """Wrap an endpoint of the core."""
        self._core = core
        self._worker = worker
        self._transfer = worker._transfer

    # Messages with tags

    async def send(self, buffer: BufferLike, tag: Hashable = None, force_tag: bool = False) -> None:
        """Send a contiguous buffer as one message.

        Without a tag the message is for a `recv` without one of the endpoint's peer; a tag, an int of 0 to
        2**64 - 1 or any hashable object, is mixed with the endpoint's own, and with `force_tag=True` taken
        as it is. The buffer must not change meanwhile.
        """
        await self._transfer(self._core.send, buffer, tag, force_tag)

    async def recv(self, buffer: BufferLike, tag: Hashable = None, force_tag: bool = False) -> int:
        """Receive the next message of that tag into a writable, contiguous buffer; return its bytes.

        A message that is longer raises UCXMessageTruncatedError, nothing written past the buffer.
        """
        return await self._transfer(self._core.recv, buffer, tag, force_tag)

    async def send_multi(
        self, buffers: Sequence[BufferLike], tag: Hashable = None, force_tag: bool = False
    ) -> None:
        """Send a sequence of buffers as one message, for one `recv_multi`.

        Each is contiguous, of any size. Tags as in `send`.
        """
        await self._transfer(self._core.send_multi, buffers, tag, force_tag)

    async def recv_multi(
        self, tag: Hashable = None, force_tag: bool = False
    ) -> list[numpy.typing.NDArray[numpy.uint8]]:
        """Receive what one `send_multi` sent; return the list of its buffers.

        They are arrays of uint8, or memoryviews where NumPy is not installed, of memory of the library's,
        in the sender's order. Tags as in `send`.
        """
        return await self._transfer(self._core.recv_multi, tag, force_tag)

    async def recv_with_handle(self, buffer: BufferLike, probe_result: TagProbe) -> int:
        """Receive a message that a probe with remove=True has found; return how many bytes it has."""
        return await self._worker.recv_with_handle(buffer, probe_result)

    # Objects

    async def send_obj(self, obj: Any, tag: Hashable = None, force_tag: bool = False) -> None:
        """Send a Python object: bytes as they are, anything else pickled; see `ucxx.Endpoint.send_obj`."""
        await self.send_multi(frames_of(obj), tag, force_tag)

    async def recv_obj(
        self,
        tag: Hashable = None,
        allocator: Callable[[int], Any] | None = None,
        force_tag: bool = False,
        allow_pickle: bool = False,
    ) -> Any:
        """Receive what `send_obj` has sent: an object, or bytes as an array of uint8.

        Args:
            tag: as in `recv`.
            allocator: makes what bytes are received into, `allocator(nbytes)`, a writable buffer of the
                host, which is then the result; None: memory of the library's.
            force_tag: as in `recv`.
            allow_pickle: also unpickle what comes from another machine or user, or over TCP, which proves
                no user. Unpickling runs what the sender wants.

        Raises:
            ValueError: the allocator has given another size.
            UCXError: a pickled object of a peer that is not, or with `force_tag` may not be, a process of
                this user and machine; or what `send_obj` has not sent. The message is not lost: the next
                `recv_obj` or `recv_multi` gets it. Or what came cannot be unpickled here, and is gone.
        """
        await self._worker._begin()
        request = self._core.recv_multi(tag, force_tag)
        frames: list[Any] = await result_of(self._worker._loop, request)
        return object_of(self, request, frames, allocator, force_tag, allow_pickle)  # type: ignore[arg-type]

    # Active messages

    async def am_send(
        self, buffer: BufferLike, id: int | None = None, header: bytes = b""
    ) -> None:
        """Send an active message: for the peer's `am_recv`, or its handler of that id."""
        await self._transfer(self._core.am_send, buffer, id, header)

    async def am_recv(self) -> numpy.typing.NDArray[numpy.uint8]:
        """Receive the next active message of this endpoint, an array of uint8.

        It is in memory of the library's, or what an allocator made; a memoryview, where NumPy is not
        installed.
        """
        return await self._transfer(self._core.am_recv)

    # The stream

    async def stream_send(self, array: BufferLike) -> None:
        """Send bytes of the stream, which has no message boundaries. Raises RuntimeError for no bytes."""
        await self._transfer(self._core.stream_send, array)

    async def stream_recv(self, array: BufferLike, some: bool = False) -> int:
        """Receive as many bytes of the stream as the buffer has; return how many.

        With some=True it ends when any bytes are there, with as many as are. Raises RuntimeError for no
        room.
        """
        return await self._transfer(self._core.stream_recv, array, some)

    # The peer's memory

    async def put(self, buffer: BufferLike, remote_key: RemoteKey, offset: int = 0) -> None:
        """Write a buffer into the peer's memory, `offset` bytes from its start.

        The bytes are with the peer after a `flush`. Raises UCXInvalidParamError for a key of another
        endpoint, or bytes that do not lie within its memory.
        """
        await self._transfer(self._core.put, buffer, remote_key, offset)

    async def get(self, buffer: BufferLike, remote_key: RemoteKey, offset: int = 0) -> int:
        """Read the peer's memory, from `offset` bytes on, until the buffer is full; return its bytes."""
        return await self._transfer(self._core.get, buffer, remote_key, offset)

    async def atomic_post(
        self,
        operation: AtomicOperation,
        operand: int,
        remote_key: RemoteKey,
        offset: int = 0,
        itemsize: int = 8,
    ) -> None:
        """Change a word of the peer's memory; it is done after a `flush`.

        The word has `itemsize` bytes, 4 or 8, and is aligned; `offset` is in bytes. Atomic with all other
        atomics. Raises UCXInvalidParamError as `put`, ValueError for an operand that does not fit.
        """
        await self._transfer(
            self._core.atomic_post, operation, operand, remote_key, offset, itemsize
        )

    async def atomic_fetch(
        self,
        operation: AtomicOperation,
        operand: int,
        remote_key: RemoteKey,
        offset: int = 0,
        itemsize: int = 8,
    ) -> int:
        """Change a word of the peer's memory; return what it was, unsigned. As `atomic_post`."""
        return await self._transfer(
            self._core.atomic_fetch, operation, operand, remote_key, offset, itemsize
        )

    async def atomic_compare_swap(
        self,
        expected: int,
        desired: int,
        remote_key: RemoteKey,
        offset: int = 0,
        itemsize: int = 8,
    ) -> int:
        """Store `desired` if the word is `expected`; return what it was, unsigned. As `atomic_post`."""
        return await self._transfer(
            self._core.atomic_compare_swap, expected, desired, remote_key, offset, itemsize
        )

    async def flush(self) -> None:
        """Wait until what was sent is with the peer, and what was put is in its memory."""
        await self._transfer(self._core.flush)
