# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Runs backends between two processes, and makes rows of figures of what they tell."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ucxx.benchmarks.backends import FIRST, backend
from ucxx.benchmarks.side import CONNECTS, SERVES, run_side
from ucxx.testing import running_peers

if TYPE_CHECKING:
    from ucxx.benchmarks.rank import Rank
    from ucxx.benchmarks.settings import Settings
    from ucxx.testing import Peer

_Told = Callable[[str, int], object]
_Figures = dict[str, float]

_SECONDS = 120
_UNTIL_SERVED = 86_400  # the other process is started by hand


class BenchmarkError(Exception):
    """A backend has failed."""


def reason_to_skip(name: str, settings: Settings) -> str | None:
    """Return why a backend cannot be measured with these settings, None if it can."""
    way = backend(name)
    return way.missing() or way.unfit(settings)


def measure(
    names: Sequence[str],
    settings: Settings,
    runs: int,
    on_round_trips: _Told = lambda name, count: None,
) -> list[dict[str, Any]]:
    """Measure backends, each `runs` times in turn; return a row for each size of each.

    Args:
        names: of backends.
        settings: Settings.
        runs: so many, each with new processes.
        on_round_trips: called with a name and a number of round trips that have been made.

    Raises:
        BenchmarkError: one has failed, in words.
    """
    found: dict[str, dict[tuple[int, int], list[_Figures]]] = {name: {} for name in names}
    for _ in range(runs):
        for name in names:
            for size, count, figures in _run(name, settings, on_round_trips):
                found[name].setdefault((size, count), []).append(figures)
    rows = [
        _row(name, settings, size, count, figures)
        for name in names
        for (size, count), figures in found[name].items()
    ]
    _add_ratios(rows)
    return rows


def _run(
    name: str, settings: Settings, on_round_trips: _Told
) -> Iterator[tuple[int, int, _Figures]]:
    way = backend(name)
    try:
        if hasattr(way, "measured"):
            for size, count, figures in way.measured(settings):
                on_round_trips(name, count)
                yield size, count, figures
            return
        if settings.side == "server":
            return _serve(name, settings)
        if settings.side == "client":
            yield from _call(name, settings, on_round_trips)
            return
        with way.processes(run_side, name, settings) as (server, client):
            server.send((SERVES, None))
            client.send((CONNECTS, _next(server)[1]))
            for size, round_trips in _told(name, server, client, on_round_trips):
                yield size, len(round_trips), _figures(round_trips)
    except (EOFError, OSError, RuntimeError) as error:
        raise BenchmarkError(f"{name}: {error or 'a process has ended'}") from error


def _serve(name: str, settings: Settings) -> None:
    """Be the peer of a client that is started elsewhere."""
    with running_peers(1, run_side, name, settings) as (server,):
        server.send((SERVES, None))
        port = _next(server)[1]
        print(f"waiting for a client at {settings.address}, port {port}", flush=True)
        _next(server, _UNTIL_SERVED)


def _call(
    name: str, settings: Settings, on_round_trips: _Told
) -> Iterator[tuple[int, int, _Figures]]:
    """Measure with a server that was started elsewhere."""
    with running_peers(1, run_side, name, settings) as (client,):
        client.send((CONNECTS, settings.port))
        for size, round_trips in _told(name, None, client, on_round_trips):
            yield size, len(round_trips), _figures(round_trips)


def _next(peer: Peer | Rank, seconds: float = _SECONDS) -> tuple[Any, ...]:
    word: tuple[Any, ...] = peer.receive(seconds)
    if word[0] == "failed":
        raise RuntimeError(word[1])
    return word


def _told(
    name: str, server: Peer | Rank | None, client: Peer | Rank, on_round_trips: _Told
) -> Iterator[tuple[int, list[float]]]:
    """Yield (size, seconds of each round trip)."""
    while True:
        try:
            what, *word = _next(client)
        except (EOFError, RuntimeError):
            if server is not None:
                _next(server)  # often it knows better why
            raise
        if what == "end":
            return
        if what == "round trips":
            on_round_trips(name, *word)
        else:
            size, times = word
            yield size, times


def percentile(ordered: Sequence[float], percent: float) -> float:
    """Return the least value that so many percent of ordered values do not exceed."""
    return ordered[max(0, math.ceil(percent / 100 * len(ordered)) - 1)]


def _figures(round_trips: Iterable[float]) -> _Figures:
    """Return us of half a round trip."""
    halves = sorted(seconds / 2 * 1e6 for seconds in round_trips)
    return {
        "p50": percentile(halves, 50),
        "p99": percentile(halves, 99),
        "mean": statistics.fmean(halves),
    }


def _row(
    name: str, settings: Settings, size: int, count: int, runs: list[_Figures]
) -> dict[str, Any]:
    """Return the medians of runs, and from where to where their p50 went."""
    halves: dict[str, Any] = {
        key: statistics.median(run[key] for run in runs) for key in runs[0]
    }
    halves["p50_of_runs"] = [run["p50"] for run in runs]
    kilobytes = size * settings.buffers / 1e3
    return {
        "backend": name,
        "size": size,
        "buffers": settings.buffers,
        "iterations": count,
        "half_round_trip_us": halves,
        "gb_per_s": kilobytes / halves["p50"],
        "mean_gb_per_s": kilobytes / halves["mean"],  # with all that other programs have done
    }


def _add_ratios(rows: list[dict[str, Any]]) -> None:
    """Write into each row how many times the p50 of ucxx-async its own is; None without that."""
    first = {row["size"]: row for row in rows if row["backend"] == FIRST}
    for row in rows:
        other = first.get(row["size"])
        row["ratio"] = (
            other and row["half_round_trip_us"]["p50"] / other["half_round_trip_us"]["p50"]
        )
