# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What a worker adds to its heartbeats, so that the scheduler learns."""

from __future__ import annotations

from typing import Any

from distributed import WorkerPlugin

from ucxx.dask.learning import places, transfers
from ucxx.dask.learning.transfers import NAME


class TellTransfers(WorkerPlugin):
    """Has the comm of a worker measure what it fetches, and tells it with each heartbeat."""

    name = NAME

    def setup(self, worker: Any) -> None:
        """Begin. Dask asks each extension of a worker for what the heartbeat should have."""
        place = places.here()
        transfers.has_gpu = place.get("gpu") is not None  # as the scheduler asks
        transfers.begin()
        worker.extensions[NAME] = _Heartbeat(place)

    def teardown(self, worker: Any) -> None:
        """End. Other workers of the process go on."""
        if worker.extensions.pop(NAME, None) is not None:
            transfers.end()


class _Heartbeat:
    def __init__(self, place: dict[str, Any]) -> None:
        self._place = place

    def heartbeat(self) -> dict[str, Any]:
        return {"place": self._place, "transfers": transfers.take()}
