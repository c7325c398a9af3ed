# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Words about packages and NUMA nodes on the sheet, and a small square for each core."""

from __future__ import annotations

import math

from ucxx.topology.picture.places import Place
from ucxx.topology.picture.sheet import LINE, Half, Sheet, Word, cut, plain, width_of

_MOST_LINES = 3  # of one fact
_SQUARE = 0.1
_PITCH = 0.135
_LEAST_PITCH = 0.05
_MOST_ROWS = 3


def title(sheet: Sheet, half: Half, text: str, y: float) -> float:
    """Put the name of a package; return where it ends."""
    if not text:
        return y
    _line(sheet, half, cut(text, half.width * 0.9), y, is_bold=True)
    return y + LINE


def words(sheet: Sheet, half: Half, place: Place, y: float) -> float:
    """Put what is known of a place, and its cores; return where they end."""
    for text in place.words:
        for line in wrapped(text, half.width):
            _line(sheet, half, line, y)
            y += LINE
    if place.cores:
        y = _squares(sheet, half, place.cores, y + 0.05)
    return y


def width(place: Place) -> float:
    """Return how wide the words of a place are."""
    return max((width_of(plain(text)) for text in (*place.words, place.package)), default=0.0)


def wrapped(text: str, width: float) -> list[str]:
    """Return a text in lines that are no wider, broken behind blanks and commas; three dots for what is too much."""
    lines = [""]
    for part in plain(text).replace(",", ",\0").replace(" ", " \0").split("\0"):
        if width_of((lines[-1] + part).rstrip()) > width and lines[-1]:
            lines.append("")
        lines[-1] += part
    lines = [cut(line.rstrip(), width) for line in lines]
    if len(lines) > _MOST_LINES:
        lines = [*lines[: _MOST_LINES - 1], cut(f"{lines[_MOST_LINES - 1]} ...", width)]
    return lines


def _line(sheet: Sheet, half: Half, text: str, y: float, is_bold: bool = False) -> None:
    """Put a line of words at the outer side: links cross at the inner one."""
    sheet.words.append(Word(half.box(0, y, width_of(text, is_bold), LINE).x, y, text, is_bold))


def _squares(sheet: Sheet, half: Half, cores: int, y: float) -> float:
    """Put a square for each core in a few rows that are as long; none where they would be too small to see."""
    pitch = min(_PITCH, half.width / math.ceil(cores / _MOST_ROWS))
    if pitch < _LEAST_PITCH:
        return y
    rows = math.ceil(cores / int(half.width / pitch + 1e-6))
    in_row = math.ceil(cores / rows)
    side = pitch * _SQUARE / _PITCH
    for core in range(cores):
        row, column = divmod(core, in_row)
        sheet.cores.append(half.box(column * pitch, y + row * pitch, side, side))
    return y + rows * pitch
