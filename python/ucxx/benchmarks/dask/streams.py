# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What the workers of a cluster do meanwhile: when each computes, and when it receives from others.

Computing comes from Dask's task stream, receiving from the workers' logs of transfers, which know how long
each took. P2P shuffles send by calls, which no log of Dask has.
"""

from __future__ import annotations

import dataclasses
import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from distributed import Client
from distributed.metrics import time as now

from ucxx.benchmarks.dask.figures import RATE, Figure

LARGE = 1_000_000  # bytes: the bandwidth of smaller transfers says little

Span = tuple[float, float]  # seconds since the begin


@dataclasses.dataclass(frozen=True)
class Stream:
    """One run.

    Attributes:
        seconds: the wall time.
        computing: for each worker, the times in which a task computed.
        receiving: for each worker, the times in which it waited for what another one sent.
        rates: GB/s of each transfer above LARGE.
    """

    seconds: float
    computing: list[list[Span]]
    receiving: list[list[Span]]
    rates: list[float]

    def json(self) -> dict[str, Any]:
        """Return it for a report, with times to the microsecond."""
        return {
            "seconds": self.seconds,
            "computing": [[_rounded(span) for span in spans] for spans in self.computing],
            "receiving": [[_rounded(span) for span in spans] for spans in self.receiving],
            "rates": self.rates,
        }

    def figures(self, name: str) -> Iterator[Figure]:
        """Give its figures."""
        yield Figure(f"{name}: wall time", self.seconds, "s")
        yield Figure(f"{name}: workers compute", sum(map(covered, self.computing)), "s")
        if any(self.receiving):
            yield Figure(f"{name}: workers receive", sum(map(covered, self.receiving)), "s")
        if self.rates:
            quartiles = statistics.quantiles(self.rates * 2 if len(self.rates) == 1 else self.rates, n=4)
            for percent, rate in zip((25, 50, 75), quartiles, strict=True):
                yield Figure(f"{name}: transfers above 1 MB, {percent} %", rate, RATE)


def _rounded(span: Span) -> tuple[float, float]:
    return round(span[0], 6), round(span[1], 6)


def covered(spans: Iterable[Span]) -> float:
    """Return how many seconds at least one of some spans covers."""
    total, end = 0.0, float("-inf")
    for start, stop in sorted(spans):
        total += max(0.0, stop - max(start, end))
        end = max(end, stop)
    return total


def record(client: Client, work: Callable[[], object]) -> Stream:
    """Watch the workers while `work()` runs.

    Raises:
        RuntimeError: a worker has died: others did its work again.
    """
    client.get_task_stream()  # from now on the scheduler keeps it
    computing: dict[str, list[Span]] = {worker: [] for worker in client.nthreads()}
    begin, instant = now(), time.perf_counter()
    work()
    seconds = time.perf_counter() - instant
    if set(client.nthreads()) != set(computing):
        raise RuntimeError("a worker has died meanwhile")
    for task in client.get_task_stream(start=begin):
        computing[task["worker"]] += [
            (step["start"] - begin, step["stop"] - begin)
            for step in task["startstops"]
            if step["action"] == "compute"
        ]
    logs = client.run(_transfers, begin)
    return Stream(
        seconds,
        list(computing.values()),
        [[(start - begin, stop - begin) for start, stop, _ in logs[worker]] for worker in computing],
        [
            nbytes / (stop - start) / 1e9
            for log in logs.values()
            for start, stop, nbytes in log
            if nbytes > LARGE and stop > start
        ],
    )


def _transfers(since: float, dask_worker: Any) -> list[tuple[float, float, int]]:
    """Return start, end and bytes of what this worker has received."""
    log = [(entry["start"], entry["stop"], entry["total"]) for entry in dask_worker.transfer_incoming_log]
    return [entry for entry in log if entry[0] >= since]


def typical(streams: list[Stream]) -> Stream:
    """Return the one of median length."""
    return sorted(streams, key=lambda stream: stream.seconds)[len(streams) // 2]
