# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Draws latency and bandwidth of a sweep."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ucxx.benchmarks.units import size_text, time_text

if TYPE_CHECKING:
    import os

    from matplotlib.axes import Axes

# Colours that the colour-blind can tell apart, and ours the darkest.
_STYLES = {
    "ucxx-async": ("#0b4f6c", "o", 2.2),
    "ucxx-core": ("#1b9aaa", "s", 1.6),
    "ucxx-c++": ("#3a3a3a", "x", 1.6),
    "asyncio": ("#d95f02", "^", 1.3),
    "uvloop": ("#e6ab02", "v", 1.3),
    "tornado": ("#4c8c2b", "<", 1.3),
    "sockets": ("#7a7a7a", "D", 1.3),
    "mpi4py": ("#a6369c", "P", 1.3),
}


def draw(report: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """Draw the report of a sweep into a file, whose suffix tells the format.

    Raises:
        ImportError: matplotlib is not installed. OSError, ValueError: for a bad path.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 5.2), layout="constrained")
    latency, bandwidth = figure.subplots(1, 2)
    for name in dict.fromkeys(row["backend"] for row in report["results"]):
        rows = [row for row in report["results"] if row["backend"] == name]
        _line(latency, name, rows, lambda row: row["half_round_trip_us"]["p50"])
        _line(bandwidth, name, rows, lambda row: row["gb_per_s"])
    _axes(latency, "Half round trip, median", lambda us, _: time_text(us))
    _axes(bandwidth, "Bandwidth of the ping-pong, median", _rate_text)
    latency.legend(frameon=False, loc="upper left")
    figure.suptitle(_title(report), fontsize=11)
    figure.savefig(path, dpi=130)


def _line(
    axes: Axes,
    name: str,
    rows: list[dict[str, Any]],
    value: Callable[[dict[str, Any]], float],
) -> None:
    colour, marker, width = _STYLES[name]
    axes.plot(
        [row["size"] * row["buffers"] for row in rows],
        [value(row) for row in rows],
        color=colour,
        marker=marker,
        markersize=4.5,
        linewidth=width,
        linestyle="--" if name == "ucxx-core" else "-",  # often the same curve
        label=name,
    )


def _axes(axes: Axes, title: str, unit: Callable[[float, int | None], str]) -> None:
    from matplotlib import ticker

    axes.set_title(title, fontsize=10.5, loc="left")
    axes.set_xlabel("bytes of a message")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.xaxis.set_major_locator(ticker.LogLocator(base=16, numticks=20))
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda size, _: size_text(int(size))))
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(unit))
    axes.grid(True, color="0.9", linewidth=0.7)
    axes.spines[["top", "right"]].set_visible(False)


def _rate_text(gb_per_s: float, _: int | None = None) -> str:
    """Return '10 MB/s' for 0.01; a megabyte is 1e6 bytes."""
    for unit, name in ((1, "GB/s"), (1e-3, "MB/s")):
        if gb_per_s >= unit * 0.999:
            return f"{gb_per_s / unit:g} {name}"
    return f"{gb_per_s * 1e6:g} kB/s"


def _title(report: dict[str, Any]) -> str:
    used, settings = report["ucx"], report["settings"]
    buffers = f", {settings['buffers']} buffers" if settings["buffers"] > 1 else ""
    mode = settings["progress_mode"]
    pin = settings["pin"]
    first, second = ("any" if number is None else number for number in pin or (None, None))
    where = "not pinned" if pin is None else f"on processors {first} and {second}"
    return (
        f"Messages between two processes, {where}; UCX {used['version']}, "
        f"progress mode {mode}{buffers}"
    )
