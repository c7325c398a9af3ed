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
_BAR = 0.2  # inches
_COLUMNS = 3  # of panels with bars


@drawing.style()
def draw(report: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """Draw a report into a file, whose suffix tells the format: medians of runs, and their quartiles.

    Raises:
        ImportError: matplotlib is not installed. OSError, ValueError: for a bad path.
    """
    times: Times = {
        line: {size: row["runs_ns"] for size, row in rows.items()}
        for line, rows in ping_pong.lines_of(report["results"]).items()
    }
    in_c = {line.library: found for line, found in times.items() if line.library and line.language == "C"}
    sizes = [size for size in _BARS if sum(size in found for found in in_c.values()) > 1]
    figure, latency, bandwidth, bars = _panels(len(sizes), len(in_c))
    _curves(latency, bandwidth, times)
    for number, (size, axes) in enumerate(zip(sizes, bars, strict=True)):
        _bars(axes, size, in_c)
        axes.set_yticks(range(len(in_c)), [""] * len(in_c) if number % _COLUMNS else list(in_c))
    figure.legend(*latency.get_legend_handles_labels(), loc="outside lower center", ncols=3, handlelength=3)
    drawing.title(figure, _title(report, bool(sizes)))
    drawing.save(figure, path)


def _panels(sizes: int, libraries: int) -> tuple[Figure, Axes, Axes, list[Axes]]:
    """Return a figure with two panels for curves and, below them, one for the bars of each of some sizes."""
    curves = 4.3
    if sizes == 0:
        figure, (latency, bandwidth) = drawing.panels(2, height=curves)
        return figure, latency, bandwidth, []
    rows = -(-sizes // _COLUMNS)
    height = _BAR * libraries + 0.75
    figure, old = drawing.panels(2 * _COLUMNS, 1 + rows, height=curves + rows * height)
    grid = old[0].get_gridspec()
    assert grid is not None
    for axes in old:
        axes.remove()
    grid.set_height_ratios((2.7, *(rows * [height])))
    latency, bandwidth = (figure.add_subplot(grid[0, half]) for half in (slice(_COLUMNS), slice(_COLUMNS, None)))
    places = [(1 + number // _COLUMNS, 2 * (number % _COLUMNS)) for number in range(sizes)]
    return figure, latency, bandwidth, [figure.add_subplot(grid[row, left : left + 2]) for row, left in places]


def _curves(latency: Axes, bandwidth: Axes, times: Times) -> None:
    sizes = sorted({size for found in times.values() for size in found})
    large = [size for size in sizes if size >= LEAST_RATE] or sizes
    for line, found in times.items():
        look = _look(line)
        us = {size: [ns / 1e3 for ns in found[size]] for size in found}
        drawing.curve(latency, line.title, us, look, drawing.quartiles)
        rates = {size: [size / ns for ns in found[size]] for size in found if size in large}
        drawing.curve(bandwidth, line.title, rates, look, drawing.quartiles)
    drawing.latency_and_bandwidth(latency, sizes, bandwidth, large)


def _look(line: ping_pong.Line) -> drawing.Look:
    if line.library:
        looks = drawing.looks_of(dict.fromkeys(known.title for known in libraries.KNOWN.values()))
        return looks[line.library]._replace(line=_LANGUAGES[line.language])
    colour, marker = _MODELS[line.model]
    return drawing.Look(colour, marker, _LANGUAGES[line.language])


def _bars(axes: Axes, size: int, in_c: dict[str, dict[int, list[float]]]) -> None:
    """Draw half a round trip of a size in C over each library, as bars from 0 on."""
    largest = 0.0
    for place, (name, found) in enumerate(in_c.items()):
        if size in found:
            us = median(found[size]) / 1e3
            largest = max(largest, us)
            drawing.bars(axes, name, [place], [us], 0.75, [drawing.time_text(us)])
    axes.set_xlim(0, 1.45 * largest)  # room for the text of a bar
    axes.set_ylim(len(in_c) - 0.5, -0.5)
    axes.set_title(size_name(size))
    axes.tick_params(axis="y", length=0)
    axes.grid(False)
    axes.set_xticks([])


def _title(report: dict[str, Any], has_bars: bool) -> str:
    settings, used = report["settings"], report["tools"]
    # What an oshrun says of itself names the launcher, not the library.
    others = (line for line in ping_pong.LINES[1:] if line.library and line.language == "C" and line.way in used)
    versions = dict.fromkeys(f"{line.library} {used[line.way].rpartition(' ')[2]}" for line in others)
    versions |= dict.fromkeys(used[name] for name in ("mpi", "mpi4py") if name in used)
    runs = "" if settings["runs"] == 1 else f" of {settings['runs']} runs, bands are quartiles"
    bars = "; bars: half a round trip in C over OpenSHMEM libraries, from 0 on" if has_bars else ""
    return f"A ping-pong of two processes, OpenSHMEM and MPI: medians{runs}{bars}; " + "; ".join(
        (f"UCXX {report['ucxx']}", *versions)
    )
