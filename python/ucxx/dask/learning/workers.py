# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What a worker adds to its heartbeats, so that the scheduler learns."""

from __future__ import annotations

from typing import Any

from distributed import WorkerPlugin

from ucxx.dask import devices
from ucxx.dask.learning import places, transfers
from ucxx.dask.learning.transfers import NAME


class TellTransfers(WorkerPlugin):
    """Has the comm of a worker measure what it fetches, and tells it with each heartbeat."""

    name = NAME

    def setup(self, worker: Any) -> None:
        """Begin. Dask asks each extension of a worker for what the heartbeat should have."""
        transfers.has_gpu = devices.has_cuda()
        transfers.is_noted = True
        worker.extensions[NAME] = _Heartbeat()

    def teardown(self, worker: Any) -> None:
        """End. Other workers of the process go on."""
        worker.extensions.pop(NAME, None)


class _Heartbeat:
    def __init__(self) -> None:
        self._place = places.here()

    def heartbeat(self) -> dict[str, Any]:
        return {"place": self._place, "transfers": transfers.take()}
