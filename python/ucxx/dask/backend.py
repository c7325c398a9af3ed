# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What Dask finds by the entry points of the schemes ucx:// and ucxx://."""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Awaitable, Callable
from typing import Any, ClassVar

from distributed.comm.addressing import parse_host_port, unparse_host_port
from distributed.comm.registry import Backend
from distributed.utils import ensure_ip, get_ip, get_ipv6

from ucxx.dask.fences import register_soon
from ucxx.dask.options import before_ucx

register_soon()
before_ucx()  # the next imports load UCX

from ucxx.dask.comm import UCXX  # noqa: E402
from ucxx.dask.connector import UCXXConnector  # noqa: E402
from ucxx.dask.listener import UCXXListener  # noqa: E402

logger = logging.getLogger("distributed.comm.ucxx")


class UCXXBackend(Backend):
    """The scheme ucxx://."""

    prefix: ClassVar[str] = "ucxx://"

    def __init__(self) -> None:
        """Name another package that registers the same schemes."""
        found = importlib.util.find_spec("distributed_ucxx")
        if found is not None and found.origin is not None:  # the one of ucxx_dask_hook has no file
            logger.warning(
                "distributed-ucxx is installed (%s) and registers %s, too, as does ucxx: both cannot serve "
                "it, and Dask takes either. Uninstall one: pip uninstall distributed-ucxx-cu12 (or -cu13)",
                found.origin, self.prefix,
            )  # fmt: skip

    def get_connector(self) -> UCXXConnector:
        """Return what calls addresses of this scheme."""
        return UCXXConnector(self.prefix)

    def get_listener(
        self,
        loc: str,
        handle_comm: Callable[[UCXX], Awaitable[None] | None],
        deserialize: bool,
        **connection_args: Any,
    ) -> UCXXListener:
        """Return a listener for an address, which has not started."""
        return UCXXListener(self.prefix, loc, handle_comm, deserialize, **connection_args)

    def get_address_host(self, loc: str) -> str:
        """Return the host of an address."""
        return parse_host_port(loc)[0]

    def get_address_host_port(self, loc: str) -> tuple[str, int]:
        """Return host and port of an address."""
        return parse_host_port(loc)

    def resolve_address(self, loc: str) -> str:
        """Return the address with its host as a number."""
        host, port = parse_host_port(loc)
        return unparse_host_port(ensure_ip(host), port)

    def get_local_address_for(self, loc: str) -> str:
        """Return the address of this machine by which that one is reached."""
        host = ensure_ip(parse_host_port(loc)[0])
        return unparse_host_port(get_ipv6(host) if ":" in host else get_ip(host), None)


class UCXBackend(UCXXBackend):
    """The scheme ucx://."""

    prefix = "ucx://"
