# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What a cluster takes for its smallest works, and to move one large array from worker to worker."""

from __future__ import annotations

import contextlib
import functools
import statistics
import time
from collections.abc import Callable, Sequence

from distributed import Client

from ucxx.benchmarks.dask import cluster, drivers, payload
from ucxx.benchmarks.dask.figures import RATE, Figure, Found, Outcome, outcome
from ucxx.benchmarks.dask.transports import Transports
from ucxx.benchmarks.pair import in_turn
from ucxx.benchmarks.units import size_word

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
        protocols: sets of transports; the others are compared with the last.
        size: bytes of the array.
        object_type: whose array, of `payload.NAMES`.
        runs: how often each protocol is measured.
        on_run: called after each measurement.

    Raises:
        BenchmarkError: it has failed.
    """

    once = functools.partial(_once, size=size, object_type=object_type)
    with drivers.driving(protocols, contextlib.nullcontext) as processes:
        return outcome(in_turn(protocols, runs, lambda name: processes[name].call(once), on_run))


def _once(transports: Transports, size: int, object_type: str) -> Found:
    begin = time.perf_counter()
    with cluster.running(transports, object_type) as client:
        start = time.perf_counter() - begin
        figures = [
            Figure(f"array of {size_word(size)}, a whole task", _transfers(client, size, object_type), RATE),
            Figure("client.run of nothing", _calls(client), "ms"),
            Figure("start of a LocalCluster", start, "s"),
        ]
        found = drivers.checked(Found(figures), client, transports)
        figures.append(Figure("client.restart()", _restart(client), "s"))
    return found


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
