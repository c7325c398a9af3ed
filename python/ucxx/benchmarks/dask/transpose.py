# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The sum of a square array and its transpose: every block is needed where its mirror image is."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import dask
import dask.array
from distributed import Client, wait

from ucxx.benchmarks.dask import cluster, drivers
from ucxx.benchmarks.dask.figures import Found, Outcome
from ucxx.benchmarks.dask.streams import found, record

_BLOCKS = 8  # in each direction
_TITLE = "(x + x.T).sum()"


def measure(
    protocols: Sequence[str],
    size: int,
    object_type: str,
    runs: int,
    on_run: Callable[[], object] = lambda: None,
) -> Outcome:
    """Compute it on a cluster of each protocol, in turn.

    Args:
        protocols: sets of transports; the others are compared with the last.
        size: bytes of the array, which has 8 x 8 blocks of random float64.
        object_type: whose array, numpy or cupy.
        runs: how often each protocol is measured.
        on_run: called after each measurement.

    Raises:
        BenchmarkError: it has failed.
    """
    side = max(_BLOCKS, math.isqrt(size // 8))
    compute = functools.partial(_compute, side=side, object_type=object_type)
    return drivers.measure(compute, protocols, object_type, runs, on_run)


def _compute(client: Client, side: int, object_type: str) -> Found:
    with dask.config.set({"array.backend": object_type}):
        x = dask.array.random.random((side, side), chunks=-(-side // _BLOCKS)).persist()
    wait(x, cluster.SECONDS)
    sums: list[Any] = []
    stream = record(client, lambda: sums.append(_result(client, (x + x.T).sum())), x.nbytes)
    if not math.isclose(sums[0], 2 * _result(client, x.sum()), rel_tol=1e-6):
        raise ValueError("the sum is wrong")
    return found({_TITLE: stream})


def _result(client: Client, thing: Any) -> float:
    return float(client.compute(thing).result(cluster.SECONDS))
