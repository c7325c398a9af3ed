# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The plugin of Dask's scheduler that says what a transfer costs."""

from __future__ import annotations

import asyncio
import inspect
import logging
from typing import Any

from distributed import SchedulerPlugin
from distributed.metrics import monotonic
from distributed.protocol.pickle import dumps

from ucxx.dask.learning import heartbeats, records
from ucxx.dask.learning.cost import CommCost
from ucxx.dask.learning.knowledge import Knowledge
from ucxx.dask.learning.transfers import NAME
from ucxx.dask.learning.workers import TellTransfers

logger = logging.getLogger("distributed.scheduler.ucxx")

_MEASURED = ("ucx://", "ucxx://")
_FADES_S = 1.0  # between two times that what is not used is forgotten a little


class LearnBandwidths(SchedulerPlugin):
    """Replaces `Scheduler.get_comm_cost` by `CommCost`, and learns from the heartbeats of workers.

    A version of distributed whose method is another one is left as it is. All runs in the event loop of the scheduler.
    """

    name = NAME

    def __init__(self) -> None:
        """Know nothing yet."""
        self.knowledge = Knowledge()
        self._scheduler: Any = None
        self._cost: CommCost | None = None
        self._telling: asyncio.Future[Any] | None = None
        self._why_not = "it has not started"
        self._faded = monotonic()
        self._distrusted: set[str] = set()

    async def start(self, scheduler: Any) -> None:
        """Begin, and have workers tell what they measure, also those that come later.

        It waits for nothing: Dask registers a plugin when its start has returned, and no heartbeat must come in between.
        """
        if self.begin(scheduler):
            telling = scheduler.register_worker_plugin(None, dumps(TellTransfers()), NAME, idempotent=True)
            self._telling = asyncio.ensure_future(telling)

    def begin(self, scheduler: Any) -> bool:
        """Take the place of the scheduler's method; return whether workers are needed."""
        before = scheduler.extensions.get(NAME)
        if before is self:  # Dask starts a plugin again that a preload has registered
            return False
        if before is not None:  # Dask removes plugins without a word to them
            before.put_back()
        self._why_not = _why_not(scheduler)
        if self._why_not:
            logger.warning("Bandwidths are not learnt: %s; the scheduler has one for all links", self._why_not)
            return False
        self._scheduler = scheduler
        scheduler.get_comm_cost = self._cost = CommCost(scheduler, self.knowledge)
        scheduler.extensions[NAME] = self
        return True

    async def told_workers(self) -> None:
        """Wait until all workers know that they shall tell."""
        if self._telling is not None:
            await self._telling

    async def close(self) -> None:
        """End: the scheduler has its own method again."""
        self.put_back()

    def put_back(self) -> None:
        """Give the scheduler its own method again. What workers still tell is not used."""
        if self._scheduler is None:
            return
        if vars(self._scheduler).get("get_comm_cost") is self._cost:
            del self._scheduler.get_comm_cost
        self._scheduler, self._why_not = None, "it was switched off"

    def heartbeat(self, ws: Any, told: object) -> None:
        """Learn from what a worker tells. What is wrong with it is said once for each worker, and changes nothing."""
        if self._scheduler is None:
            return
        if self._scheduler.plugins.get(NAME) is not self:  # Dask removes plugins without a word to them
            self.put_back()
            return
        try:
            place, sums = heartbeats.parts(told)
            transfers = heartbeats.transfers(sums, self._scheduler.workers)
            self.knowledge.put(ws.address, place)
        except ValueError as error:
            if ws.address not in self._distrusted:
                self._distrusted.add(ws.address)
                logger.warning("What worker %s tells of its transfers is not used: %s", ws.address, error)
            return
        for holder, kind, one in transfers:
            if holder != ws.address:  # the scheduler and the client of this process have asked
                self.knowledge.learn(holder, ws.address, kind, one)
        self._fade()

    def _fade(self) -> None:
        seconds = monotonic() - self._faded
        if seconds >= _FADES_S:
            self.knowledge.fade(seconds)
            self._faded += seconds

    def remove_worker(self, scheduler: Any, worker: str, **more: Any) -> None:
        """Forget a worker."""
        del scheduler, more
        self.knowledge.forget(worker)
        self._distrusted.discard(worker)

    def told(self) -> dict[str, Any]:
        """Return what is known as plain data, or `why_not`."""
        if self._scheduler is None:
            return {"why_not": self._why_not}
        return records.of(self.knowledge, {address: str(ws.name) for address, ws in self._scheduler.workers.items()})


def _why_not(scheduler: Any) -> str:
    """Return why a scheduler cannot learn; empty: it can."""
    if not any(listener.contact_address.startswith(_MEASURED) for listener in scheduler.listeners):
        return f"only transfers over ucx:// are measured, and the scheduler is at {scheduler.address}"
    if "get_comm_cost" in vars(scheduler):
        return "somebody has replaced Scheduler.get_comm_cost already"
    method = getattr(type(scheduler), "get_comm_cost", None)
    if method is None:
        return "Scheduler.get_comm_cost is not there"
    names = list(inspect.signature(method).parameters)
    return "" if names == ["self", "ts", "ws"] else f"Scheduler.get_comm_cost has the arguments {', '.join(names)}"
