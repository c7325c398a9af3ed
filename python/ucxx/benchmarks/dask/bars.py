# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Draws how many times faster one protocol is than another, a bar for each row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ucxx.benchmarks import drawing
from ucxx.benchmarks.dask.figures import names_of, of_runs

if TYPE_CHECKING:
    import os


@drawing.style()
def draw(report: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """Draw a report into a file, whose suffix tells the format.

    Raises:
        ImportError: matplotlib is not installed. OSError, ValueError: for a bad path. ValueError: nothing was compared.
    """
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    names = names_of(report["results"])
    name, other = names[0], names[-1]
    rows = [row for row in report["results"] if row["protocol"] == name and row["times_faster"]]
    if not rows:
        raise ValueError("nothing is drawn, since nothing was compared: name two protocols that differ")
    compared = {row["what"]: row for row in report["results"] if row["protocol"] == other}
    figure, (axes,) = drawing.panels(1, height=1.0 + 0.27 * len(rows))
    values = [row["times_faster"] for row in rows]
    # What is slower is hatched: it is seen in black and white as well.
    for is_faster, hatch in ((True, ""), (False, "////")):
        places = [place for place, value in enumerate(values) if (value >= 1) == is_faster]
        axes.barh(places, [values[place] - 1 for place in places], 0.75, left=1,
                  color="#0b4f6c" if is_faster else "white", edgecolor="#0b4f6c", hatch=hatch,
                  label=f"{name} is faster" if is_faster else f"{name} is slower")
    for place, one in enumerate(rows):
        axes.annotate(_text(one, compared.get(one["what"])), (max(1, values[place]), place), (4, 0), va="center",
                      textcoords="offset points")
    axes.axvline(1, color="0.3", linewidth=1)
    axes.set_yticks(range(len(rows)), [row["what"] for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.grid(False, axis="y")
    axes.set_xscale("log", base=2)
    axes.set_xlim(min(0.7, *values) * 0.9, max(2, *values) * 4)
    axes.xaxis.set_major_locator(LogLocator(base=2))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.set_xlabel(f"times faster than {other}")
    runs = of_runs(report["settings"]["runs"])
    drawing.legend(figure)
    drawing.title(figure, f"Dask over {name} and {other} in turn: {runs}; in brackets both values")
    drawing.save(figure, path)


def _text(row: dict[str, Any], other: dict[str, Any] | None) -> str:
    beside = f", {_short(other['median'])}" if other else ""
    return f"{_short(row['times_faster'])} ({_short(row['median'])}{beside} {row['unit']})"


def _short(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
