# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Draws the rates of several sets of transports side by side, in GB/s."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ucxx.benchmarks import drawing
from ucxx.benchmarks.dask.figures import RATE, THROUGHPUT, names_of, of_runs

if TYPE_CHECKING:
    import os


@drawing.style()
def draw(report: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """Draw a report into a file, whose suffix tells the format: throughputs, or all rates where it has none.

    Raises:
        ImportError: matplotlib is not installed. OSError, ValueError: for a bad path.
    """
    rates = [row for row in report["results"] if row["unit"] == RATE]
    throughputs = [row for row in rates if row["what"].endswith(THROUGHPUT)]
    rows: dict[str, dict[str, float]] = {}
    for row in throughputs or rates:
        rows.setdefault(row["what"].removesuffix(THROUGHPUT), {})[row["protocol"]] = row["median"]
    names = names_of(report["results"])
    figure, (axes,) = drawing.panels(1, height=1.3 + 0.22 * len(rows) * len(names))
    drawing.grouped_bars(axes, rows, drawing.rate_text)
    axes.set_xlim(0, 1.18 * max(value for values in rows.values() for value in values.values()))
    axes.set_xlabel("GB/s of the input by the wall time: more is better" if throughputs else "GB/s: more is better")
    drawing.legend(figure)
    runs, ucx = of_runs(report["settings"]["runs"]), report["ucx"]["version"]
    sets = names[0] if len(names) == 1 else f"{len(names)} sets of transports in turn"
    drawing.title(figure, f"Dask over {sets}: {runs}; UCX {ucx}")
    drawing.save(figure, path)
