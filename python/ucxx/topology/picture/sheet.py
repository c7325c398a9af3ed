# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What is drawn of a machine, and where: boxes and words on a sheet as wide as a page, in inches."""

from __future__ import annotations

import dataclasses
import functools
from typing import NamedTuple

from ucxx.benchmarks.drawing import LEAST_FONT
from ucxx.topology import wording
from ucxx.topology.picture.boxes import Box

LINE = 0.175  # from one line of words to the next
MARGIN = 0.1
PAD = 0.13  # between a frame and what it holds
BAND = 0.07  # around devices that share a switch
GPU = (0.76, 0.44)
CARD_HEIGHT = 0.44


class Word(NamedTuple):
    """A line of words by its upper left corner."""

    x: float
    y: float
    text: str
    is_bold: bool = False


@dataclasses.dataclass
class Sheet:
    """Everything that is drawn, but for links and legend."""

    packages: list[Box] = dataclasses.field(default_factory=list)
    nodes: list[Box] = dataclasses.field(default_factory=list)
    switches: list[Box] = dataclasses.field(default_factory=list)
    cores: list[Box] = dataclasses.field(default_factory=list)
    words: list[Word] = dataclasses.field(default_factory=list)
    gpus: dict[int, Box] = dataclasses.field(default_factory=dict)
    cards: dict[str, Box] = dataclasses.field(default_factory=dict)
    bar: Box | None = None
    middle: float = 0.0  # between the columns
    bottom: float = 0.0


@dataclasses.dataclass(frozen=True)
class Half:
    """A column of the sheet. Cards are at its outer side: the left one, or the right one where it is mirrored."""

    x: float
    width: float
    is_mirrored: bool = False

    @property
    def right(self) -> float:
        """Return where it ends on the right."""
        return self.x + self.width

    def box(self, offset: float, y: float, width: float, height: float) -> Box:
        """Return a box at an offset from the outer side."""
        return Box(self.x + (self.width - offset - width if self.is_mirrored else offset), y, width, height)

    def inside(self, by: float) -> Half:
        """Return the column within a frame."""
        return dataclasses.replace(self, x=self.x + by, width=self.width - 2 * by)


@functools.lru_cache(maxsize=1024)
def width_of(text: str, is_bold: bool = False) -> float:
    """Return how wide a text is in the least font, in inches."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextToPath

    font = FontProperties(size=LEAST_FONT, weight="bold" if is_bold else "normal")
    points: float = TextToPath().get_text_width_height_descent(text, font, ismath=False)[0]
    return points / 72


def plain(text: str) -> str:
    """Return a text in letters that each font has."""
    return wording.clean(text).encode("ascii", "replace").decode()


def cut(text: str, width: float) -> str:
    """Return a text that is no wider than that: an end that has no room is three dots."""
    text = plain(text)
    if width_of(text) <= width:
        return text
    while text and width_of(f"{text}...") > width:
        text = text[:-1]
    return f"{text}..."


def cut_inside(text: str, width: float) -> str:
    """Return a name that is no wider than that: its end, which tells it from others, stays."""
    text = plain(text)
    if width_of(text) <= width:
        return text
    first, last = text[:3], text[3:]
    while last and width_of(f"{first}...{last}") > width:
        last = last[1:]
    return f"{first}...{last}"
