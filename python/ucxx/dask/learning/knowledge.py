# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What a scheduler knows of the ways between its workers."""

from __future__ import annotations

import collections
import itertools
from collections.abc import Iterable, Iterator

from distributed.comm.addressing import get_address_host

from ucxx.dask.learning import places
from ucxx.dask.learning.estimate import Estimate
from ucxx.dask.learning.kinds import DEVICE, KINDS
from ucxx.dask.learning.places import Group, Place

_MOST_CLASSES = 1000
_MOST_PAIRS = 10_000  # of workers, and of machines, of which something is kept: those with the latest transfers
_MOST_SURVEYED = 64  # groups of workers whose links are told although nothing has come that way
_MOST_WAYS = 100_000  # that are found at once

_Key = tuple[str, str, str]
_Latest = collections.OrderedDict[_Key, Estimate]  # the one with the latest transfers is the last


class Knowledge:
    """Estimates for classes of links, for pairs of machines and for pairs of workers, each for a kind of object.

    What is asked is told by the pair of machines, if something has come that way, else by the class of the link. Pairs of
    workers are there for people: n workers have n x n of them, of which few have transfers enough.
    """

    def __init__(self) -> None:
        """Know nothing."""
        self._places: dict[str, Place] = {}  # by address of a worker
        self._classes: dict[tuple[str, str], Estimate] = {}  # by link and kind
        self._machines: _Latest = collections.OrderedDict()  # by machine of the holder, of the receiver, and kind
        self._pairs: _Latest = collections.OrderedDict()  # by addresses, and kind
        self._ways: dict[tuple[Group, Group, str], Estimate] = {}  # what was found before
        self._used: set[Estimate] = set()  # since the last `fade`
        self.changes = 0  # of which an answer may depend

    def put(self, worker: str, told: object) -> None:
        """Keep where a worker says that it is.

        Raises:
            ValueError: that is no place.
        """
        place = places.read(told, get_address_host(worker))
        if self._places.get(worker) != place:
            self._places[worker] = place
            self._ways.clear()
            self.changes += 1

    def forget(self, worker: str) -> None:
        """Forget a worker that has gone."""
        self._places.pop(worker, None)
        self.changes += 1
        for key in [key for key in self._pairs if worker in key[:2]]:
            del self._pairs[key]

    def place(self, worker: str) -> Place:
        """Return where a worker is; of one that has not told yet only its host is known."""
        found = self._places.get(worker)
        if found is None:
            found = self._places[worker] = Place("", get_address_host(worker))
        return found

    def way(self, holder: Place, receiver: Place, kind: str) -> Estimate:
        """Return the estimate for objects of a kind that go from one place to another; it is not to be kept."""
        key = (holder.group, receiver.group, kind)
        found = self._ways.get(key)
        if found is None:
            if len(self._ways) >= _MOST_WAYS:
                self._ways.clear()
            is_inside = places.is_one_machine(holder, receiver)
            of_machines = None if is_inside else self._machines.get(_between(holder, receiver, kind))
            found = self._ways[key] = of_machines or self._class(holder, receiver, kind)
        return found

    def _class(self, holder: Place, receiver: Place, kind: str) -> Estimate:
        prior = places.prior(holder, receiver, kind)
        key = (prior.link, kind)
        found = self._classes.get(key)
        if found is None:
            found = Estimate((prior.latency_us / 1e6, 1e-9 / prior.gb_per_s))
            if len(self._classes) < _MOST_CLASSES:  # there are more only where workers make up their own
                self._classes[key] = found
        return found

    def learn(self, holder: str, receiver: str, kind: str, sums: tuple[int, int, float]) -> None:
        """Learn from transfers: their number, bytes and seconds."""
        one, other = self.place(holder), self.place(receiver)
        found = [self._class(one, other, kind)]
        if not places.is_one_machine(one, other):
            found.append(self._of_machines(one, other, kind, found[0]))
        found.append(_latest(self._pairs, (holder, receiver, kind), found[-1]))
        for estimate in found:
            estimate.learn(*sums)
        self._used.update(found)
        self.changes += 1

    def _of_machines(self, one: Place, other: Place, kind: str, prior: Estimate) -> Estimate:
        key = _between(one, other, kind)
        if key not in self._machines:
            self._ways.clear()
        return _latest(self._machines, key, prior)

    def fade(self, seconds: float) -> None:
        """Forget a little of what had no transfer since the last call, so many seconds ago."""
        for estimate in (*self._classes.values(), *self._machines.values()):
            if estimate not in self._used:
                estimate.fade(seconds)
        self._used.clear()
        self.changes += 1

    def classes(self, workers: Iterable[str]) -> Iterator[tuple[str, str, Estimate]]:
        """Give link, kind and estimate of each class that there is, or was, between workers, by link."""
        groups = list({place.group: place for place in map(self.place, workers)}.values())[:_MOST_SURVEYED]
        for one, other in itertools.product(groups, repeat=2):
            for kind in KINDS:
                if kind != DEVICE or one.gpu is not None:
                    self._class(one, other, kind)
        for (link, kind), estimate in sorted(self._classes.items(), key=lambda item: (item[0][0], KINDS.index(item[0][1]))):
            yield link, kind, estimate

    def pairs(self) -> Iterator[tuple[str, str, str, Estimate]]:
        """Give the addresses of holder and receiver, kind and estimate of pairs of workers that had transfers."""
        for key, estimate in self._pairs.items():
            yield (*key, estimate)


def _between(one: Place, other: Place, kind: str) -> _Key:
    return (one.group[0], other.group[0], kind)


def _latest(pairs: _Latest, key: _Key, prior: Estimate) -> Estimate:
    """Return the estimate of a pair, which is the latest one now; a new one pushes the oldest out."""
    if key not in pairs:
        pairs[key] = Estimate(prior)
        if len(pairs) > _MOST_PAIRS:
            pairs.popitem(last=False)
    pairs.move_to_end(key)
    return pairs[key]
