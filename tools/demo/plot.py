# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Draws what compare.py measured, and helps sweep.py to draw.

usage: plot.py FILE.json FILE.png
"""

from __future__ import annotations

import json
import pathlib
import statistics
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402 (the backend is chosen first)
from matplotlib import ticker  # noqa: E402

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Colour, marker, line: C++ and C dashed, ours blue. They stay apart for the colour-blind.
STYLES = {
    "UCXX, C++": ("#0b4f6c", "o", "--"),
    "UCXX, asyncio": ("#1b7fb5", "o", "-"),
    "UCXX, ucxx.core": ("#5bc0de", "s", ":"),  # often the curve of asyncio
    "ucx_perftest": ("#3a3a3a", "x", "--"),
    "mpi4py": ("#a6369c", "P", "-"),
    "RAPIDS UCXX, polling": ("#4c8c2b", "^", "-"),
    "RAPIDS UCXX, default": ("#94c973", "v", "-"),
    "asyncio streams": ("#d95f02", "D", "-"),
}
OTHER = ("#888888", ".", ":")
LEAST_RATE = 8 << 10  # below, a bandwidth says nothing that the time does not


def size_text(size: float, _: int | None = None) -> str:
    """Return '64K' for 65536."""
    for unit, name in ((1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K")):
        if size >= unit:
            return f"{size / unit:g}{name}"
    return f"{size:g}"


def time_text(us: float, _: int | None = None) -> str:
    """Return '10 ms' for 10000."""
    for unit, name in ((1e6, "s"), (1e3, "ms")):
        if us >= unit:
            return f"{us / unit:g} {name}"
    return f"{us:g} \N{MICRO SIGN}s"


def rate_text(gb_per_second: float, _: int | None = None) -> str:
    """Return '10 MB/s' for 0.01; a megabyte is 1e6 bytes."""
    for unit, name in ((1, "GB/s"), (1e-3, "MB/s")):
        if gb_per_second >= unit * 0.999:
            return f"{gb_per_second / unit:g} {name}"
    return f"{gb_per_second / 1e-6:g} kB/s"


def middle(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the median, the least and the most."""
    return statistics.median(values), min(values), max(values)


def curve(axes: Axes, program: str, points: list[tuple[int, tuple[float, float, float]]]) -> None:
    """Draw one program: the median, and from least to most as a band."""
    if not points:
        return
    color, marker, dashes = STYLES.get(program, OTHER)
    sizes, values = zip(*points)
    center, least, most = zip(*values)
    axes.plot(sizes, center, color=color, marker=marker, linestyle=dashes, markersize=4.5,
              linewidth=2.2 if program.startswith("UCXX") else 1.4, zorder=3, label=program)
    axes.fill_between(sizes, least, most, color=color, alpha=0.13, linewidth=0)


def finish(axes: Axes, sizes: Sequence[int], title: str, unit: Callable[..., str]) -> None:
    """Name the axes of a panel."""
    axes.set_title(title, fontsize=11, loc="left")
    axes.set_xlabel("message size (bytes)")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.xaxis.set_major_locator(ticker.FixedLocator(sizes))
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(size_text))
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(unit))
    axes.grid(True, color="0.9", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def draw(report: dict[str, Any], path: str | pathlib.Path) -> None:
    """Write the picture of what compare.py has measured."""
    figure, panels = plt.subplots(1, 2, figsize=(12, 5.6), squeeze=False, layout="constrained")
    latency, bandwidth = panels[0]
    measured = report["half_round_trip_us"]
    for program in sorted(measured, key=place):
        times = {int(size): us for size, us in measured[program].items()}
        curve(latency, program, [(size, middle(us)) for size, us in times.items()])
        curve(bandwidth, program, [(size, middle([size / one / 1e3 for one in us]))
                                   for size, us in times.items() if size >= LEAST_RATE])
    sizes = sorted({int(size) for times in measured.values() for size in times})
    finish(latency, sizes, "Half a round trip (less is better)", time_text)
    finish(bandwidth, [size for size in sizes if size >= LEAST_RATE], "Bandwidth of the ping-pong (more is better)", rate_text)
    figure.legend(*latency.get_legend_handles_labels(), loc="outside right center", frameon=False)
    first, second = report["processors"]
    figure.suptitle(f"One message to and fro between two processes, on processors {first} and {second}; "
                    f"median of {report['rounds']} runs, bands from least to most", fontsize=10.5)
    figure.savefig(path, dpi=130)
    plt.close(figure)


def place(program: str) -> int:
    """Return where a program stands in the legend: as in STYLES, others behind."""
    known = list(STYLES)
    return known.index(program) if program in known else len(known)


if __name__ == "__main__":
    draw(json.loads(pathlib.Path(sys.argv[1]).read_text()), sys.argv[2])
