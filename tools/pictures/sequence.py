# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Draws the way of one send that waits for a condition: three who act, and the words between them."""

from __future__ import annotations

import pathlib
from typing import TYPE_CHECKING

from ucxx.benchmarks import drawing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POST, TRIGGER, LOOP = 12, 50, 88  # places from left to right
WORD, NOTE, ACTOR = "#cfe3f5", "#f4ecd8", "#e8edf2"


def box(axes: Axes, x: float, y: float, text: str, colour: str) -> None:
    """Write text into a box."""
    axes.text(x, y, text, ha="center", va="center", linespacing=1.35,
              bbox={"boxstyle": "round,pad=0.45", "facecolor": colour, "edgecolor": "0.35", "linewidth": 0.8})


def arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Lead from one place to another."""
    axes.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": "0.2", "linewidth": 1.1,
                                              "shrinkA": 0, "shrinkB": 0})


@drawing.style()
def draw(path: pathlib.Path) -> None:
    """Write the picture."""
    figure, (axes,) = drawing.panels(1, height=4.0)
    axes.set_axis_off()
    axes.set_xlim(0, 100)
    axes.set_ylim(0, 100)
    for x in (POST, TRIGGER, LOOP):
        axes.plot([x, x], [12, 88], color="0.75", linestyle=":", linewidth=1)
    box(axes, POST, 94, "the thread that posts\nhas the request", ACTOR)
    box(axes, TRIGGER, 94, "who triggers: a thread,\na stream, a graph, a kernel", ACTOR)
    box(axes, LOOP, 94, "the worker's loop\nmoves the bytes", ACTOR)

    arrow(axes, (POST, 79), (LOOP, 79))
    axes.text(POST + 2, 81, "1  post: checked, then armed")
    box(axes, LOOP, 70, "armed: it has no order yet,\nno flush waits for it", NOTE)
    axes.text(POST + 2, 68, "The thread goes on,\nthe buffer is filled meanwhile.", color="0.3", va="center")

    arrow(axes, (TRIGGER, 50), (LOOP, 50))
    axes.text(TRIGGER + 1.5, 52, "2  trigger")
    box(axes, (TRIGGER + LOOP) / 2 + 3, 50, "trigger word: 0 to 1", WORD)
    box(axes, LOOP, 37, "3  starts as if posted now:\nself, shared memory, UCX", NOTE)

    arrow(axes, (LOOP, 22), (POST, 22))
    box(axes, (TRIGGER + LOOP) / 2 + 3, 22, "status: OK, then\ndone word: 0 to 1", WORD)
    axes.text(POST + 2, 24, "4  a wait, or a stream,\nsees 1: the send has ended")
    axes.text(50, 3, "Blue: the words of the condition. Each has one writer. Trigger and done only grow (but for graphs).",
              ha="center", color="0.3")
    drawing.save(figure, path)
