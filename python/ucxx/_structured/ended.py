# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What stands in the place of objects of the core when their worker's block has ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from ucxx.exceptions import UCXCloseError

if TYPE_CHECKING:
    from ucxx import _core


class Ended:
    """Refuses everything. The core's object can go, and with the last of them its worker."""

    def __getattr__(self, name: str) -> NoReturn:
        """Refuse it."""
        raise UCXCloseError("the worker has ended, with the block of `async with open_worker()`")


class EndedEndpoint(Ended):
    """Tells still where the endpoint was connected to."""

    alive = False
    closed = _was_closed = True

    def __init__(self, core: _core.UCXEndpoint) -> None:
        """Ask the endpoint."""
        self.local_address = core.local_address
        self.peer_address = core.peer_address
        self.transports = core.transports
