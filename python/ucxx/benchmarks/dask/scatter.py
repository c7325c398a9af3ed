# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What the client scatters to workers."""

from __future__ import annotations

import functools
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

from distributed import Client

from ucxx.benchmarks.dask import cluster, drivers, payload
from ucxx.benchmarks.dask.figures import RATE, Figure, Found, Outcome
from ucxx.benchmarks.units import size_word

# How the client is called, and to how many workers.
_WAYS: dict[str, tuple[dict[str, Any], int]] = {
    "through the scheduler": ({"direct": False}, 1),
    "directly to a worker": ({"direct": True}, 1),
    f"to all of {cluster.WORKERS} workers": ({"broadcast": True}, cluster.WORKERS),
}
_TIMES = 3


def measure(
    protocols: Sequence[str],
    size: int,
    object_type: str,
    runs: int,
    on_run: Callable[[], object] = lambda: None,
) -> Outcome:
    """Scatter an array on a cluster of each protocol, in turn.

    Args:
        protocols: sets of transports; the others are compared with the last.
        size: bytes of the array.
        object_type: whose array, of `payload.NAMES`.
        runs: how often each protocol is measured.
        on_run: called after each measurement.

    Raises:
        BenchmarkError: it has failed.
    """
    compute = functools.partial(_compute, size=size, object_type=object_type)
    return drivers.measure(compute, protocols, object_type, runs, on_run)


def _compute(client: Client, size: int, object_type: str) -> Found:
    array = payload.make(size, object_type)
    figures = []
    for way, (options, receivers) in _WAYS.items():
        seconds = statistics.median(_scatter(client, array, object_type, options, receivers) for _ in range(_TIMES))
        figures.append(Figure(f"scatter of {size_word(size)}, {way}", receivers * size / seconds / 1e9, RATE))
    return Found(figures)


def _scatter(client: Client, array: Any, object_type: str, options: dict[str, Any], receivers: int) -> float:
    """Scatter an array; return how long that took. Raises ValueError where it is not there afterwards."""
    workers = list(client.nthreads())[:receivers]
    begin = time.perf_counter()
    future = client.scatter(array, workers=workers, hash=False, **options)
    seconds = time.perf_counter() - begin
    if set(client.who_has(future)[future.key]) != set(workers):
        raise ValueError(f"the array is not on {', '.join(workers)} alone")
    for worker in workers:
        ends = client.submit(payload.ends, [future], object_type, workers=[worker], pure=False)
        if ends.result(cluster.SECONDS) != payload.ends([array], object_type):
            raise ValueError("what came is not what was sent")
    return seconds
