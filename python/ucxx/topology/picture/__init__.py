# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Draws a machine: packages apart, GPUs with their links, cards beside their GPUs.

`places` and `groups` tell what stands together, `layout` where, in inches, `lines` how links go; this module draws it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ucxx.benchmarks import drawing
from ucxx.topology import neighbours, wording
from ucxx.topology.machine import Machine
from ucxx.topology.picture import headers, layout, legend, lines, looks
from ucxx.topology.picture.shape import words_of
from ucxx.topology.picture.sheet import LINE, MARGIN, Sheet, Word, plain

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ucxx.topology.machine import Link
    from ucxx.topology.picture.boxes import Box
    from ucxx.topology.picture.curves import Line


@drawing.style()
def draw(machine: Machine) -> Figure:
    """Return the picture of a machine, as wide as a page of the documents.

    Raises:
        ImportError: matplotlib is not installed.
    """
    words, top = _title(machine)
    sheet = layout.lay_out(machine, top)
    entries, bottom = legend.entries(machine, sheet, sheet.bottom)
    figure, axes = _paper(bottom + MARGIN / 2)
    _frames(axes, sheet)
    look_of = looks.of(neighbours.links_by_order(machine))
    _links(axes, machine, sheet, look_of)
    _devices(axes, machine, sheet)
    for word in words:
        _word(axes, word, "none")
    for word in sheet.words:
        _word(axes, word, looks.NODE if any(box.has((word.x, word.y)) for box in sheet.nodes) else looks.PACKAGE)
    for entry in entries:
        _entry(axes, entry, look_of)
    return figure


@drawing.style()
def save(machine: Machine, path: str | os.PathLike[str]) -> None:
    """Draw a machine into a file, whose suffix tells the format.

    Raises:
        ImportError: matplotlib is not installed. OSError, ValueError: for a bad path.
    """
    drawing.save(draw(machine), path)


def _title(machine: Machine) -> tuple[list[Word], float]:
    """Return the lines above the picture, and where they end."""
    words = [Word(MARGIN, MARGIN, headers.wrapped(wording.title(machine), 0.9 * _width())[0], is_bold=True)]
    y = MARGIN + LINE
    for line in headers.wrapped(wording.summary(machine), _width()):
        words.append(Word(MARGIN, y, line))
        y += LINE
    return words, y + 0.1


def _width() -> float:
    return drawing.WIDTH - 2 * MARGIN


def _paper(height: float) -> tuple[Figure, Axes]:
    """Return a figure and its only panel, whose units are inches from the upper left corner."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(drawing.WIDTH, height))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(0, drawing.WIDTH)
    axes.set_ylim(height, 0)
    return figure, axes


def _frames(axes: Axes, sheet: Sheet) -> None:
    for box in sheet.packages:
        _box(axes, box, 0.09, facecolor=looks.PACKAGE, edgecolor=looks.EDGE, linewidth=0.9, zorder=0)
    for box in sheet.nodes:
        _box(axes, box, 0.06, facecolor=looks.NODE, edgecolor="0.7", linewidth=0.7, zorder=0.5)
    for box in sheet.switches:
        _switch(axes, box)
    _squares(axes, sheet.cores)


def _squares(axes: Axes, boxes: Sequence[Box]) -> None:
    """Draw cores, all as one: there may be thousands."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    squares = [Rectangle((box.x, box.y), box.width, box.height) for box in boxes]
    axes.add_collection(PatchCollection(squares, facecolor=looks.CORE, edgecolor="none", zorder=1))


def _switch(axes: Axes, box: Box) -> None:
    _box(axes, box, 0.08, facecolor="white", edgecolor="0.62", linewidth=0.8, zorder=1)


def _links(axes: Axes, machine: Machine, sheet: Sheet, look_of: dict[str, looks.Look]) -> None:
    if sheet.bar is not None:
        link = neighbours.link_of_all(machine)
        assert link is not None
        name = wording.link(link)
        for index, line in lines.to_bar(sheet).items():
            _line(axes, line, look_of[name], f"GPU{index}: {name} to all")
        _bar(axes, sheet.bar, link)
        return
    for (one, other), line in lines.links(sheet, list(machine.links)).items():
        name = wording.link(machine.links[one, other])
        _line(axes, line, look_of[name], f"GPU{one} GPU{other}: {name}")


def _line(axes: Axes, line: Line, look: looks.Look, label: str) -> None:
    xs, ys = zip(*line, strict=True)
    for number, stroke in enumerate(look):
        axes.plot(xs, ys, color=stroke.colour, linewidth=stroke.width, linestyle=stroke.dashes, zorder=3,
                  solid_capstyle="butt", solid_joinstyle="round", label="_" if number else label)  # fmt: skip


def _bar(axes: Axes, bar: Box, link: Link) -> None:
    _box(axes, bar, 0.06, facecolor="white", edgecolor=looks.LINK, linewidth=1.6, zorder=4)
    text = f"{plain(link.kind)} between all GPUs"
    axes.text(*bar.middle, text, rotation=90, ha="center", va="center", zorder=6)


def _devices(axes: Axes, machine: Machine, sheet: Sheet) -> None:
    for gpu in machine.gpus:
        box = sheet.gpus[gpu.index]
        _box(axes, box, 0.05, facecolor=looks.GPU, edgecolor="none", zorder=5)
        axes.text(*box.middle, gpu.name, color="white", weight="bold", ha="center", va="center_baseline", zorder=6)
    for card in machine.cards:
        box = sheet.cards[card.ucx_name]
        is_down = card.is_up is False
        _box(axes, box, 0.05, facecolor="white" if is_down else looks.CARD, edgecolor="0.35", linewidth=0.8,
             linestyle="--" if is_down else "-", zorder=5)  # fmt: skip
        name, second = words_of(card, box.width)
        text, align = (f"{name}\n{second}", "center") if second else (name, "center_baseline")
        axes.text(*box.middle, text, ha="center", va=align, linespacing=1.05, zorder=6, parse_math=False)


def _word(axes: Axes, word: Word, ground: str) -> None:
    """Draw words upon their ground: lines that pass below them are interrupted."""
    axes.text(word.x, word.y, word.text, weight="bold" if word.is_bold else "normal", va="top", zorder=4,
              parse_math=False, bbox={"facecolor": ground, "edgecolor": "none", "pad": 0.6})  # fmt: skip


def _entry(axes: Axes, entry: legend.Entry, look_of: dict[str, looks.Look]) -> None:
    sample = entry.sample
    y = sample.middle[1]
    if entry.link is not None:
        _line(axes, ((sample.x, y), (sample.right, y)), look_of[wording.link(entry.link)], "_")
    elif sample.width < sample.height:
        _squares(axes, [sample._replace(y=y - sample.width / 2, height=sample.width)])
    else:
        _switch(axes, sample)
    axes.text(sample.right + 0.08, y, entry.text, va="center_baseline", parse_math=False)


def _box(axes: Axes, box: Box, radius: float, **look: Any) -> None:
    from matplotlib.patches import FancyBboxPatch

    axes.add_patch(FancyBboxPatch((box.x, box.y), box.width, box.height,
                                  boxstyle=f"round,pad=0,rounding_size={radius}", **look))  # fmt: skip
