# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Draws latency and bandwidth of a ping-pong over the size of its messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ucxx.benchmarks import drawing

if TYPE_CHECKING:
    import os

LEAST_RATE = 8 << 10  # below, a bandwidth says nothing that the time does not
TITLES = {
    "ucxx-async": "UCXX, asyncio",
    "ucxx-core": "UCXX, ucxx.core",
    "ucxx-c++": "UCXX, C++",
    "asyncio": "asyncio streams",
    "uvloop": "uvloop streams",
    "tornado": "Tornado streams",
}

# {program: {bytes: microseconds of half a round trip, one of each run}}
Times = Mapping[str, Mapping[int, Sequence[float]]]


def draw(report: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """Draw the report of a sweep into a file, whose suffix tells the format.

    Raises:
        ImportError: matplotlib is not installed. OSError, ValueError: for a bad path.
    """
    times: dict[str, dict[int, list[float]]] = {}
    for row in report["results"]:
        name = TITLES.get(row["backend"], row["backend"])
        size = row["size"] * row["buffers"]
        halves = row["half_round_trip_us"]
        times.setdefault(name, {})[size] = halves.get("p50_of_runs", [halves["p50"]])
    draw_times(times, _title(report), path)


@drawing.style()
def draw_times(times: Times, title: str, path: str | os.PathLike[str]) -> None:
    """Draw medians, and a band from the least to the most where there are several runs."""
    figure, (latency, bandwidth) = drawing.panels(2, height=4.2)
    sizes = sorted({size for one in times.values() for size in one})
    large = [size for size in sizes if size >= LEAST_RATE] or sizes
    for name, look in drawing.looks_of(times).items():
        drawing.curve(latency, name, times[name], look)
        rates = {size: [size / us / 1e3 for us in values] for size, values in times[name].items() if size in large}
        drawing.curve(bandwidth, name, rates, look)
    drawing.latency_and_bandwidth(latency, sizes, bandwidth, large)
    drawing.legend(figure)
    drawing.title(figure, title)
    drawing.save(figure, path)


def _title(report: dict[str, Any]) -> str:
    used, settings = report["ucx"], report["settings"]
    buffers = f", {settings['buffers']} buffers" if settings["buffers"] > 1 else ""
    pin = settings["pin"]
    first, second = ("any" if number is None else number for number in pin or (None, None))
    where = "not pinned" if pin is None else f"on processors {first} and {second}"
    return (
        f"Messages between two processes, {where}; UCX {used['version']}, "
        f"progress mode {settings['progress_mode']}{buffers}"
    )
