# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What a cluster takes for its smallest works, and to move one large array from worker to worker."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence

from distributed import Client

from ucxx.benchmarks.dask import cluster, payload
from ucxx.benchmarks.dask.figures import RATE, Figure, Outcome, rows
from ucxx.benchmarks.pair import in_turn
from ucxx.benchmarks.units import size_text

SIZE = 256 << 20
_CALLS, _TRANSFERS, _WARM_UP = 50, 3, 1


def measure(
    protocols: Sequence[str],
    size: int,
    object_type: str,
    runs: int,
    on_run: Callable[[], object] = lambda: None,
) -> Outcome:
    """Measure a new cluster of each protocol, in turn.

    Args:
        protocols: schemes; the others are compared with the last.
        size: bytes of the array.
        object_type: whose array, of `payload.NAMES`.
        runs: how often each protocol is measured.
        on_run: called after each measurement.

    Raises:
        BenchmarkError: it has failed.
    """

    def run(protocol: str) -> list[Figure]:
        begin = time.perf_counter()
        with cluster.running(protocol) as client:
            start = time.perf_counter() - begin
            rate, call, restart = _transfers(client, size, object_type), _calls(client), _restart(client)
        return [
            Figure(f"array of {size_text(size)}iB, a whole task", rate, RATE),
            Figure("client.run of nothing", call, "ms"),
            Figure("start of a LocalCluster", start, "s"),
            Figure("client.restart()", restart, "s"),
        ]

    return Outcome(rows(in_turn(protocols, runs, run, on_run)))


def _transfers(client: Client, size: int, object_type: str) -> float:
    found = [_transfer(client, size, object_type) for _ in range(_WARM_UP + _TRANSFERS)]
    return statistics.median(found[_WARM_UP:])


def _transfer(client: Client, size: int, object_type: str) -> float:
    """Have a task of one worker need the array of another; return GB/s of all that it takes."""
    first, second = client.nthreads()
    array = client.submit(payload.make, size, object_type, workers=[first], pure=False)
    ends = client.submit(payload.ends, [array], object_type, workers=[first]).result(cluster.SECONDS)
    begin = time.perf_counter()
    there = client.submit(payload.ends, [array], object_type, workers=[second], pure=False)
    came = there.result(cluster.SECONDS)
    seconds = time.perf_counter() - begin
    if came != ends:
        raise ValueError("what came is not what was sent")
    return size / seconds / 1e9


def _calls(client: Client) -> float:
    times = []
    for _ in range(_CALLS):
        begin = time.perf_counter()
        client.run(int)
        times.append(time.perf_counter() - begin)
    return statistics.median(times) * 1e3


def _restart(client: Client) -> float:
    begin = time.perf_counter()
    client.restart(timeout=cluster.SECONDS)
    return time.perf_counter() - begin
