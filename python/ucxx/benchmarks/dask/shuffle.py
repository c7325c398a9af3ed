# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The shuffle of a frame by P2P: rows of equal keys go into one part, on any worker."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any

import dask
from distributed import Client, wait

from ucxx.benchmarks.dask import cluster, drivers, frames
from ucxx.benchmarks.dask.figures import Found, Outcome
from ucxx.benchmarks.dask.streams import found, record

_TITLE = "shuffle by P2P"


def measure(
    protocols: Sequence[str],
    size: int,
    object_type: str,
    runs: int,
    on_run: Callable[[], object] = lambda: None,
) -> Outcome:
    """Shuffle on a cluster of each protocol, in turn.

    Args:
        protocols: sets of transports; the others are compared with the last.
        size: bytes of the frame, which has 8 parts.
        object_type: whose frames, pandas or cudf.
        runs: how often each protocol is measured.
        on_run: called after each measurement.

    Raises:
        BenchmarkError: it has failed.
    """
    compute = functools.partial(_compute, rows=frames.rows_of(size), library=object_type)
    return drivers.measure(compute, protocols, object_type, runs, on_run)


def _compute(client: Client, rows: int, library: str) -> Found:
    # Each part has all keys, each of them once.
    frame = frames.frame(rows, rows, True, "value", library)
    wait(frame, cluster.SECONDS)
    shuffled: list[Any] = []

    def work() -> None:
        shuffled.append(frame.shuffle(on="key", shuffle_method="p2p").persist())
        wait(shuffled, cluster.SECONDS)

    stream = record(client, work, frames.bytes_of(rows * frames.PARTS))
    _check(client, shuffled[0], rows)
    # Dask's logs of transfers lack what P2P sends, and have only what comes beside it.
    return found({_TITLE: dataclasses.replace(stream, transfers=[])})


def _check(client: Client, shuffled: Any, keys: int) -> None:
    """Raise ValueError where rows are lost, or a key is in two parts."""
    parts = client.compute([dask.delayed(_counted)(part) for part in shuffled.to_delayed()])
    counts = [future.result(cluster.SECONDS) for future in parts]
    rows, apart = sum(count[0] for count in counts), sum(count[1] for count in counts)
    if (rows, apart) != (keys * frames.PARTS, keys):
        raise ValueError(f"{rows} rows of {apart} keys came out of {keys * frames.PARTS} of {keys}")


def _counted(part: Any) -> tuple[int, int]:
    return len(part), int(part["key"].nunique())
