# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A connection of Dask over an endpoint.

Each write is one multi-buffer message (`frames.py`), so messages need no other boundaries, and the
endpoint keeps their order. A write ends when its buffers are free again.

Messages are taken into memory as they come, up to a limit, and their senders go on while Python computes
here (`Endpoint.receive_ahead`). `closed()` is true as soon as the peer has gone; what it had sent can still
be read.

The first message of the caller has a note, so that both ends agree on their addresses: the port of the
caller's end, and inside a machine also the host that it called, which nobody else knows there.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import sys
import time
import weakref
from typing import Any

from distributed.comm.addressing import parse_host_port, unparse_host_port
from distributed.comm.core import Comm, CommClosedError
from distributed.utils import nbytes

from ucxx._asyncio.endpoint import Endpoint
from ucxx.core import UCXRequest
from ucxx.dask import frames as wire
from ucxx.dask import serialize
from ucxx.dask.framing import from_frames, to_frames
from ucxx.dask.learning import transfers
from ucxx.exceptions import UCXError

logger = logging.getLogger("distributed.comm.ucxx")

_WHOLE = sys.maxsize  # Dask splits longer frames; joining them again would cost a copy
AHEAD_BYTES = 64 << 20  # of messages that nobody has read yet; one is taken whatever its size
_AT_ONCE = 1  # nanosecond that an abort waits for the peer's answer


class UCXX(Comm):
    """A connection between two processes, over an endpoint that it owns.

    One task reads and one writes at a time. `abort` may be called by any thread. Dropping it aborts it,
    with a warning.
    """

    _endpoint: Endpoint | None

    def __init__(
        self,
        endpoint: Endpoint,
        local_address: str,
        peer_address: str,
        deserialize: bool = True,
        note: bytes = b"",
    ) -> None:
        """Take over an endpoint; `note` goes along with the first message."""
        super().__init__(deserialize=deserialize)
        self._local_addr = local_address
        self._peer_addr = peer_address
        self._note = note
        self._endpoint = endpoint
        self._closed = False
        self._asked = 0.0  # when data of a worker was asked for, whose transfer is measured
        self._finalizer = weakref.finalize(self, _abort_dropped, endpoint, repr(self))
        self._finalizer.atexit = False
        try:
            endpoint.set_close_callback(functools.partial(_on_end, weakref.ref(self)))
        except RuntimeError:  # the peer has gone already
            self._closed = True

    @property
    def local_address(self) -> str:
        """The address of this end."""
        return self._local_addr

    @property
    def peer_address(self) -> str:
        """The address of the peer's end; of the end that called, the address that it called."""
        return self._peer_addr

    @property
    def endpoint(self) -> Endpoint | None:
        """The endpoint, for `transports` and `explain`; None once the comm is closed here."""
        return self._endpoint

    def handshake_info(self) -> dict[str, Any]:
        """Return what Dask tells the peer, and whether device memory can be received here."""
        return {**super().handshake_info(), "ucxx": serialize.abilities()}

    async def read(self, deserializers: Any = None) -> Any:
        """Return the next message.

        Raises:
            CommClosedError: the connection has ended, and all that had come is read.

        A read that is cancelled, or fails otherwise, aborts the comm: nobody knows what it has taken. A
        message that comes whole, and cannot be deserialised, does not.
        """
        endpoint = self._endpoint
        if endpoint is None:
            raise CommClosedError(f"{self!r} is closed")
        try:
            buffers = await endpoint.recv_multi()
            asked, self._asked = self._asked, 0.0
            seconds = time.perf_counter() - asked if asked else 0.0
            frames, note = wire.unpack(buffers)
            size = nbytes(buffers[0]) if len(buffers) == 1 else sum(map(nbytes, buffers))
            del buffers
            if note:
                self._read_note(note)
        except (UCXError, wire.FramesError) as error:
            self.abort()
            raise CommClosedError(f"in {self!r}: {type(error).__name__}: {error}") from error
        except BaseException:
            self.abort()
            raise
        try:
            msg = await from_frames(
                frames,
                size,
                self.deserialize,
                deserializers,
                self.allow_offload,
            )
            if asked:
                transfers.note(self._peer_addr, msg, size, seconds)
            return msg
        except EOFError as error:
            self.abort()
            raise CommClosedError(f"in {self!r}: a message is cut off: {error}") from error
        except Exception:
            raise  # the message was read whole: Dask answers it with the error
        except BaseException:
            self.abort()
            raise

    async def write(self, msg: Any, serializers: Any = None, on_error: str = "message") -> int:
        """Write a message, and return how many bytes it has.

        It waits until the peer's memory has the message, or as much of it as may be on its way.

        Raises:
            CommClosedError: the connection has ended.
        """
        self._open_endpoint()
        if transfers.is_noted and type(msg) is dict and msg.get("op") == "get_data":
            self._asked = time.perf_counter()
        if serializers is None:
            serializers = serialize.serializers(self.remote_info)
        options = self.handshake_options
        frames = await to_frames(
            msg,
            self.allow_offload,
            serializers,
            on_error,
            {"sender": self.local_info, "recipient": self.remote_info, "compression": None, **options},
            # A compressor has a limit, which Dask's splitting keeps.
            None if options.get("compression") else _WHOLE,
        )
        endpoint = self._open_endpoint()
        note, self._note = self._note, b""
        try:
            buffers, size = wire.pack(frames, note)
            request = endpoint.send_multi(buffers)
            if request._look():  # this side copies its part meanwhile
                request.result()
            else:
                await _ended(request)
        except UCXError as error:
            self.abort()
            raise CommClosedError(f"in {self!r}: {type(error).__name__}: {error}") from error
        except BaseException:
            self.abort()
            raise
        return size

    def _open_endpoint(self) -> Endpoint:
        if self._endpoint is None or self._closed:
            raise CommClosedError(f"{self!r} is closed")
        return self._endpoint

    def _read_note(self, note: bytes) -> None:
        host, port = _end_of(note)
        self._local_addr = _with(self._local_addr, host, None)
        self._peer_addr = _with(self._peer_addr, host, port)

    async def close(self) -> None:
        """Wait until what was written before is with the peer, and close."""
        endpoint = self._let_go()
        if endpoint is not None:
            with contextlib.suppress(UCXError):  # the peer has gone: nothing is left to be flushed
                await endpoint.close()

    def abort(self) -> None:
        """Close at once."""
        endpoint = self._let_go()
        if endpoint is not None:
            _abort(endpoint)

    def _let_go(self) -> Endpoint | None:
        endpoint, self._endpoint = self._endpoint, None
        self._closed = True
        self._finalizer.detach()
        return endpoint

    def closed(self) -> bool:
        """Tell whether it was closed here, or the peer has gone."""
        return self._closed


def _on_end(reference: weakref.ref[UCXX]) -> None:
    comm = reference()
    if comm is not None:
        comm._closed = True


def _abort(endpoint: Endpoint) -> None:
    endpoint.close_blocking(_AT_ONCE, 1)


def _abort_dropped(endpoint: Endpoint, name: str) -> None:
    if endpoint.alive:
        logger.warning("a comm was dropped and not closed: %s", name)
    _abort(endpoint)


async def _ended(request: UCXRequest[None]) -> None:
    """Wait for a send. Who is cancelled goes at once: the request keeps what it sends."""
    ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def on_end(request: UCXRequest[None]) -> None:
        if not ended.done():
            ended.set_result(None)

    request.add_done_callback(on_end)
    await ended
    request.result()


_OF_HOSTS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:%")


def _end_of(note: bytes) -> tuple[str, int]:
    """Return host and port that a peer says its end has; the host may be empty. It may say anything."""
    try:
        host, port = parse_host_port(note.decode("ascii"))
    except ValueError:
        host, port = "?", 0
    if not _OF_HOSTS.issuperset(host) or not 0 < port < 65536:
        raise wire.FramesError(f"a note that is no address: {note[:64]!r}")
    return host, port


def _with(address: str, host: str, port: int | None) -> str:
    """Return an address with another host or port, where they are given."""
    scheme, _, location = address.partition("://")
    old_host, old_port = parse_host_port(location)
    return f"{scheme}://{unparse_host_port(host or old_host, old_port if port is None else port)}"


_SAME_MACHINE = frozenset({"self", "local"})  # transports whose addresses do not say which host was called


def is_same_machine(endpoint: Endpoint) -> bool:
    """Tell whether the peer is met without a network."""
    return _SAME_MACHINE.issuperset(endpoint.transports)
