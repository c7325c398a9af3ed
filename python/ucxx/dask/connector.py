# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""How Dask's clients and servers call others."""

from __future__ import annotations

import itertools
import os
from typing import Any

from distributed.comm.addressing import parse_host_port, unparse_host_port
from distributed.comm.core import CommClosedError, Connector, FatalCommClosedError

import ucxx
from ucxx._asyncio.endpoint import Endpoint
from ucxx.dask import config, security
from ucxx.dask.comm import AHEAD_BYTES, UCXX, is_same_machine
from ucxx.exceptions import UCXError

_FIRST_PORT, _LAST_PORT = 1024, 65535
_numbers = itertools.count(os.getpid() * 101)


class UCXXConnector(Connector):
    """Makes comms to listeners."""

    def __init__(self, prefix: str) -> None:
        """Call addresses of this scheme."""
        self.prefix = prefix

    async def connect(self, address: str, deserialize: bool = True, **connection_args: Any) -> UCXX:
        """Call a listener, and return the comm when it has accepted.

        It waits as long as that takes: Dask sets limits, cancels, and tries again.

        Raises:
            CommClosedError: nobody listens there, or the call was refused; it is an OSError. A
                FatalCommClosedError, which Dask does not try again, where the shared secret is wrong.
            RuntimeError: encryption is required.
            ValueError: the address has no port, or the configuration names what is not there.
        """
        security.check("connect to", self.prefix + address, connection_args)
        host, port = parse_host_port(address)
        config.start()
        try:
            endpoint = await ucxx.create_endpoint(
                host, port, connect_timeout=None, receive_ahead=AHEAD_BYTES
            )
        except UCXError as error:
            kind = FatalCommClosedError if "authentication failed" in str(error) else CommClosedError
            raise kind(f"cannot connect to {self.prefix}{address}: {error}") from error
        if not endpoint.local_address:
            endpoint.abort()
            raise CommClosedError(f"cannot connect to {self.prefix}{address}: the peer has gone")
        local, note = _local_end(endpoint, host)
        return UCXX(endpoint, self.prefix + local, self.prefix + address, deserialize, note)


def _local_end(endpoint: Endpoint, host: str) -> tuple[str, bytes]:
    """Return the address of this end, and what the other end has to know of it.

    The endpoints of two processes share one connection, and so its port; Dask tells its comms from each other
    by address. So each has a number of its own.
    """
    port = _FIRST_PORT + next(_numbers) % (_LAST_PORT + 1 - _FIRST_PORT)
    if is_same_machine(endpoint):  # both ends have the host that was called, as with TCP
        return unparse_host_port(host, port), unparse_host_port(host, port).encode("ascii")
    return unparse_host_port(parse_host_port(endpoint.local_address)[0], port), f":{port}".encode("ascii")
