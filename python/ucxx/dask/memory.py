# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The limits of the pool follow those of the workers in this process.

What a worker holds of received arrays lies in the pool, and Dask reads it as resident memory of the
process. Free blocks stay warm for some seconds, and count there, too: they are a small part of the limit.
"""

from __future__ import annotations

import sys
import weakref
from typing import Any

import ucxx

_MOST_IDLE = 256 << 20
_IDLE_PART = 16  # of a limit

# Of the listeners of workers, bytes; None: that worker has no limit.
_limits: weakref.WeakKeyDictionary[Any, int | None] = weakref.WeakKeyDictionary()


def is_worker(server: Any) -> bool:
    """Tell whether a server is a worker of Dask."""
    distributed_worker = sys.modules.get("distributed.worker")  # a worker has imported it
    return distributed_worker is not None and isinstance(server, distributed_worker.Worker)


def follow(listener: Any, server: Any) -> None:
    """Limit the pool to the memory of the workers that listen in this process.

    A worker without a limit leaves the pool as it is, and so does another server.
    """
    if is_worker(server):
        _limits[listener] = server.memory_manager.memory_limit
        _set_limits()


def leave(listener: Any) -> None:
    """Forget a listener that stops; of the last one the limits stay."""
    if _limits.pop(listener, None) is not None:
        _set_limits()


def _set_limits() -> None:
    limits = [limit for limit in _limits.values() if limit is not None]
    if limits and len(limits) == len(_limits):
        total = sum(limits)
        ucxx.set_pool_limits(idle_bytes=min(_MOST_IDLE, total // _IDLE_PART), total_bytes=total)
