# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Draws how many times faster one protocol is than another, a bar for each row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import os


def draw(report: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """Draw a report into a file, whose suffix tells the format.

    Raises:
        ImportError: matplotlib is not installed. OSError, ValueError: for a bad path.
    """
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    name, other = report["settings"]["protocol"], report["settings"]["compare"]
    rows = [row for row in report["results"] if row["protocol"] == name and row["times_faster"]]
    figure = Figure(figsize=(10, 1.3 + 0.34 * len(rows)), layout="constrained")
    axes = figure.subplots()
    values = [row["times_faster"] for row in rows]
    bars = axes.barh([row["what"] for row in rows], [value - 1 for value in values], left=1, color="#0b4f6c")
    labels = [f"{row['times_faster']:.2g} x  ({row['median']:.3g} {row['unit']})" for row in rows]
    axes.bar_label(bars, labels, padding=4, fontsize=9)
    axes.axvline(1, color="0.3", linewidth=1)
    axes.invert_yaxis()
    axes.set_xscale("log", base=2)
    axes.set_xlim(min(0.5, *values) * 0.9, max(2, *values) * 2.5)
    axes.xaxis.set_major_locator(LogLocator(base=2))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.spines[["top", "right"]].set_visible(False)
    title = f"{name}:// beside {other}://: times faster, medians of {report['settings']['runs']} runs"
    axes.set_title(title, fontsize=11, loc="left")
    figure.savefig(path, dpi=130)
