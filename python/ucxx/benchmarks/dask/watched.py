# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Runs a computation on a cluster of each protocol, in turn, and watches the workers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from distributed import Client

from ucxx.benchmarks.dask import cluster
from ucxx.benchmarks.dask.figures import Figure, Outcome, rows
from ucxx.benchmarks.dask.streams import Stream, typical
from ucxx.benchmarks.measure import BenchmarkError
from ucxx.benchmarks.pair import in_turn


def measure(
    name: str,
    compute: Callable[[Client], dict[str, Stream]],
    protocols: Sequence[str],
    runs: int,
    on_run: Callable[[], object],
) -> Outcome:
    """Call `compute(client)` for each protocol, once to warm up and then `runs` times in turn.

    Args:
        name: what is computed, for errors.
        compute: returns the streams of what it has computed, by title.
        protocols: schemes; the others are compared with the last.
        runs: how often.
        on_run: called after each measurement.

    Raises:
        BenchmarkError: it has failed.
    """
    streams: dict[str, dict[str, list[Stream]]] = {}
    with cluster.running_all(protocols) as clients:

        def run(protocol: str) -> list[Figure]:
            try:
                with clients[protocol].as_current():
                    found = compute(clients[protocol])
            except Exception as error:
                raise BenchmarkError(f"{name}, {protocol}: {type(error).__name__}: {error}") from error
            for title, stream in found.items():
                streams.setdefault(title, {}).setdefault(protocol, []).append(stream)
            return [figure for title, stream in found.items() for figure in stream.figures(title)]

        in_turn(protocols, 1, run, lambda: None)
        streams.clear()
        table = rows(in_turn(protocols, runs, run, on_run))
    return Outcome(
        table,
        {title: {name: typical(found) for name, found in of.items()} for title, of in streams.items()},
    )
