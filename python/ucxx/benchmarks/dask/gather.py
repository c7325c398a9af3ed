# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What the client gathers from workers."""

from __future__ import annotations

import functools
import statistics
import time
from collections.abc import Callable, Sequence

from distributed import Client, wait

from ucxx.benchmarks.dask import cluster, drivers, payload
from ucxx.benchmarks.dask.figures import RATE, Figure, Found, Outcome
from ucxx.benchmarks.units import size_word

_WAYS = {"through the scheduler": False, "directly from the workers": True}
_TIMES = 3


def measure(
    protocols: Sequence[str],
    size: int,
    object_type: str,
    runs: int,
    on_run: Callable[[], object] = lambda: None,
) -> Outcome:
    """Gather an array of each worker on a cluster of each protocol, in turn.

    Args:
        protocols: sets of transports; the others are compared with the last.
        size: bytes of each array.
        object_type: whose arrays, of `payload.NAMES`.
        runs: how often each protocol is measured.
        on_run: called after each measurement.

    Raises:
        BenchmarkError: it has failed.
    """
    compute = functools.partial(_compute, size=size, object_type=object_type)
    return drivers.measure(compute, protocols, object_type, runs, on_run)


def _compute(client: Client, size: int, object_type: str) -> Found:
    figures = []
    for way, is_direct in _WAYS.items():
        seconds = statistics.median(_gather(client, size, object_type, is_direct) for _ in range(_TIMES))
        what = f"gather of {cluster.WORKERS} arrays of {size_word(size)}, {way}"
        figures.append(Figure(what, cluster.WORKERS * size / seconds / 1e9, RATE))
    return Found(figures)


def _gather(client: Client, size: int, object_type: str, is_direct: bool) -> float:
    """Gather a new array of each worker; return how long that took. Raises ValueError where another one comes."""
    workers = list(client.nthreads())
    arrays = [client.submit(payload.make, size, object_type, workers=[worker], pure=False) for worker in workers]
    wait(arrays, cluster.SECONDS)
    begin = time.perf_counter()
    came = client.gather(arrays, direct=is_direct)
    seconds = time.perf_counter() - begin
    for worker, array, copy in zip(workers, arrays, came, strict=True):
        ends = client.submit(payload.ends, [array], object_type, workers=[worker], pure=False)
        if ends.result(cluster.SECONDS) != payload.ends([copy], object_type):
            raise ValueError("what came is not what was sent")
    return seconds
