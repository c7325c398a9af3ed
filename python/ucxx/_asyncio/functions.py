# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The functions of the asynchronous API."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Awaitable, Callable
from typing import Any

from ucxx import _core
from ucxx._arguments.checks import MOST_SECONDS, require_bytes, require_callable, require_seconds
from ucxx._arguments.interfaces import is_number
from ucxx._asyncio.endpoint import Endpoint
from ucxx._asyncio.listener import Listener
from ucxx._asyncio.runtime import known_runtime, runtime
from ucxx._core import Condition, TagProbe, UCXAddress, UCXRequest
from ucxx._process import log
from ucxx._shared.transports import transports_in
from ucxx.core import MemoryHandle
from ucxx.exceptions import UCXError, UCXTimedOutError
from ucxx.types import BufferLike


def create_listener(
    callback_func: Callable[[Endpoint], Awaitable[object] | object],
    port: int | None = None,
    ip: str | None = None,
    endpoint_error_handling: bool = True,
    connect_timeout: float = 5.0,
    receive_ahead: int = 0,
) -> Listener:
    """Listen at `port` (None: any free one) of `ip` (None: all interfaces).

    `callback_func(endpoint)` is called for each caller; a coroutine function becomes a task. What it
    raises reaches the event loop's exception handler. May be called outside of a coroutine.
    `connect_timeout` is accepted and ignored: callers are bounded by the core. `receive_ahead`: bytes;
    each endpoint calls `Endpoint.receive_ahead` with them first.

    Raises:
        UCXError: naming the address, when it cannot be bound.
    """
    del connect_timeout
    require_callable("a callback", callback_func)
    require_bytes("receive_ahead", receive_ahead)
    return Listener(
        runtime(),
        callback_func,
        0 if port is None else port,
        ip,
        endpoint_error_handling,
        receive_ahead,
    )


async def create_endpoint(
    ip_address: str,
    port: int,
    endpoint_error_handling: bool = True,
    connect_timeout: float | None = 5.0,
    receive_ahead: int = 0,
) -> Endpoint:
    """Meet the listener at an address and wait until it has accepted; None: as long as that takes.

    `receive_ahead`: bytes; see `Endpoint.receive_ahead`.

    Raises:
        UCXUnreachableError: nobody listens there; it is a ConnectionRefusedError, too.
        UCXRejectedError: the peer has sent us away.
        UCXTimedOutError: it has not answered within `connect_timeout` seconds.
        ValueError: `connect_timeout` is negative, or the port is none.
    """
    if not isinstance(ip_address, str):
        raise TypeError(f"ip_address must be a string, not {type(ip_address).__name__}")
    require_seconds("connect_timeout", connect_timeout)
    require_bytes("receive_ahead", receive_ahead)
    _require_asyncio()
    log.follow_levels()
    create = functools.partial(
        _core.UCXEndpoint.create,
        runtime().worker(),
        ip_address,
        port,
        endpoint_error_handling,
        MOST_SECONDS if connect_timeout is None else min(connect_timeout, MOST_SECONDS),
    )
    try:
        async with asyncio.timeout(connect_timeout):
            core = create() if is_number(ip_address) else await asyncio.to_thread(create)
            if receive_ahead:
                core.receive_ahead(receive_ahead)
            await _accepted(core)
    except TimeoutError as error:
        if isinstance(error, UCXError):
            raise
        raise UCXTimedOutError(
            f"{ip_address}:{port} has not accepted within {connect_timeout} s"
        ) from None
    return Endpoint(core, runtime())


def _require_asyncio() -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        raise RuntimeError(
            "no event loop of asyncio runs here. ucxx itself is for those: with trio use ucxx.trio, "
            "with anyio ucxx.anyio"
        ) from None


async def _accepted(core: _core.UCXEndpoint) -> None:
    try:
        await core.flush()
    except UCXError:
        if not core.has_connected:  # else the peer has left since: what it sent can be received
            raise


async def create_endpoint_from_worker_address(
    address: UCXAddress,
    endpoint_error_handling: bool = True,
    connect_timeout: float | None = None,
    receive_ahead: int = 0,
) -> Endpoint:
    """Meet a worker by its address. Returns at once: its transfers fail if the worker does not answer.

    It has `connect_timeout` seconds for that; None: five, or those of `init`. Its messages have no tags
    of their own: give `tag=..., force_tag=True`. `receive_ahead`: bytes; see `Endpoint.receive_ahead`.
    """
    require_bytes("receive_ahead", receive_ahead)
    _require_asyncio()
    worker = runtime().worker()
    log.follow_levels()
    core = _core.UCXEndpoint.create_from_worker_address(
        worker, address, endpoint_error_handling, connect_timeout
    )
    if receive_ahead:
        core.receive_ahead(receive_ahead)
    return Endpoint(core, runtime())


def get_worker_address() -> UCXAddress:
    """Return the address of the running loop's worker; it pickles, and has the buffer protocol."""
    return runtime().worker().address


def get_ucx_address_from_buffer(buffer: BufferLike) -> UCXAddress:
    """Return the address that is in a buffer: the bytes of another address, however they came.

    Bytes that are no address are an error of the endpoint that is made from it.
    """
    return _core.UCXAddress.create_from_buffer(buffer)


def recv(
    buffer: BufferLike, tag: int, *, condition: Condition | None = None
) -> UCXRequest[int]:
    """Receive the next message of any peer with exactly this tag; await how many bytes it has.

    `condition`: it starts when that is triggered; see `ucxx.cuda.Condition`.
    """
    request = runtime().worker().tag_recv(buffer, tag, condition=condition)
    runtime().receives.add(request)
    return request


def tag_probe(tag: int, remove: bool = False) -> TagProbe:
    """Look for the oldest message of any peer with this tag that nobody has received.

    `remove=True` takes it out, for `UCXWorker.tag_recv_with_handle`. What is found is true or
    false, and has the tag and the length in bytes.
    """
    return runtime().worker().tag_probe(tag, remove=remove)


def register_am_receiver_callback(
    id: int,
    callback: Callable[[UCXRequest[Any], Endpoint | None], Awaitable[object] | object],
) -> None:
    """Call `callback(request, endpoint)` for each active message of this id that comes to this loop.

    The request has ended: `await request` is the message, an array of bytes, or raises what became of
    it; `request.recv_header` is its user header. `endpoint` is the Endpoint that it came to, None if
    nobody has it any more. A coroutine function becomes a task. What it raises reaches the event
    loop's exception handler. Send with `Endpoint.am_send(buffer, id=...)`.

    Raises:
        RuntimeError: the id is taken.
        ValueError: it is no int of 0 to 2**64 - 1.
    """
    require_callable("a callback", callback)
    current = runtime()

    def on_message(request: UCXRequest[Any], handle: int) -> None:
        current.handlers.take(callback(request, current.endpoints.get(handle)))

    current.worker().register_am_receiver_callback(id, on_message)


def set_allocator(kind: str, function: Callable[[int], BufferLike]) -> None:
    """Receive large messages into what `function(nbytes)` makes; see core.UCXWorker.set_allocator.

    `recv` and `stream_recv` need none: they receive into the array that they are given, also of a device.

    Raises:
        ValueError: `kind` is not "host" or "cuda"; or a thread of C++ moves the worker.
    """
    runtime().set_allocator(kind, function)


def create_memory_handle(memory: BufferLike | int) -> MemoryHandle:
    """Register memory that peers reach by put, get and atomic operations; see core.MemoryHandle."""
    return MemoryHandle(runtime().context, memory)


def progress() -> bool:
    """Move the worker now; the event loop does it by itself."""
    return runtime().worker().progress()


def get_config() -> dict[str, str]:
    """Return UCX's settings: those in force, or without initialising it, the environment's."""
    known = known_runtime()
    return _core.get_config() if known is None else known.context.config


def get_ucp_context_info() -> str:
    """Return what UCX says of its devices."""
    return runtime().context.info


def get_active_transports() -> set[str]:
    """Return the names of the transports that UCX may use here, "self" and "local" among them."""
    local = runtime().local
    transports = {"self"} if local == "off" else {"self", "local"}
    return transports if local == "only" else transports | set(transports_in(get_ucp_context_info()))


def get_ucp_worker_info() -> str:
    """Return what UCX says of its worker."""
    return runtime().worker().info


def get_ucp_worker() -> int:
    """Return the ucp_worker_h, as an int."""
    return runtime().worker().handle


def get_ucxx_worker() -> int:
    """Return the address of the C++ worker, as an int."""
    return runtime().worker().ucxx_ptr


def stop_notifier_thread() -> None:
    """Do nothing: there is no such thread here."""


def continuous_ucx_progress(event_loop: asyncio.AbstractEventLoop | None = None) -> None:
    """Do nothing: an event loop moves its worker from its first call on."""
