# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""How pictures of figures look: one style for all programs that draw, one look for each program that is drawn.

A picture is as wide as a page of the documents, so its fonts have their size there. Programs differ by
marker and line as well as by colour, for print without colours. A saved picture holds what it shows as
JSON (`data_of`): a test compares pictures by that.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import pathlib
import statistics
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ucxx.benchmarks.units import size_text

if TYPE_CHECKING:
    import os

    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

WIDTH = 7.6  # inches
LEAST_FONT = 9  # points
_STYLE: dict[Any, Any] = {  # by matplotlib's names
    "font.size": LEAST_FONT,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "figure.titlesize": 10,
    "axes.grid": True,
    "grid.color": "0.9",
    "grid.linewidth": 0.7,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.minor.visible": False,
    "legend.frameon": False,
    "lines.markersize": 4.5,
    "lines.linewidth": 1.5,
    "errorbar.capsize": 2,
    "hatch.linewidth": 0.6,
    "savefig.dpi": 200,
    "svg.hashsalt": "ucxx",  # the same names in each run
}


class Look(NamedTuple):
    """How a program is drawn: in curves by marker and line, in bars by hatch."""

    colour: str
    marker: str
    line: str
    hatch: str = ""


# UCXX is dark blue, and C++ and C are dashed.
LOOKS = {
    "UCXX": Look("#0b4f6c", "o", "-"),
    "UCXX, C++": Look("#0b4f6c", "o", "--"),
    "UCXX, asyncio": Look("#1b7fb5", "o", "-"),
    "UCXX, ucxx.core": Look("#5bc0de", "s", ":"),  # often the curve of asyncio
    "ucxx.shmem": Look("#0b4f6c", "o", "-"),
    "ucx_perftest": Look("#3a3a3a", "x", "--", "...."),
    "C": Look("#3a3a3a", "x", "--", "...."),
    "mpi4py": Look("#a6369c", "P", "-", "////"),
    "MPI": Look("#e39a4b", "P", "-", "////"),
    "Open MPI": Look("#d95f02", "^", "-", "////"),
    "Open MPI's OSHMEM": Look("#d95f02", "^", "-", "////"),
    "OSHMEM, --mca scoll ^mpi": Look("#e9a66b", "v", ":", "//"),
    "MPICH": Look("#e6ab02", "s", "-", "\\\\\\\\"),
    "shmem4py": Look("#d95f02", "s", "-", "xxxx"),
    "RAPIDS UCXX, polling": Look("#4c8c2b", "^", "-", "xxxx"),
    "RAPIDS UCXX, default": Look("#94c973", "v", "-.", "xx"),
    "asyncio streams": Look("#d95f02", "D", "-", "\\\\\\\\"),
    "uvloop streams": Look("#e6ab02", "<", "-.", "\\\\"),
    "Tornado streams": Look("#b07d2b", ">", ":", "oo"),
    "sockets": Look("#7a7a7a", "d", "-.", "++"),
    "limit": Look("#9a9a9a", "D", ":", "...."),
    "ucx": Look("#0b4f6c", "o", "-"),  # Dask's protocols
    "ucxx": Look("#0b4f6c", "o", "-"),
    "ucx-local": Look("#1b7fb5", "o", "-"),
    "ucx-ib": Look("#3c7d3c", "s", "-.", "...."),
    "ucx-nvlink": Look("#4c8c2b", "^", "-.", "xxxx"),
    "ucx-tcp": Look("#1b7fb5", "s", "--", "////"),
    "tcp": Look("#d95f02", "D", "-", "\\\\\\\\"),
}
# For names that LOOKS does not have.
OTHERS = (
    Look("#0b6e99", "o", "-"),
    Look("#d9822b", "s", "--", "////"),
    Look("#3c7d3c", "^", "-.", "\\\\\\\\"),
    Look("#8e3b8e", "D", ":", "xxxx"),
    Look("#a83232", "v", "-", "...."),
    Look("#5b5b5b", "x", "--", "++++"),
)


@contextlib.contextmanager
def style() -> Iterator[None]:
    """Draw in this style, within `with` or as a decorator."""
    import matplotlib

    with matplotlib.rc_context(_STYLE):
        yield


def looks_of(names: Iterable[str]) -> dict[str, Look]:
    """Return the look of each name; names without one of their own get different ones."""
    others = itertools.cycle(OTHERS)
    return {name: LOOKS[name] if name in LOOKS else next(others) for name in names}


def latency_and_bandwidth(latency: Axes, sizes: Iterable[int], bandwidth: Axes, large: Iterable[int]) -> None:
    """Give the two panels of a ping-pong their titles and axes: over all sizes, and over large ones."""
    for axes, known, words, text in (
        (latency, sizes, "Half a round trip: less is better", time_text),
        (bandwidth, large, "Bandwidth: more is better", rate_text),
    ):
        axes.set_title(words)
        by_size(axes, known)
        logarithmic(axes.yaxis, text)


def panels(columns: int, rows: int = 1, height: float = 3.4) -> tuple[Figure, list[Axes]]:
    """Return a figure of the width of a page, and its panels from left to right."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    return figure, list(figure.subplots(rows, columns, squeeze=False).flat)


def extremes(values: Sequence[float]) -> tuple[float, float]:
    """Return the least and the largest."""
    return min(values), max(values)


def quartiles(values: Sequence[float]) -> tuple[float, float]:
    """Return what a quarter is below, and what a quarter is above."""
    if len(values) == 1:
        return values[0], values[0]
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, high


def curve(axes: Axes, name: str, points: Mapping[int, Sequence[float]], look: Look | None = None,
          band: Callable[[Sequence[float]], tuple[float, float]] = extremes) -> None:
    """Draw the medians of what was measured at each place, and a band: from the least to the most, if not told otherwise."""
    if not points:
        return
    look = look or looks_of([name])[name]
    middle = [statistics.median(values) for values in points.values()]
    axes.plot(list(points), middle, color=look.colour, marker=look.marker, linestyle=look.line,
              linewidth=2 if name.startswith(("UCXX", "ucxx")) else None, label=name, zorder=3)
    if any(len(values) > 1 for values in points.values()):
        low, high = zip(*map(band, points.values()), strict=True)
        axes.fill_between(list(points), low, high, color=look.colour, alpha=0.13, linewidth=0)


def bars(axes: Axes, name: str, places: Sequence[float], values: Sequence[float], height: float,
         texts: Sequence[str] = ()) -> None:
    """Draw horizontal bars of one program, each with its text behind it."""
    look = looks_of([name])[name]
    drawn = axes.barh(places, values, height, color=look.colour if not look.hatch else "white",
                      edgecolor=look.colour, hatch=look.hatch, linewidth=0.8, label=name)
    if texts:
        axes.bar_label(drawn, texts, padding=3, color="0.25")


def grouped_bars(axes: Axes, rows: Mapping[str, Mapping[str, float]], text: Callable[[float], str]) -> None:
    """Draw rows from top to bottom by their titles, in each a bar for each program that has one, in the order of LOOKS.

    Args:
        rows: values by title and program.
        text: what stands behind a bar of that value.
    """
    used = {name: None for values in rows.values() for name in values}
    names = sorted(used, key=lambda name: list(LOOKS).index(name) if name in LOOKS else len(LOOKS))
    height = 0.82 / len(names)
    for number, name in enumerate(names):
        found = [(row, values[name]) for row, values in enumerate(rows.values()) if name in values]
        places = [row - 0.41 + height * (number + 0.5) for row, _ in found]
        bars(axes, name, places, [value for _, value in found], height * 0.9, [text(value) for _, value in found])
    axes.set_yticks(range(len(rows)), list(rows))
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.grid(False, axis="y")


def by_size(axes: Axes, sizes: Iterable[int], label: str = "bytes of a message (K = 1024)") -> None:
    """Let the axis below be one of bytes, on which at most nine sizes have their names."""
    from matplotlib import ticker

    named: list[int] = []
    known = sorted(set(sizes))
    for size in known:
        if not named or size / named[-1] >= (known[-1] / known[0]) ** 0.12:
            named.append(size)
    if named and known[-1] not in named:
        named[-1] = known[-1]  # the ends have their names
    axes.set_xscale("log", base=2)
    axes.set_xlabel(label)
    axes.xaxis.set_major_locator(ticker.FixedLocator(named))
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda size, _: size_text(int(size))))


def logarithmic(axis: Axis, text: Callable[[float], str]) -> None:
    """Let an axis be logarithmic, after all is drawn; `text` of each power of ten, of more where these are few."""
    from matplotlib import ticker

    (axis.axes.set_xscale if axis is axis.axes.xaxis else axis.axes.set_yscale)("log")
    low, high = axis.get_view_interval()
    axis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5) if high < 300 * low else (1,)))
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: text(value)))
    axis.set_minor_locator(ticker.NullLocator())


def time_text(us: float) -> str:
    """Return '10 ms' for 10000, and '200 ns' for 0.2."""
    for unit, name in ((1e6, "s"), (1e3, "ms"), (1, "us")):
        if us >= unit * 0.9995:
            return f"{us / unit:.3g} {name}"
    return f"{us * 1e3:.3g} ns"


def rate_text(gb_per_s: float) -> str:
    """Return '10 MB/s' for 0.01; a megabyte is 1e6 bytes."""
    for unit, name in ((1, "GB/s"), (1e-3, "MB/s")):
        if gb_per_s >= unit * 0.9995:
            return f"{gb_per_s / unit:.3g} {name}"
    return f"{gb_per_s * 1e6:.3g} kB/s"


def legend(figure: Figure, columns: int = 4) -> None:
    """Name below all panels what is drawn in any of them."""
    handles: dict[str, Any] = {}
    for axes in figure.axes:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            handles.setdefault(label, handle)
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=min(columns, len(handles)))


def title(figure: Figure, text: str) -> None:
    """Say above all panels what the picture shows, in as many lines as that takes."""
    figure.suptitle(textwrap.fill(text, 92), x=0.01, ha="left")


def save(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Write a picture, whose suffix tells the format, and what it shows as JSON in its metadata."""
    said = json.dumps(data_of(figure), separators=(",", ":"))
    notes = {".svg": {"Description": said, "Date": None}, ".png": {"Description": said, "Software": None},
             ".pdf": {"Subject": said, "CreationDate": None}}
    figure.savefig(path, metadata=notes.get(pathlib.Path(path).suffix))


def data_of(figure: Figure) -> dict[str, Any]:
    """Return what a picture shows: all words, and of each panel the points of curves, bands and bars."""
    from matplotlib.text import Text

    figure.draw_without_rendering()  # names the ticks
    words = [text.get_text() for text in figure.findobj(Text) if isinstance(text, Text) and text.get_text()]
    panels = [{"curves": dict(_curves(axes)), "bands": list(_bands(axes)), "bars": dict(_bars(axes))} for axes in figure.axes]
    return {"words": words, "panels": panels}


def _rounded(values: Any) -> list[float]:
    return [int(value) if value == int(value) else float(f"{float(value):.4g}") for value in values]


def _curves(axes: Axes) -> Iterator[tuple[str, list[list[float]]]]:
    from matplotlib.container import ErrorbarContainer

    named = [(str(container.get_label()), container.lines[0]) for container in axes.containers
             if isinstance(container, ErrorbarContainer)]
    named += [(str(line.get_label()), line) for line in axes.lines]
    for name, line in named:
        if not name.startswith("_"):
            yield name, [_rounded(line.get_xdata()), _rounded(line.get_ydata())]


def _bands(axes: Axes) -> Iterator[list[list[float]]]:
    from matplotlib.collections import LineCollection, PolyCollection

    for spread in axes.collections:  # of fill_between and errorbar
        if isinstance(spread, (PolyCollection, LineCollection)) and str(spread.get_label()).startswith("_"):
            yield [_rounded(path.get_extents().extents) for path in spread.get_paths()]


def _bars(axes: Axes) -> Iterator[tuple[str, list[list[float]]]]:
    from matplotlib.collections import PolyCollection
    from matplotlib.container import BarContainer

    for container in axes.containers:
        if isinstance(container, BarContainer):
            yield str(container.get_label()), [_rounded((bar.get_x(), bar.get_y(), bar.get_width(), bar.get_height()))
                                               for bar in container]
    for spans in axes.collections:  # of broken_barh
        if isinstance(spans, PolyCollection) and not str(spans.get_label()).startswith("_"):
            yield str(spans.get_label()), [_rounded(path.get_extents().extents) for path in spans.get_paths()]
