# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Draws how many times faster one protocol is than another, a bar for each row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ucxx.benchmarks import drawing

if TYPE_CHECKING:
    import os


@drawing.style()
def draw(report: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """Draw a report into a file, whose suffix tells the format.

    Raises:
        ImportError: matplotlib is not installed. OSError, ValueError: for a bad path.
    """
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    name, other = report["settings"]["protocol"], report["settings"]["compare"]
    rows = [row for row in report["results"] if row["protocol"] == name and row["times_faster"]]
    compared = {row["what"]: row for row in report["results"] if row["protocol"] == other}
    figure, (axes,) = drawing.panels(1, height=1.0 + 0.27 * len(rows))
    values = [row["times_faster"] for row in rows]
    # What is slower is hatched: it is seen in black and white as well.
    for is_faster, hatch in ((True, ""), (False, "////")):
        places = [place for place, value in enumerate(values) if (value >= 1) == is_faster]
        drawn = axes.barh(places, [values[place] - 1 for place in places], 0.75, left=1,
                          color="#0b4f6c" if is_faster else "white", edgecolor="#0b4f6c", hatch=hatch,
                          label="faster" if is_faster else "slower")
        axes.bar_label(drawn, [_text(rows[place], compared.get(rows[place]["what"])) for place in places], padding=4)
    axes.axvline(1, color="0.3", linewidth=1)
    axes.set_yticks(range(len(rows)), [row["what"] for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.grid(False, axis="y")
    axes.set_xscale("log", base=2)
    axes.set_xlim(min(0.7, *values) * 0.9, max(2, *values) * 6)
    axes.xaxis.set_major_locator(LogLocator(base=2))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.set_xlabel(f"times faster than {other}://")
    runs = report["settings"]["runs"]
    drawing.title(figure, f"{name}:// beside {other}://, medians of {runs} runs; in brackets both values")
    drawing.save(figure, path)


def _text(row: dict[str, Any], other: dict[str, Any] | None) -> str:
    beside = f", {other['median']:.3g}" if other else ""
    return f"{row['times_faster']:.2g} ({row['median']:.3g}{beside} {row['unit']})"
