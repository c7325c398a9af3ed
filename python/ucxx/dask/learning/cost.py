# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What a transfer costs, as Dask's scheduler asks."""

from __future__ import annotations

from typing import Any

from ucxx.dask.learning.kinds import kind_of
from ucxx.dask.learning.knowledge import Knowledge

#: Addresses of the workers that hold an object, and the name of its type.
_Held = tuple[tuple[str, ...], "str | None"]


class CommCost:
    """Stands in the place of `Scheduler.get_comm_cost`: the seconds until all dependencies of a task are at a worker.

    For each dependency that the worker has not it is the least over its holders of latency + bytes / bandwidth. The
    scheduler asks the same of many workers for one task, so dependencies with the same holders and type are added up once.
    """

    def __init__(self, scheduler: Any, knowledge: Knowledge) -> None:
        """Answer for a scheduler, by what is known."""
        self._scheduler = scheduler
        self._knowledge = knowledge
        self._asked: tuple[Any, int] = (None, -1)  # the last task, and how many transitions there had been
        self._held: dict[_Held, list[int]] = {}  # of that task: the number of dependencies, and their bytes

    def __call__(self, ts: Any, ws: Any) -> float:
        """Return the seconds for a task and a worker."""
        asked = (ts, self._scheduler.transition_counter)
        if asked != self._asked:
            self._asked, self._held = asked, _held(ts.dependencies)
        total, receiver = 0.0, ws.address
        for (holders, name), (count, nbytes) in self._held.items():
            if receiver not in holders:
                total += self._seconds(holders, name, receiver, count, nbytes)
        return total

    def _seconds(self, holders: tuple[str, ...], name: str | None, receiver: str, count: int, nbytes: int) -> float:
        if not holders:  # not there yet, or lost: as Dask has it
            return float(nbytes / self._scheduler.bandwidth)
        place, knowledge = self._knowledge.place, self._knowledge
        to = place(receiver)
        return min(
            knowledge.way(one := place(holder), to, kind_of(name, one.gpu is not None)).seconds(nbytes, count)
            for holder in holders
        )


def _held(dependencies: Any) -> dict[_Held, list[int]]:
    found: dict[_Held, list[int]] = {}
    for ts in dependencies:
        held = (tuple([ws.address for ws in ts.who_has or ()]), ts.type)
        sums = found.get(held)
        if sums is None:
            sums = found[held] = [0, 0]
        sums[0] += 1
        sums[1] += ts.get_nbytes()
    return found
