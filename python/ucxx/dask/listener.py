# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Where Dask's servers are called."""

from __future__ import annotations

import asyncio
import errno
import inspect
import logging
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import dask
from distributed.comm.addressing import get_local_address_for, parse_address, parse_host_port, unparse_host_port
from distributed.comm.core import BaseListener, CommClosedError
from distributed.comm.utils import ensure_concrete_host

import ucxx
from ucxx._asyncio.endpoint import Endpoint
from ucxx.dask import config, memory, security
from ucxx.dask.comm import AHEAD_BYTES, UCXX, is_same_machine
from ucxx.exceptions import UCXBusyError, UCXError

logger = logging.getLogger("distributed.comm.ucxx")

_WILDCARDS = frozenset({"", "0.0.0.0", "::"})


class UCXXListener(BaseListener):
    """Accepts comms at an address, and gives each to `comm_handler` after Dask's handshake."""

    _listener: ucxx.Listener | None = None
    _where: tuple[str, int] | None = None  # host and port, once it has started

    def __init__(
        self,
        prefix: str,
        address: str,
        comm_handler: Callable[[UCXX], Awaitable[None] | None],
        deserialize: bool = True,
        allow_offload: bool = True,
        default_host: str | None = None,
        default_port: int = 0,
        handshake_overrides: dict[str, Any] | None = None,
        **connection_args: Any,
    ) -> None:
        """Remember what Dask says; `start` listens.

        Raises:
            RuntimeError: encryption is required.
        """
        super().__init__()
        security.check("listen at", prefix + address, connection_args)
        self.prefix = prefix
        self.ip, self.port = parse_host_port(address, default_port)
        self.comm_handler = comm_handler
        self.deserialize = deserialize
        self.allow_offload = allow_offload
        self.default_host = default_host
        self._overrides = handshake_overrides
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Listen.

        Raises:
            OSError: the port is taken (errno EADDRINUSE), the host has no such address, or UCX has no port.
            ValueError: the configuration names what is not there.
            RuntimeError: it is a nanny's, whose workers would be forked.
        """
        _refuse_fork(self.comm_handler)
        ip = await _number_of(self.ip)
        server = getattr(self.comm_handler, "__self__", None)
        config.start(ip, getattr(server, "_start_port", None))
        config.start_worker()
        try:
            self._listener = ucxx.create_listener(
                self._on_caller, self.port, ip or None, receive_ahead=AHEAD_BYTES
            )
        except UCXBusyError as error:
            raise OSError(errno.EADDRINUSE, str(error)) from error
        except UCXError as error:
            raise OSError(errno.EADDRNOTAVAIL, str(error)) from error
        self._where = (self._listener.ip, self._listener.port)
        self.port = self._listener.port
        if self.default_host is None and self._listener.ip in _WILDCARDS:
            self.default_host = _host_near_scheduler(server, self._listener.ip)
        memory.follow(self, server)

    def stop(self) -> None:
        """Stop listening; comms that were accepted live on."""
        listener, self._listener = self._listener, None
        if listener is not None:
            listener.close()
            memory.leave(self)
            _close_without_sleep(getattr(self.comm_handler, "__self__", None))

    def get_host_port(self) -> tuple[str, int]:
        """Return where it listens, as host and port."""
        if self._where is None:
            raise ValueError("the listener has not been started")
        return self._where

    @property
    def listen_address(self) -> str:
        """Where it listens, with the scheme."""
        return self.prefix + unparse_host_port(*self.get_host_port())

    @property
    def contact_address(self) -> str:
        """Where others call it: never a wildcard."""
        host, port = self.get_host_port()
        return self.prefix + unparse_host_port(ensure_concrete_host(host, self.default_host), port)

    def _on_caller(self, endpoint: Endpoint) -> None:
        if self._listener is None:
            endpoint.abort()
            return
        comm = UCXX(endpoint, *self._addresses(endpoint), deserialize=self.deserialize)
        comm.allow_offload = self.allow_offload
        task = asyncio.create_task(self._serve(comm), name=f"ucxx comm from {comm.peer_address}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _addresses(self, endpoint: Endpoint) -> tuple[str, str]:
        """Return the addresses of this end and of the peer's, as far as they are known yet."""
        local, peer = endpoint.local_address, endpoint.peer_address
        if is_same_machine(endpoint):
            # Until the caller's first message says which host it called.
            host, port = parse_host_port(self.contact_address.removeprefix(self.prefix))
            local = unparse_host_port(host, port)
            peer = unparse_host_port(host, parse_host_port(peer, 0)[1])
        return self.prefix + local, self.prefix + peer

    async def _serve(self, comm: UCXX) -> None:
        logger.debug("a connection from %s to %s", comm.peer_address, comm.local_address)
        try:
            await self.on_connection(comm, self._overrides)
        except CommClosedError:
            logger.info("connection from %s closed before the handshake was over", comm.peer_address)
            return
        except Exception:
            logger.exception("the handshake with %s has failed", comm.peer_address)
            comm.abort()
            return
        try:
            handled = self.comm_handler(comm)
            if inspect.isawaitable(handled):
                await handled
        except CommClosedError:
            logger.debug("connection from %s closed", comm.peer_address)
        except Exception:
            logger.exception("the handler of the connection from %s has failed", comm.peer_address)


def _host_near_scheduler(server: Any, wildcard: str) -> str | None:
    """Return the host of this machine by which a worker reaches its scheduler; None for other servers.

    Dask gives it to the listeners of tcp:// only. A machine may have several.
    """
    scheduler = getattr(getattr(server, "scheduler", None), "address", None)
    if scheduler is None:
        return None
    try:
        _, location = parse_address(get_local_address_for(scheduler))
    except OSError:  # a name that is not known yet
        return None
    host, _ = parse_host_port(location, 0)
    return host if (":" in host) == (":" in wildcard) else None


def _close_without_sleep(server: Any) -> None:
    """Keep a worker that closes from sleeping, which it does for schemes that begin with ucx.

    It sleeps when its own pool of connections is closed and its comms are still open. Who calls it
    meanwhile gets a RuntimeError, not the end of a comm, and a P2P shuffle fails that would begin again.
    Another backend needed the time; a comm of this one flushes when it closes. A worker stops its listeners
    right before, and does not use its scheme any more.
    """
    if memory.is_worker(server):
        server._protocol = ""


async def _number_of(host: str) -> str:
    """Return the address of a host by name; a number, or nothing, as it is."""
    if not host:
        return host
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            socket.inet_pton(family, host)
        except OSError:
            continue
        return host
    found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return str(min(found, key=lambda entry: entry[0] != socket.AF_INET)[4][0])


def _refuse_fork(comm_handler: Callable[..., Any]) -> None:
    """A forked worker has the parent's UCX, which belongs to the parent: refuse it where it would begin."""
    owner = type(getattr(comm_handler, "__self__", None))
    is_nanny = any(base.__name__ == "Nanny" for base in owner.__mro__)
    if is_nanny and dask.config.get("distributed.worker.multiprocessing-method") == "fork":
        raise RuntimeError(
            "distributed.worker.multiprocessing-method is 'fork', and ucx:// cannot work in a forked "
            "process: UCX belongs to the process that has started it. Use 'spawn' (the default) or 'forkserver'"
        )
