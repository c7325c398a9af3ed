# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The merge of two frames of pandas on a column whose equals lie on any worker."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any

import dask
import dask.dataframe
import numpy
import pandas
from distributed import Client, wait

from ucxx.benchmarks.dask import cluster, watched
from ucxx.benchmarks.dask.figures import Outcome
from ucxx.benchmarks.dask.streams import Stream, record

SIZE = 96 << 20
METHODS = {"tasks": "merge by tasks", "p2p": "merge by P2P"}
_PARTS = 8
_ROW = 16  # bytes: a key and a value
_PRIME = 2_654_435_761  # larger than any number of rows: times it, modulo that, each number comes once


def measure(
    protocols: Sequence[str],
    size: int,
    runs: int,
    on_run: Callable[[], object] = lambda: None,
) -> Outcome:
    """Merge on a cluster of each protocol, in turn, by tasks and by P2P.

    Args:
        protocols: schemes; the others are compared with the last.
        size: bytes of each frame, which has 8 parts.
        runs: how often each protocol is measured.
        on_run: called after each measurement.

    Raises:
        BenchmarkError: it has failed.
    """
    compute = functools.partial(_compute, rows=max(1, size // _ROW // _PARTS))
    return watched.measure("merge", compute, protocols, runs, on_run)


def part(number: int, rows: int, stride: int, name: str) -> pandas.DataFrame:
    """Return a part of a frame: each key once in all parts, and random values."""
    keys = (numpy.arange(number * rows, (number + 1) * rows) * stride) % (rows * _PARTS)
    return pandas.DataFrame({"key": keys, name: numpy.random.default_rng().random(rows)})


def _frame(rows: int, stride: int, name: str) -> Any:
    meta = part(0, 1, 1, name).iloc[:0]
    frame = dask.dataframe.from_map(part, range(_PARTS), rows=rows, stride=stride, name=name, meta=meta)
    return frame.persist()


def _compute(client: Client, rows: int) -> dict[str, Stream]:
    left, right = _frame(rows, 1, "left"), _frame(rows, _PRIME, "right")
    wait([left, right], cluster.SECONDS)
    return {title: _merge(client, left, right, method, rows) for method, title in METHODS.items()}


def _merge(client: Client, left: Any, right: Any, method: str, rows: int) -> Stream:
    merged: list[Any] = []

    def work() -> None:
        merged.append(left.merge(right, on="key", shuffle_method=method, broadcast=False).persist())
        wait(merged, cluster.SECONDS)

    stream = record(client, work)
    if method == "p2p":  # what the logs have is not the shuffle
        stream = dataclasses.replace(stream, receiving=[[] for _ in stream.receiving], rates=[])
    if len(merged[0]) != rows * _PARTS:
        raise ValueError(f"{len(merged[0])} rows came out of two times {rows * _PARTS}")
    return stream
