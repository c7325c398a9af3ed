# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The singular values of an array with many more rows than columns: most work is in its blocks, little between them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import dask
import dask.array
from distributed import Client, wait

from ucxx.benchmarks.dask import cluster, drivers
from ucxx.benchmarks.dask.figures import Found, Outcome
from ucxx.benchmarks.dask.streams import found, record

_BLOCKS = 8  # one below the other
_COLUMNS = 128
_TITLE = "svd"
_PRECISION = 1e-6


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
        size: bytes of the array, which has 8 blocks of random float64 with 128 columns, and as many rows at least.
        object_type: whose array, numpy or cupy.
        runs: how often each protocol is measured.
        on_run: called after each measurement.

    Raises:
        BenchmarkError: it has failed.
    """
    rows = max(_COLUMNS, size // 8 // _COLUMNS // _BLOCKS) * _BLOCKS
    compute = functools.partial(_compute, rows=rows, object_type=object_type)
    return drivers.measure(compute, protocols, object_type, runs, on_run)


def _compute(client: Client, rows: int, object_type: str) -> Found:
    with dask.config.set({"array.backend": object_type}):
        x = dask.array.random.random((rows, _COLUMNS), chunks=(rows // _BLOCKS, _COLUMNS)).persist()
    wait(x, cluster.SECONDS)
    factors: list[Any] = []

    def work() -> None:
        factors.extend(dask.persist(*dask.array.linalg.svd(x)))
        wait(factors, cluster.SECONDS)

    stream = record(client, work, x.nbytes)
    _check(client, x, *factors)
    return found({_TITLE: stream})


def _check(client: Client, x: Any, u: Any, s: Any, v: Any) -> None:
    """Raise ValueError where the product of the factors is not the array, or they are not orthogonal."""
    unit = dask.array.eye(_COLUMNS, chunks=_COLUMNS)
    wrong = [abs((u * s) @ v - x).max(), abs(u.T @ u - unit).max(), abs(v @ v.T - unit).max()]
    worst = max(float(one.result(cluster.SECONDS)) for one in client.compute(wrong))
    if not worst < _PRECISION:
        raise ValueError(f"the factors are wrong by {worst}")
