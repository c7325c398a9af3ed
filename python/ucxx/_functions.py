# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The functions of the asynchronous API."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import re
import socket

from ucxx import _core
from ucxx._runtime import runtime
from ucxx.core import MemoryHandle
from ucxx.endpoint import Endpoint
from ucxx.exceptions import UCXError, UCXTimedOutError
from ucxx.listener import Listener


def create_listener(
    callback_func, port=None, ip=None, endpoint_error_handling=True, connect_timeout=5.0
):
    """Listen at `port` (None: any free one) of `ip` (None: all interfaces).

    `callback_func(endpoint)` is called for each caller; a coroutine function becomes a task. What it
    raises reaches the event loop's exception handler. May be called outside of a coroutine.
    `connect_timeout` is accepted and ignored: callers are bounded by the core.

    Raises:
        UCXError: naming the address, when it cannot be bound.
    """
    del connect_timeout
    return Listener(
        runtime(), callback_func, 0 if port is None else port, ip, endpoint_error_handling
    )


async def create_endpoint(ip_address, port, endpoint_error_handling=True, connect_timeout=5.0):
    """Meet the listener at an address and wait until it has accepted.

    Raises:
        UCXError: the peer is unreachable, or has sent us away. UCXTimedOutError: it has not answered
        within `connect_timeout` seconds.
    """
    create = functools.partial(
        _core.UCXEndpoint.create, runtime().worker(), ip_address, port, endpoint_error_handling
    )
    try:
        async with asyncio.timeout(connect_timeout):
            core = create() if _is_number(ip_address) else await asyncio.to_thread(create)
            await _accepted(core)
    except TimeoutError as error:
        if isinstance(error, UCXError):
            raise
        raise UCXTimedOutError(
            f"{ip_address}:{port} has not accepted within {connect_timeout} s"
        ) from None
    return Endpoint(core, runtime())


def _is_number(address):
    # Anything else is a name: asking for it may take seconds.
    for family in (socket.AF_INET, socket.AF_INET6):
        with contextlib.suppress(OSError):
            socket.inet_pton(family, address)
            return True
    return False


async def _accepted(core):
    try:
        await core.flush()
    except UCXError:
        if not core.has_connected:  # else the peer has left since: what it sent can be received
            raise


async def create_endpoint_from_worker_address(address, endpoint_error_handling=True):
    """Meet a worker by its address.

    Its messages have no tags of their own: give `tag=..., force_tag=True`.
    """
    worker = runtime().worker()
    core = _core.UCXEndpoint.create_from_worker_address(worker, address, endpoint_error_handling)
    return Endpoint(core, runtime())


def get_worker_address():
    """Return the address of the running loop's worker; it pickles, and has the buffer protocol."""
    return runtime().worker().address


def get_ucx_address_from_buffer(buffer):
    """Return the address that is in a buffer."""
    return _core.UCXAddress.create_from_buffer(buffer)


def recv(buffer, tag):
    """Receive the next message of any peer with exactly this tag; await how many bytes it has."""
    request = runtime().worker().tag_recv(buffer, tag)
    runtime().receives.add(request)
    return request


def tag_probe(tag, remove=False):
    """Look for the oldest message of any peer with this tag that nobody has received."""
    return runtime().worker().tag_probe(tag, remove=remove)


def register_am_receiver_callback(id, callback):
    """Call `callback(request, endpoint)` for each active message of this id that comes to this loop.

    The request has ended: `await request` is the message, an array of bytes, or raises what became of
    it; `request.recv_header` is its user header. `endpoint` is the Endpoint that it came to, None if
    nobody has it any more. A coroutine function becomes a task. What it raises reaches the event
    loop's exception handler. Send with `Endpoint.am_send(buffer, id=...)`.

    Raises:
        RuntimeError: the id is taken. ValueError: it is no int of 0 to 2**64 - 1.
    """
    if not callable(callback):
        raise TypeError(f"a callback is called, which {type(callback).__name__} cannot be")
    current = runtime()

    def on_message(request, handle):
        current.handlers.take(callback(request, current.endpoints.get(handle)))

    current.worker().register_am_receiver_callback(id, on_message)


def set_allocator(kind, function):
    """Receive large messages into what `function(nbytes)` makes; see core.UCXWorker.set_allocator.

    Raises:
        ValueError: `kind` is not "host" or "cuda"; or a thread of C++ moves the worker.
    """
    runtime().set_allocator(kind, function)


def create_memory_handle(memory):
    """Register memory that peers reach by put, get and atomic operations; see core.MemoryHandle."""
    return MemoryHandle(runtime().context, memory)


def progress():
    """Move the worker now; the event loop does it by itself."""
    return runtime().worker().progress()


def get_config():
    """Return UCX's settings: those in force, or without initialising it, the environment's."""
    from ucxx import _runtime

    return _core.get_config() if _runtime._runtime is None else _runtime._runtime.context.config


def get_ucp_context_info():
    """Return what UCX says of its devices."""
    return runtime().context.info


_RESOURCE = re.compile(r"^#\s+resource \d+\s*:.*\s(\S+)/\S+$", re.MULTILINE)


def get_active_transports():
    """Return the names of the transports that UCX may use here, "self" and "local" among them."""
    local = runtime().local
    transports = {"self"} if local == "off" else {"self", "local"}
    return transports | set(_RESOURCE.findall("" if local == "only" else get_ucp_context_info()))


def get_ucp_worker_info():
    """Return what UCX says of its worker."""
    return runtime().worker().info


def get_ucp_worker():
    """Return the ucp_worker_h, as an int."""
    return runtime().worker().handle


def get_ucxx_worker():
    """Return the address of the C++ worker, as an int."""
    return runtime().worker().ucxx_ptr


def describe():
    """Return a text: peers, channels, endpoints, and what is pending since when."""
    return runtime().worker().describe()


def dump():
    """Return the same, and the last operations that have ended."""
    return runtime().worker().dump()


def stats():
    """Return the counters of the running loop's worker."""
    return runtime().worker().stats()


def stop_notifier_thread():
    """Do nothing: there is no such thread here."""
