# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Draws when each worker computed and received, before and after, on one axis of time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ucxx.benchmarks import drawing

if TYPE_CHECKING:
    import os

    from matplotlib.axes import Axes

    _Stream = dict[str, Any]  # of ucxx.benchmarks.dask.streams.Stream.json

# Communication is red, and darker: it is seen in black and white as well.
_COMPUTING, _RECEIVING = "#8fcbe6", "#b30000"


@drawing.style()
def draw(report: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """Draw the streams of a report into a file, whose suffix tells the format.

    Raises:
        ImportError: matplotlib is not installed. OSError, ValueError: for a bad path.
    """
    streams: dict[str, dict[str, _Stream]] = report["streams"]
    # What it is compared with is above: before.
    panels = [(title, name, found[name]) for title, found in streams.items() for name in reversed(found)]
    figure, column = drawing.panels(1, len(panels), height=0.8 + 0.95 * len(panels))
    longest = {title: max(one["seconds"] for one in found.values()) for title, found in streams.items()}
    for axes, (title, name, stream) in zip(column, panels, strict=True):
        _panel(axes, stream)
        axes.set_xlim(0, longest[title] * 1.01)
        axes.set_title(f"{title}, {name}: {stream['seconds']:.3g} s")
    axes.set_xlabel("seconds")
    drawing.legend(figure)
    drawing.title(figure, _title(report))
    drawing.save(figure, path)


def _panel(axes: Axes, stream: _Stream) -> None:
    for number, name in enumerate(stream["computing"]):
        is_first = number == 0
        _bars(axes, stream["computing"][name], number - 0.4, _COMPUTING, "computes" if is_first else None)
        _bars(axes, stream["receiving"][name], number, _RECEIVING, "receives" if is_first else None)
    axes.set_yticks(range(len(stream["computing"])), list(stream["computing"]))
    axes.invert_yaxis()
    axes.grid(False)


def _bars(axes: Axes, spans: list[tuple[float, float]], low: float, color: str, label: str | None) -> None:
    widths = [(start, stop - start) for start, stop in spans]
    axes.broken_barh(widths, (low, 0.38), facecolor=color, edgecolor="white", linewidth=0.1, label=label)


def _title(report: dict[str, Any]) -> str:
    workers, runs = report["settings"]["workers"], report["settings"]["runs"]
    ucx = report["ucx"]["version"]
    run = "one run" if runs == 1 else f"the run of median length of {runs}"
    return f"What {workers} workers of one thread do, in {run}; UCX {ucx}"
