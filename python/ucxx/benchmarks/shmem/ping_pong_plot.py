# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Draws the ping-pong over size: latency, bandwidth, and OpenSHMEM libraries side by side."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Any

from ucxx.benchmarks import drawing
from ucxx.benchmarks.plot import LEAST_RATE
from ucxx.benchmarks.shmem import libraries, ping_pong
from ucxx.benchmarks.units import size_name

if TYPE_CHECKING:
    import os

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    # {line: {bytes: nanoseconds, one of each run}}
    Times = dict[ping_pong.Line, dict[int, list[float]]]

# A colour and a marker for what moves the bytes, a line for the language.
_MODELS = {
    ping_pong.MESSAGES: ("#a6369c", "P"),
    ping_pong.PUTS: ("#c99a00", "s"),
    ping_pong.COPY: ("#8a8a8a", "D"),
}
_LANGUAGES = {"C": "-", "Numba": "--", "Python": ":"}
_BARS = (8, 4 << 10, 64 << 10, 1 << 20, 4 << 20, 64 << 20)  # bytes
_BAR = 0.19  # inches


@drawing.style()
def draw(report: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """Draw a report into a file, whose suffix tells the format: medians, and from least to largest.

    Raises:
        ImportError: matplotlib is not installed. OSError, ValueError: for a bad path.
    """
    times: Times = {
        line: {size: row["runs_ns"] for size, row in rows.items()}
        for line, rows in ping_pong.lines_of(report["results"]).items()
    }
    in_c = {line.library: found for line, found in times.items() if line.library and line.language == "C"}
    rows = _rows(in_c) if len(in_c) > 1 else {}
    figure, latency, bandwidth, bars = _panels(_BAR * sum(map(len, rows.values())))
    _curves(latency, bandwidth, times)
    if bars is not None:
        _bars(bars, rows)
    figure.legend(*latency.get_legend_handles_labels(), loc="outside lower center", ncols=3, handlelength=3)
    drawing.title(figure, _title(report))
    drawing.save(figure, path)


def _panels(bars: float) -> tuple[Figure, Axes, Axes, Axes | None]:
    """Return a figure with two panels for curves and, below them, one for bars of so many inches."""
    curves = 4.3
    if bars == 0:
        figure, (latency, bandwidth) = drawing.panels(2, height=curves)
        return figure, latency, bandwidth, None
    figure, (latency, bandwidth, left, right) = drawing.panels(2, 2, height=curves + bars + 0.7)
    grid = left.get_gridspec()
    assert grid is not None
    left.remove()
    right.remove()
    grid.set_height_ratios((2.7, bars))
    return figure, latency, bandwidth, figure.add_subplot(grid[1, :])


def _curves(latency: Axes, bandwidth: Axes, times: Times) -> None:
    sizes = sorted({size for found in times.values() for size in found})
    large = [size for size in sizes if size >= LEAST_RATE] or sizes
    for line, found in times.items():
        look = _look(line)
        drawing.curve(latency, line.title, {size: [ns / 1e3 for ns in found[size]] for size in found}, look)
        rates = {size: [size / ns for ns in found[size]] for size in found if size in large}
        drawing.curve(bandwidth, line.title, rates, look)
    for axes, known, words, text in (
        (latency, sizes, "Half a round trip: less is better", drawing.time_text),
        (bandwidth, large, "Bandwidth: more is better", drawing.rate_text),
    ):
        axes.set_title(words)
        drawing.by_size(axes, known)
        drawing.logarithmic(axes.yaxis, text)


def _look(line: ping_pong.Line) -> drawing.Look:
    if line.library:
        looks = drawing.looks_of(dict.fromkeys(known.title for known in libraries.KNOWN.values()))
        return looks[line.library]._replace(line=_LANGUAGES[line.language])
    colour, marker = _MODELS[line.model]
    return drawing.Look(colour, marker, _LANGUAGES[line.language])


def _rows(in_c: dict[str, dict[int, list[float]]]) -> dict[str, dict[str, float]]:
    """Return the microseconds of some sizes in C over each library."""
    return {
        size_name(size): {name: median(found[size]) / 1e3 for name, found in in_c.items() if size in found}
        for size in _BARS
        if any(size in found for found in in_c.values())
    }


def _bars(axes: Axes, rows: dict[str, dict[str, float]]) -> None:
    drawing.grouped_bars(axes, rows, drawing.time_text)
    drawing.logarithmic(axes.xaxis, drawing.time_text)
    times = [us for row in rows.values() for us in row.values()]
    axes.set_xlim(min(times) / 2, 3 * max(times))  # room for the text of a bar
    axes.set_title("Half a round trip in C over OpenSHMEM libraries: less is better")
    axes.legend(loc="upper right")


def _title(report: dict[str, Any]) -> str:
    settings, used = report["settings"], report["tools"]
    # What an oshrun says of itself names the launcher, not the library.
    others = (line for line in ping_pong.LINES[1:] if line.library and line.language == "C" and line.way in used)
    versions = dict.fromkeys(f"{line.library} {used[line.way].rpartition(' ')[2]}" for line in others)
    versions |= dict.fromkeys(used[name] for name in ("mpi", "mpi4py") if name in used)
    runs = "" if settings["runs"] == 1 else f" of {settings['runs']} runs, bands from min to max"
    return f"A ping-pong of two processes, OpenSHMEM and MPI: medians{runs}; " + "; ".join(
        (f"UCXX {report['ucxx']}", *versions)
    )
