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

_workers: weakref.WeakSet[Any] = weakref.WeakSet()


def follow(server: Any) -> None:
    """Limit the pool to the memory of the workers that listen here; `server`: one more, or another server.

    A worker without a limit leaves the pool as it is.
    """
    distributed_worker = sys.modules.get("distributed.worker")  # a worker has imported it
    if distributed_worker is None or not isinstance(server, distributed_worker.Worker):
        return
    _workers.add(server)
    limits = [worker.memory_manager.memory_limit for worker in _workers]
    if all(limits):
        total = sum(limits)
        ucxx.set_pool_limits(idle_bytes=min(_MOST_IDLE, total // _IDLE_PART), total_bytes=total)
