# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Runs backends between two processes, and makes rows of figures of what they tell."""

from __future__ import annotations

import math
import statistics

from ucxx.benchmarks.backends import FIRST, backend
from ucxx.benchmarks.side import CONNECTS, SERVES, run_side

_SECONDS = 120


class BenchmarkError(Exception):
    """A backend has failed."""


def measure(name, settings, on_round_trips=lambda count: None):
    """Measure one backend; return a row for each size.

    Args:
        name: the backend.
        settings: Settings.
        on_round_trips: called with a number of round trips that have been made.

    Raises:
        BenchmarkError: it has failed, in words.
    """
    try:
        with backend(name).processes(run_side, name, settings) as (server, client):
            server.send((SERVES, None))
            client.send((CONNECTS, _next(server)[1]))
            return list(_rows(name, settings, server, client, on_round_trips))
    except (EOFError, OSError, RuntimeError) as error:
        raise BenchmarkError(f"{name}: {error or 'a process has ended'}") from error


def _next(peer):
    word = peer.receive(_SECONDS)
    if word[0] == "failed":
        raise RuntimeError(word[1])
    return word


def _rows(name, settings, server, client, on_round_trips):
    while True:
        try:
            what, *word = _next(client)
        except (EOFError, RuntimeError):
            _next(server)  # often it knows better why
            raise
        if what == "end":
            return
        if what == "round trips":
            on_round_trips(*word)
        else:
            yield _row(name, settings, *word)


def percentile(ordered, percent):
    """Return the least value that so many percent of ordered values do not exceed."""
    return ordered[max(0, math.ceil(percent / 100 * len(ordered)) - 1)]


def _row(name, settings, size, round_trips):
    halves = sorted(seconds / 2 for seconds in round_trips)
    typical, mean = percentile(halves, 50), statistics.fmean(halves)
    gigabytes = size * settings.buffers / 1e9
    return {
        "backend": name,
        "size": size,
        "buffers": settings.buffers,
        "iterations": len(halves),
        "half_round_trip_us": {
            "p50": typical * 1e6,
            "p99": percentile(halves, 99) * 1e6,
            "min": halves[0] * 1e6,
            "mean": mean * 1e6,
        },
        "gb_per_s": gigabytes / typical,
        "mean_gb_per_s": gigabytes / mean,  # with all that other programs have done meanwhile
    }


def add_ratios(rows):
    """Write into each row how many times the p50 of ucxx-async its own is; None without that."""
    first = {row["size"]: row for row in rows if row["backend"] == FIRST}
    for row in rows:
        other = first.get(row["size"])
        row["ratio"] = (
            other and row["half_round_trip_us"]["p50"] / other["half_round_trip_us"]["p50"]
        )
