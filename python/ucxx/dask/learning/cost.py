# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What a transfer costs, as Dask's scheduler asks."""

from __future__ import annotations

from typing import Any

from ucxx.dask.learning.estimate import Estimate
from ucxx.dask.learning.kinds import kind_of
from ucxx.dask.learning.knowledge import Knowledge
from ucxx.dask.learning.places import Group, Place

#: Where objects are that are fetched in the same way, and the name of their type.
_Key = tuple[frozenset[Group], "str | None"]
#: A number of objects, and their bytes.
_Sum = list[int]


class CommCost:
    """Stands in the place of `Scheduler.get_comm_cost`: the seconds until all dependencies of a task are at a worker.

    Dependencies of one type that are at the same places come in one message, so they cost one latency + bytes / bandwidth, of
    the quickest of the places. What the worker has itself costs nothing. The scheduler asks the same of many workers for one
    task, so what they have in common is added up once.
    """

    def __init__(self, scheduler: Any, knowledge: Knowledge) -> None:
        """Answer for a scheduler, by what is known."""
        self._scheduler = scheduler
        self._knowledge = knowledge
        self._asked: tuple[Any, int, int] = (None, -1, -1)  # the last task, and what else the answer depends on
        self._dependencies: _Dependencies

    def __call__(self, ts: Any, ws: Any) -> float:
        """Return the seconds for a task and a worker."""
        asked = (ts, self._scheduler.transition_counter, self._knowledge.changes)
        if asked != self._asked:
            self._asked, self._dependencies = asked, _Dependencies(ts.dependencies, self._knowledge)
        found = self._dependencies
        # What nobody holds is not there yet, or lost: as Dask has it.
        return found.seconds(ws.address) + found.lost_bytes / float(self._scheduler.bandwidth)


class _Dependencies:
    """The dependencies of a task, added up."""

    def __init__(self, dependencies: Any, knowledge: Knowledge) -> None:
        self.lost_bytes = 0
        self._knowledge = knowledge
        self._places: dict[Group, Place] = {}
        self._sums: dict[_Key, _Sum] = {}
        self._own: dict[str, dict[_Key, _Sum]] = {}  # by the address of a worker, what it has itself
        self._seconds: dict[Group, float] = {}  # of a worker at a place that has nothing
        for ts in dependencies:
            self._add(ts)

    def _add(self, ts: Any) -> None:
        nbytes = ts.get_nbytes()
        if not ts.who_has:
            self.lost_bytes += nbytes
            return
        addresses = [ws.address for ws in ts.who_has]
        groups = []
        for address in addresses:
            place = self._knowledge.place(address)
            groups.append(place.group)
            self._places[place.group] = place
        key = (frozenset(groups), ts.type)
        _count(self._sums, key, nbytes)
        for address in addresses:
            _count(self._own.setdefault(address, {}), key, nbytes)

    def seconds(self, receiver: str) -> float:
        place = self._knowledge.place(receiver)
        total = self._seconds.get(place.group)
        if total is None:
            total = self._seconds[place.group] = sum(self._of(key, place, nbytes) for key, (_, nbytes) in self._sums.items())
        for key, (count, nbytes) in self._own.get(receiver, {}).items():
            all_count, all_nbytes = self._sums[key]
            total -= self._of(key, place, all_nbytes)
            if count < all_count:
                total += self._of(key, place, all_nbytes - nbytes)
        return max(total, 0.0)  # what was added and taken away may leave a rounding

    def _of(self, key: _Key, receiver: Place, nbytes: int) -> float:
        groups, name = key
        return min(self._way(self._places[group], receiver, name).seconds(nbytes) for group in groups)

    def _way(self, holder: Place, receiver: Place, name: str | None) -> Estimate:
        return self._knowledge.way(holder, receiver, kind_of(name, holder.gpu is not None))


def _count(sums: dict[_Key, _Sum], key: _Key, nbytes: int) -> None:
    found = sums.get(key)
    if found is None:
        sums[key] = [1, nbytes]
    else:
        found[0] += 1
        found[1] += nbytes
