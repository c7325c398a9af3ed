# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What the workers of a cluster do meanwhile: when each computes, and when it receives from others.

Computing comes from Dask's task stream, receiving from the workers' logs of transfers, which know how long
each took. P2P shuffles send by calls, of which Dask counts bytes and seconds alone.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from distributed import Client
from distributed.metrics import time as now

from ucxx.benchmarks.dask.figures import RATE, THROUGHPUT, Figure, Found, quartiles

LARGE = 1_000_000  # bytes: the bandwidth of smaller transfers says little

Span = tuple[float, float]  # seconds since the begin


@dataclasses.dataclass(frozen=True)
class Transfer:
    """What a worker has received at once.

    Attributes:
        receiver: the worker's name.
        sender: that of the worker that had it.
        span: from the request to the deserialised answer.
        nbytes: how much.
    """

    receiver: str
    sender: str
    span: Span
    nbytes: int

    @property
    def pair(self) -> str:
        """Who received, and from whom."""
        return f"{self.receiver} gets from {self.sender}"

    @property
    def rate(self) -> float:
        """GB/s."""
        return self.nbytes / (self.span[1] - self.span[0]) / 1e9


@dataclasses.dataclass(frozen=True)
class Stream:
    """One run.

    Attributes:
        seconds: the wall time.
        computing: for each worker by its name, the times in which a task computed.
        transfers: all, from worker to worker.
        sends: bytes and seconds of all sends of P2P, together.
        nbytes: of the input.
    """

    seconds: float
    computing: dict[str, list[Span]]
    transfers: list[Transfer]
    sends: tuple[float, float] = (0, 0)
    nbytes: int = 0

    @functools.cached_property
    def pairs(self) -> dict[str, list[Transfer]]:
        """The transfers above LARGE by who received from whom, in the order of the names."""
        large = [one for one in self.transfers if one.nbytes > LARGE and one.span[1] > one.span[0]]
        ordered = sorted(large, key=lambda one: one.pair)
        return {pair: list(found) for pair, found in itertools.groupby(ordered, key=lambda one: one.pair)}

    @property
    def receiving(self) -> dict[str, list[Span]]:
        """For each worker, the times in which it waited for what another one sent."""
        return {name: [one.span for one in self.transfers if one.receiver == name] for name in self.computing}

    def json(self) -> dict[str, Any]:
        """Return it for a report, with times to the microsecond."""
        return {
            "seconds": self.seconds,
            "computing": {name: list(map(_rounded, spans)) for name, spans in self.computing.items()},
            "receiving": {name: list(map(_rounded, spans)) for name, spans in self.receiving.items()},
            "pairs": {
                pair: {"bytes": sum(one.nbytes for one in found), "rates": [one.rate for one in found]}
                for pair, found in self.pairs.items()
            },
        }

    def figures(self, name: str) -> Iterator[Figure]:
        """Give its figures."""
        yield Figure(f"{name}: wall time", self.seconds, "s")
        yield Figure(f"{name}{THROUGHPUT}", self.nbytes / self.seconds / 1e9, RATE)
        yield Figure(f"{name}: workers compute", sum(map(covered, self.computing.values())), "s")
        if self.transfers:
            yield Figure(f"{name}: workers receive", sum(map(covered, self.receiving.values())), "s")
        if all(self.sends):
            yield Figure(f"{name}: all sends of P2P", self.sends[1], "s")
            yield Figure(f"{name}: a send of P2P, on average", self.sends[0] / self.sends[1] / 1e9, RATE)
        rates = [one.rate for found in self.pairs.values() for one in found]
        yield from quartiles(f"{name}: transfers above 1 MB", rates, RATE)
        for pair, found in self.pairs.items():
            yield from quartiles(f"{name}: {pair}", [one.rate for one in found], RATE)


def _rounded(span: Span) -> Span:
    return round(span[0], 6), round(span[1], 6)


def covered(spans: Iterable[Span]) -> float:
    """Return how many seconds at least one of some spans covers."""
    total, end = 0.0, float("-inf")
    for start, stop in sorted(spans):
        total += max(0.0, stop - max(start, end))
        end = max(end, stop)
    return total


def found(streams: dict[str, Stream]) -> Found:
    """Return streams by their titles with their figures."""
    return Found([figure for title, stream in streams.items() for figure in stream.figures(title)], streams)


def record(client: Client, work: Callable[[], object], nbytes: int) -> Stream:
    """Watch the workers while `work()` runs, whose input has so many bytes.

    Raises:
        RuntimeError: a worker has died: others did its work again.
    """
    client.get_task_stream()  # from now on the scheduler keeps it
    names = {address: f"worker {name}" for address, name in client.run(_name).items()}
    sent = client.run(_sends)
    begin, instant = now(), time.perf_counter()
    work()
    seconds = time.perf_counter() - instant
    if set(client.nthreads()) != set(names):
        raise RuntimeError("a worker has died meanwhile")
    computing: dict[str, list[Span]] = {name: [] for name in sorted(names.values())}
    for task in client.get_task_stream(start=begin):
        computing[names[task["worker"]]] += [
            (step["start"] - begin, step["stop"] - begin)
            for step in task["startstops"]
            if step["action"] == "compute"
        ]
    transfers = [
        Transfer(names[receiver], names[sender], (start - begin, stop - begin), size)
        for receiver, log in client.run(_transfers, begin).items()
        for sender, start, stop, size in log
    ]
    sends = [(after[0] - sent[worker][0], after[1] - sent[worker][1]) for worker, after in client.run(_sends).items()]
    return Stream(seconds, computing, transfers, (sum(one[0] for one in sends), sum(one[1] for one in sends)), nbytes)


def _name(dask_worker: Any) -> str:
    return str(dask_worker.name)


def _transfers(since: float, dask_worker: Any) -> list[tuple[str, float, float, int]]:
    """Return sender, start, end and bytes of what this worker has received."""
    log = [(entry["who"], entry["start"], entry["stop"], entry["total"]) for entry in dask_worker.transfer_incoming_log]
    return [entry for entry in log if entry[1] >= since]


def _sends(dask_worker: Any) -> tuple[float, float]:
    """Return bytes and seconds of all that this worker has sent for P2P shuffles."""
    return _total(dask_worker, "process", "bytes"), _total(dask_worker, "send", "seconds")


def _total(worker: Any, label: str, unit: str) -> float:
    """Return the sum of what P2P's tasks beside the workers' threads have counted, without those of the disk."""
    found = 0.0
    for name, value in worker.digests_total.items():  # ("p2p", span, who, label, unit), and other things
        if isinstance(name, tuple) and name[0] == "p2p" and name[2:] == ("background-comms", label, unit):
            found += value
    return found
