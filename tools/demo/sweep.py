# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Draws what `ucxx-perftest --json` measured over a sweep of sizes: ./dev plot.

usage: sweep.py OUT.png SWEEP.json...

Times of a message on the left (median, to the 99th percentile as a band), GB/s on the right (from
the least to the most of all repetitions). Several files are compared: each curve says which file.
"""

from __future__ import annotations

import json
import pathlib
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import plot  # chooses the backend
from matplotlib import ticker

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Rows = list[dict[str, Any]]

COLORS = ("#0b6e99", "#d9822b", "#3c7d3c", "#8e3b8e", "#a83232", "#5b5b5b")


def curves(paths: Sequence[str]) -> Iterator[tuple[str, dict[str, Any], Rows]]:
    """Yield what each curve is called, and its rows, by file and test."""
    for path in paths:
        try:
            report = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
            if report.get("tool") != "ucxx-perftest":
                raise ValueError("not written by ucxx-perftest --json")
            rows = report["results"]
        except (OSError, ValueError, KeyError, AttributeError) as error:
            raise SystemExit(f"plot: {path}: {error}") from error
        for test in dict.fromkeys(row["test"] for row in rows):
            name = test if len(paths) == 1 else f"{pathlib.Path(path).stem}: {test}"
            yield name, report, [row for row in rows if row["test"] == test]


def latency(axes: Axes, name: str, rows: Rows, color: str) -> None:
    """Draw median times, and as a band up to the 99th percentile."""
    sizes = [row["size"] for row in rows]
    median = [row["ucxx"]["p50_us"]["median"] for row in rows]
    axes.plot(sizes, median, marker="o", markersize=4, linewidth=1.5, color=color, label=name)
    axes.fill_between(sizes, median, [row["ucxx"]["p99_us"]["median"] for row in rows],
                      color=color, alpha=0.15, linewidth=0)


def bandwidth(axes: Axes, name: str, rows: Rows, color: str) -> None:
    """Draw GB/s, and as a band those of the repetitions."""
    sizes = [row["size"] for row in rows]
    middle = [row["ucxx"]["gb_per_s"] for row in rows]
    average = [row["ucxx"]["average_us"] for row in rows]
    axes.plot(sizes, middle, marker="o", markersize=4, linewidth=1.5, color=color, label=name)
    axes.fill_between(sizes,
                      [rate * time["median"] / time["max"] for rate, time in zip(middle, average)],
                      [rate * time["median"] / time["min"] for rate, time in zip(middle, average)],
                      color=color, alpha=0.15, linewidth=0)


def finish(axes: Axes, title: str, unit: Callable[..., str]) -> None:
    """Name the axes."""
    axes.set_title(title, fontsize=11, loc="left")
    axes.set_xlabel("message size (bytes)")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.xaxis.set_major_locator(ticker.LogLocator(base=16, numticks=20))
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(plot.size_text))
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(unit))
    axes.grid(True, color="0.9", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="upper left", fontsize=9)


def draw(paths: Sequence[str], out: str) -> None:
    """Write the picture; a panel without curves is left out."""
    panels: dict[str, list[tuple[str, Rows]]] = {"lat": [], "bw": []}
    reports: list[dict[str, Any]] = []
    for name, report, rows in curves(paths):
        rows = [row for row in rows if row["size"] > 0]  # the axis is logarithmic
        if not rows:
            continue
        reports.append(report)
        panels["bw" if "p50_us" not in rows[0]["ucxx"] else "lat"].append((name, rows))
    panels = {kind: drawn for kind, drawn in panels.items() if drawn}
    if not panels:
        raise SystemExit("plot: no size above 0 was measured")
    figure, axes = plt.subplots(1, len(panels), figsize=(6.2 * len(panels), 4.6), squeeze=False,
                                layout="constrained")
    for panel, (kind, drawn) in zip(axes[0], panels.items()):
        for i, (name, rows) in enumerate(drawn):
            (latency if kind == "lat" else bandwidth)(panel, name, rows, COLORS[i % len(COLORS)])
        if kind == "lat":
            finish(panel, "Time of a message: median, to the 99th percentile", plot.time_text)
        else:
            finish(panel, "Bandwidth, of all threads", plot.rate_text)
    report, options = reports[0], reports[0]["options"]
    threads = f", {options['threads']} threads each" if options["threads"] > 1 else ""
    figure.suptitle(f"UCXX {report['version']} over {report['transports']}, {options['progress']}"
                    f"{threads}; UCX {report['ucx']['version']}", fontsize=10.5)
    figure.savefig(out, dpi=130)
    plt.close(figure)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    draw(sys.argv[2:], sys.argv[1])
