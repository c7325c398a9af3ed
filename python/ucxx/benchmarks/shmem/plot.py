# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Draws what calls take, and bandwidth by size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ucxx.benchmarks import drawing
from ucxx.benchmarks.shmem.figures import CALLS
from ucxx.benchmarks.shmem.ways import FIRST, TITLES

if TYPE_CHECKING:
    import os

    from matplotlib.axes import Axes

    Rows = list[dict[str, Any]]


@drawing.style()
def draw(report: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """Draw a report into a file, whose suffix tells the format: medians, and from least to largest.

    Raises:
        ImportError: matplotlib is not installed. OSError, ValueError: for a bad path.
    """
    rows = report["results"]
    calls = [row for row in rows if row["figure"] in CALLS and not row["figure"].endswith("_view")]
    copies = [row for row in rows if row["figure"] in ("bandwidth", "memcpy")]
    panels = [part for part in ((_calls, calls), (_copies, copies)) if part[1]]
    if not panels:
        raise ValueError("neither calls nor copies were measured")
    lines = len({row["figure"] for row in calls})
    height = max(4.0 if copies else 0, 1.1 + 0.21 * lines)
    figure, many = drawing.panels(len(panels), height=height)
    for axes, (function, some) in zip(many, panels, strict=True):
        function(axes, some)
    drawing.legend(figure, 5)
    if "settings" in report:
        runs = report["settings"]["runs"]
        drawing.title(figure, f"OpenSHMEM from Python between two PEs: medians of {runs} runs, from min to max")
    drawing.save(figure, path)


def _calls(axes: Axes, rows: Rows) -> None:
    """Draw a line of dots for each call."""
    names = list(dict.fromkeys(row["figure"] for row in rows))
    for way, some in _by_way(rows):
        look = drawing.LOOKS[TITLES[way]]
        axes.errorbar(
            [row["ns"] for row in some],
            [names.index(row["figure"]) for row in some],
            xerr=_spread([row["ns"] for row in some], [row["runs_ns"] for row in some]),
            linestyle="none",
            color=look.colour,
            marker=look.marker,
            elinewidth=0.9,
            label=TITLES[way],
            zorder=3 if way == FIRST else 2,
        )
    axes.set_yticks(range(len(names)), [CALLS[name].title for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    drawing.logarithmic(axes.xaxis, lambda ns: drawing.time_text(ns / 1e3))
    axes.set_title("Time of a call: less is better")


def _copies(axes: Axes, rows: Rows) -> None:
    """Draw a curve for each way, and one for copies within a process."""
    copies = [row for row in rows if row["figure"] == "bandwidth"]
    for way, some in _by_way(copies):
        _curve(axes, some, TITLES[way], drawing.LOOKS[TITLES[way]])
    within = [row for row in rows if row["figure"] == "memcpy"]
    if within:
        _curve(axes, within, "memcpy (numpy.copyto)", drawing.LOOKS["limit"])
    drawing.by_size(axes, [row["bytes"] for row in rows], "bytes of a put (K = 1024)")
    drawing.logarithmic(axes.yaxis, drawing.rate_text)
    axes.set_title("Bandwidth: more is better")


def _curve(axes: Axes, rows: Rows, title: str, look: drawing.Look) -> None:
    drawing.curve(axes, title, {row["bytes"]: [row["bytes"] / ns for ns in row["runs_ns"]] for row in rows}, look)


def _by_way(rows: Rows) -> list[tuple[str, Rows]]:
    names = [name for name in TITLES if any(row["way"] == name for row in rows)]
    return [(name, [row for row in rows if row["way"] == name]) for name in names]


def _spread(middle: list[float], every: list[list[float]]) -> list[list[float]]:
    """Return how far the least and the largest are from the medians."""
    return [
        [value - min(some) for value, some in zip(middle, every, strict=True)],
        [max(some) - value for value, some in zip(middle, every, strict=True)],
    ]
