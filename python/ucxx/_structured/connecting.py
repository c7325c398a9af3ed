# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Meeting a listener, within a time."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING

from ucxx import _core
from ucxx._arguments.checks import MOST_SECONDS, require_bytes, require_seconds
from ucxx._arguments.interfaces import is_number
from ucxx._process import log
from ucxx._structured.waiting import result_of
from ucxx.exceptions import UCXError, UCXTimedOutError

if TYPE_CHECKING:
    from ucxx._structured.worker import Worker


async def met(
    worker: Worker,
    ip_address: str,
    port: int,
    error_handling: bool,
    connect_timeout: float | None,
    receive_ahead: int,
) -> _core.UCXEndpoint:
    """Return an endpoint of the core that has been accepted; see Worker.create_endpoint."""
    if not isinstance(ip_address, str):
        raise TypeError(f"ip_address must be a string, not {type(ip_address).__name__}")
    require_seconds("connect_timeout", connect_timeout)
    require_bytes("receive_ahead", receive_ahead)
    await worker._begin()
    log.follow_levels()
    seconds = math.inf if connect_timeout is None else connect_timeout
    library = worker._loop.library
    create = functools.partial(
        _core.UCXEndpoint.create,
        worker._core,
        ip_address,
        port,
        error_handling,
        min(seconds, MOST_SECONDS),
    )
    with library.move_on_after(seconds):
        core: _core.UCXEndpoint
        core = create() if is_number(ip_address) else await library.run_in_thread(create)
        if receive_ahead:
            core.receive_ahead(receive_ahead)
        await _accepted(worker, core)
        return core
    raise UCXTimedOutError(f"{ip_address}:{port} has not accepted within {connect_timeout} s")


async def _accepted(worker: Worker, core: _core.UCXEndpoint) -> None:
    try:
        await result_of(worker._loop, core.flush())
    except UCXError:
        if not core.has_connected:  # else the peer has left since: what it sent can be received
            raise
