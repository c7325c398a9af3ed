# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""How links are drawn: two links are two strokes beside each other, so that widths differ without colours, too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ucxx.topology import wording
from ucxx.topology.machine import Link

LINK = "#d95f02"
GPU = "#0b4f6c"
CARD = "#f6dfa4"
CORE = "0.72"
PACKAGE = "0.945"
NODE = "0.985"
EDGE = "0.45"
_STROKES = {1: 1.5, 2: 1.5, 3: 1.2, 4: 1.0}  # points, by how many are beside each other


class Stroke(NamedTuple):
    """One layer of a line: how thick (points), which colour, which dashes."""

    width: float
    colour: str = LINK
    dashes: str = "-"


Look = tuple[Stroke, ...]


def of(links: Sequence[Link]) -> dict[str, Look]:
    """Return the layers of the line of each link, the lowest first, by the links' names.

    Args:
        links: one of each name, the narrow ones first.
    """
    looks = {}
    wide = plain = 0
    many = sum(link.width is None for link in links) > 1
    for link in links:
        if link.width is None:
            looks[wording.link(link)] = _by_rank(plain, many)
            plain += 1
        elif link.width in _STROKES:
            looks[wording.link(link)] = _strokes(link.width)
        else:
            looks[wording.link(link)] = _thick(wide)
            wide += 1
    return looks


def _strokes(number: int) -> Look:
    """Return so many strokes: thinner and thinner layers, in turn of the colour and white."""
    widths = range(2 * number - 1, 0, -2)
    return tuple(Stroke(width * _STROKES[number], "white" if layer % 2 else LINK) for layer, width in enumerate(widths))


def _thick(rank: int) -> Look:
    """Return a line of more links than can be drawn beside each other; every other one is hollow."""
    outside = Stroke(5.5 + 1.5 * rank)
    return (outside, Stroke(outside.width / 2, "white")) if rank % 2 else (outside,)


def _by_rank(rank: int, many: bool) -> Look:
    """Return a line of links whose width is not known: thicker where there is more bandwidth."""
    if not many:
        return (Stroke(2.4),)
    return (Stroke(1.5 * (1 + rank), LINK, ("--", "-", "-.", ":")[rank % 4]),)
