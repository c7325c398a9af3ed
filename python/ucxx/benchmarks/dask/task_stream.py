# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Draws when each worker computed and received, before and after, on one axis of time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import os

    from matplotlib.axes import Axes

    from ucxx.benchmarks.dask.streams import Stream

# Colours that the colour-blind can tell apart.
_COMPUTING, _RECEIVING = "#1b9aaa", "#d95f02"


def draw(
    streams: dict[str, dict[str, Stream]], report: dict[str, Any], path: str | os.PathLike[str]
) -> None:
    """Draw streams, by title and by protocol, into a file, whose suffix tells the format.

    Raises:
        ImportError: matplotlib is not installed. OSError, ValueError: for a bad path.
    """
    from matplotlib.figure import Figure

    # What it is compared with is above: before.
    panels = [(title, name, found[name]) for title, found in streams.items() for name in reversed(found)]
    figure = Figure(figsize=(11, 0.9 + 1.35 * len(panels)), layout="constrained")
    longest = {title: max(one.seconds for one in found.values()) for title, found in streams.items()}
    column = figure.subplots(len(panels), squeeze=False)[:, 0]
    for axes, (title, name, stream) in zip(column, panels, strict=True):
        _panel(axes, stream)
        axes.set_xlim(0, longest[title] * 1.01)
        axes.set_title(f"{title}, {name}: {stream.seconds:.3g} s", fontsize=10.5, loc="left")
    axes.set_xlabel("seconds")
    figure.legend(*axes.get_legend_handles_labels(), frameon=False, loc="outside upper right", ncols=2)
    figure.suptitle(_title(report), fontsize=11, x=0.01, ha="left")
    figure.savefig(path, dpi=130)


def _panel(axes: Axes, stream: Stream) -> None:
    for number, (computing, receiving) in enumerate(zip(stream.computing, stream.receiving, strict=True)):
        is_first = number == 0
        _bars(axes, computing, number - 0.4, _COMPUTING, "computes" if is_first else None)
        _bars(axes, receiving, number, _RECEIVING, "receives" if is_first else None)
    axes.set_yticks(range(len(stream.computing)), [f"worker {n + 1}" for n in range(len(stream.computing))])
    axes.invert_yaxis()
    axes.spines[["top", "right"]].set_visible(False)


def _bars(axes: Axes, spans: list[tuple[float, float]], low: float, color: str, label: str | None) -> None:
    widths = [(start, stop - start) for start, stop in spans]
    axes.broken_barh(widths, (low, 0.38), facecolor=color, edgecolor="white", linewidth=0.1, label=label)


def _title(report: dict[str, Any]) -> str:
    workers, runs = report["settings"]["workers"], report["settings"]["runs"]
    ucx = report["ucx"]["version"]
    return f"{workers} workers of one thread, a run of median length of {runs}; UCX {ucx}"
