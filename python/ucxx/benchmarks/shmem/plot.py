# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Draws what calls take, and bandwidth by size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ucxx.benchmarks.shmem.figures import CALLS
from ucxx.benchmarks.shmem.ways import FIRST, TITLES
from ucxx.benchmarks.units import size_text

if TYPE_CHECKING:
    import os

    from matplotlib.axes import Axes

    Rows = list[dict[str, Any]]

# Colours that the colour-blind can tell apart, and markers for print without colours.
_STYLES = {
    "ucxx": ("#0b4f6c", "o"),
    "c": ("#3a3a3a", "x"),
    "shmem4py": ("#d95f02", "s"),
    "mpi4py": ("#a6369c", "^"),
}


def draw(report: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """Draw a report into a file, whose suffix tells the format: medians, and from least to largest.

    Raises:
        ImportError: matplotlib is not installed. OSError, ValueError: for a bad path.
    """
    from matplotlib.figure import Figure

    rows = report["results"]
    calls = [row for row in rows if row["figure"] in CALLS and not row["figure"].endswith("_view")]
    copies = [row for row in rows if row["figure"] in ("bandwidth", "memcpy")]
    panels = [part for part in ((_calls, calls), (_copies, copies)) if part[1]]
    if not panels:
        raise ValueError("neither calls nor copies were measured")
    lines = len({row["figure"] for row in calls})
    height = 3.9 if copies else 1.2 + 0.21 * lines
    figure = Figure(figsize=(4.6 * len(panels) + 0.4, height), layout="constrained")
    many = figure.subplots(1, len(panels), squeeze=False)[0]
    for axes, (function, some) in zip(many, panels, strict=True):
        function(axes, some)
    labels = {label: line for axes in many for line, label in zip(*axes.get_legend_handles_labels())}
    figure.legend(
        labels.values(), labels.keys(), loc="outside lower center", ncols=5, frameon=False, fontsize=8
    )
    figure.savefig(path, dpi=200)


def _calls(axes: Axes, rows: Rows) -> None:
    """Draw a line of dots for each call."""
    names = list(dict.fromkeys(row["figure"] for row in rows))
    for way, some in _by_way(rows):
        colour, marker = _STYLES[way]
        axes.errorbar(
            [row["ns"] for row in some],
            [names.index(row["figure"]) for row in some],
            xerr=_spread([row["ns"] for row in some], [row["runs_ns"] for row in some]),
            linestyle="none",
            color=colour,
            marker=marker,
            markersize=5,
            elinewidth=0.9,
            capsize=2,
            label=TITLES[way],
            zorder=3 if way == FIRST else 2,
        )
    axes.set_yticks(range(len(names)), [CALLS[name].title for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xscale("log")
    axes.set_xlabel("time of a call (ns), less is better", fontsize=9)
    _finish(axes)


def _copies(axes: Axes, rows: Rows) -> None:
    """Draw a curve for each way, and one for copies within a process."""
    from matplotlib import ticker

    for way, some in _by_way([row for row in rows if row["figure"] == "bandwidth"]):
        _curve(axes, some, _STYLES[way], TITLES[way], "-")
    within = [row for row in rows if row["figure"] == "memcpy"]
    if within:
        _curve(axes, within, ("#9a9a9a", "D"), "memcpy (numpy.copyto)", "--")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.xaxis.set_major_locator(ticker.LogLocator(base=16, numticks=20))
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda size, _: size_text(int(size))))
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda rate, _: f"{rate:g}"))
    axes.set_xlabel("size of a put (bytes)", fontsize=9)
    axes.set_ylabel("bandwidth (GB/s), more is better", fontsize=9)
    _finish(axes)


def _curve(axes: Axes, rows: Rows, style: tuple[str, str], title: str, dashes: str) -> None:
    rates = [row["bytes"] / row["ns"] for row in rows]
    every = [[row["bytes"] / ns for ns in row["runs_ns"]] for row in rows]
    axes.errorbar(
        [row["bytes"] for row in rows],
        rates,
        yerr=_spread(rates, every),
        color=style[0],
        marker=style[1],
        linestyle=dashes,
        markersize=4,
        linewidth=1.3,
        elinewidth=0.9,
        capsize=2,
        label=title,
    )


def _by_way(rows: Rows) -> list[tuple[str, Rows]]:
    names = [name for name in TITLES if any(row["way"] == name for row in rows)]
    return [(name, [row for row in rows if row["way"] == name]) for name in names]


def _spread(middle: list[float], every: list[list[float]]) -> list[list[float]]:
    """Return how far the least and the largest are from the medians."""
    return [
        [value - min(some) for value, some in zip(middle, every, strict=True)],
        [max(some) - value for value, some in zip(middle, every, strict=True)],
    ]


def _finish(axes: Axes) -> None:
    axes.tick_params(labelsize=8)
    axes.grid(True, color="0.9", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
