# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""How Dask's clients and servers call others."""

from __future__ import annotations

from typing import Any

from distributed.comm.addressing import parse_host_port, unparse_host_port
from distributed.comm.core import CommClosedError, Connector

import ucxx
from ucxx.dask import config, security
from ucxx.dask.comm import UCXX
from ucxx.dask.listener import _SAME_MACHINE
from ucxx.endpoint import Endpoint
from ucxx.exceptions import UCXError


class UCXXConnector(Connector):
    """Makes comms to listeners."""

    def __init__(self, prefix: str) -> None:
        """Call addresses of this scheme."""
        self.prefix = prefix

    async def connect(self, address: str, deserialize: bool = True, **connection_args: Any) -> UCXX:
        """Call a listener, and return the comm when it has accepted.

        It waits as long as that takes: Dask sets limits, cancels, and tries again.

        Raises:
            CommClosedError: nobody listens there, or the call was refused; it is an OSError.
            RuntimeError: encryption is required.
            ValueError: the address has no port, or the configuration names what is not there.
        """
        security.check("connect to", self.prefix + address, connection_args)
        host, port = parse_host_port(address)
        config.start()
        try:
            endpoint = await ucxx.create_endpoint(host, port, connect_timeout=None)
        except UCXError as error:
            raise CommClosedError(f"cannot connect to {self.prefix}{address}: {error}") from error
        local, note = _local_end(endpoint, host)
        return UCXX(endpoint, self.prefix + local, self.prefix + address, deserialize, note)


def _local_end(endpoint: Endpoint, host: str) -> tuple[str, bytes]:
    """Return the address of this end, and what the other end has to know of it."""
    local = endpoint.local_address
    if not local:
        endpoint.abort()
        raise CommClosedError("the peer has gone")
    if not set(endpoint.transports) <= _SAME_MACHINE:
        return local, b""
    # Inside a machine both ends have the host that was called, as with TCP.
    return unparse_host_port(host, parse_host_port(local)[1]), host.encode("ascii")
