# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The merge of two frames on a column whose equals lie on any worker."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any

from distributed import Client, wait

from ucxx.benchmarks.dask import cluster, drivers, frames
from ucxx.benchmarks.dask.figures import Found, Outcome
from ucxx.benchmarks.dask.streams import Stream, found, record

METHODS = {"tasks": "merge by tasks", "p2p": "merge by P2P"}


def measure(
    protocols: Sequence[str],
    size: int,
    object_type: str,
    runs: int,
    on_run: Callable[[], object] = lambda: None,
) -> Outcome:
    """Merge on a cluster of each protocol, in turn, by tasks and by P2P.

    Args:
        protocols: sets of transports; the others are compared with the last.
        size: bytes of each frame, which has 8 parts.
        object_type: whose frames, pandas or cudf.
        runs: how often each protocol is measured.
        on_run: called after each measurement.

    Raises:
        BenchmarkError: it has failed.
    """
    compute = functools.partial(_compute, rows=frames.rows_of(size), library=object_type)
    return drivers.measure(compute, protocols, object_type, runs, on_run)


def _compute(client: Client, rows: int, library: str) -> Found:
    keys = rows * frames.PARTS  # each comes once
    left = frames.frame(rows, keys, False, "left", library)
    right = frames.frame(rows, keys, True, "right", library)
    wait([left, right], cluster.SECONDS)
    return found({title: _merge(client, left, right, method, keys) for method, title in METHODS.items()})


def _merge(client: Client, left: Any, right: Any, method: str, keys: int) -> Stream:
    merged: list[Any] = []

    def work() -> None:
        merged.append(left.merge(right, on="key", shuffle_method=method, broadcast=False).persist())
        wait(merged, cluster.SECONDS)

    stream = record(client, work, 2 * frames.bytes_of(keys))
    if len(merged[0]) != keys:
        raise ValueError(f"{len(merged[0])} rows came out of two times {keys}")
    # Dask's logs of transfers lack what P2P sends, and have only what comes beside it.
    return dataclasses.replace(stream, transfers=[]) if method == "p2p" else stream
