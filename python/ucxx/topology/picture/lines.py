# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""How the lines of links go: straight, else around the boxes that are in the way, and not along each other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ucxx.topology.picture import curves
from ucxx.topology.picture.boxes import Box
from ucxx.topology.picture.curves import Line, Piece
from ucxx.topology.picture.shape import LANE
from ucxx.topology.picture.sheet import LINE, Sheet, width_of

_CLEAR = 0.04  # between a line and a box that it passes
_FIRST_LANE = 0.2
_LANES = 8
_NEAR = 0.1  # less is no distance between lines
# How far from the middle of a GPU a line leaves it that goes around: in the middle a straight one may leave it.
_OFF, _OFF_LANE, _MOST_OFF = 0.08, 0.05, 0.18
_MOST_LINES = 100  # for which ways around are sought
# What a line costs for each that it crosses or runs along, and for each inch that it is longer than a straight one.
_BOX, _ALONG, _WORDS, _INCH = 100.0, 20.0, 1.5, 1.0


def links(sheet: Sheet, pairs: Sequence[tuple[int, int]]) -> dict[tuple[int, int], Line]:
    """Return the line of each pair of GPUs, from middle to middle: short ones first, long ones around them."""
    found: dict[tuple[int, int], Line] = {}
    known: list[Piece] = []
    words = [Box(word.x, word.y, width_of(word.text, word.is_bold), LINE) for word in sheet.words]
    for pair in sorted(pairs, key=lambda pair: (_distance(sheet, pair), pair)):
        one, other = sheet.gpus[pair[0]], sheet.gpus[pair[1]]
        found[pair] = (one.middle, other.middle)
        if len(known) < _MOST_LINES:
            found[pair] = _best(sheet, one, other, words, known)
            known.append(curves.longest_piece(found[pair]))
    return found


def to_bar(sheet: Sheet) -> dict[int, Line]:
    """Return the line of each GPU to the bar."""
    bar = sheet.bar
    if bar is None:
        return {}
    return {index: (box.middle, (bar.middle[0], box.middle[1])) for index, box in sheet.gpus.items()}


def _distance(sheet: Sheet, pair: tuple[int, int]) -> float:
    return round(math.dist(sheet.gpus[pair[0]].middle, sheet.gpus[pair[1]].middle), 3)


def _best(sheet: Sheet, one: Box, other: Box, words: Sequence[Box], known: Sequence[Piece]) -> Line:
    """Return the cheapest way between two GPUs; of two that cost the same the first."""
    straight = (one.middle, other.middle)
    boxes = [box.grown(_CLEAR) for box in (*sheet.gpus.values(), *sheet.cards.values()) if box not in (one, other)]

    def cost(line: Line) -> float:
        longer = curves.length(line) - curves.length(straight)
        return round(_crossed(line, boxes, words) + _ALONG * _beside(line, known) + _INCH * longer, 6)

    least = cost(straight)
    return straight if least == 0 else min((straight, *_detours(sheet, one, other)), key=cost)


def _crossed(line: Line, boxes: Sequence[Box], words: Sequence[Box]) -> float:
    bounds = curves.bounds(line)
    return (_BOX * sum(bounds.overlaps(box) and curves.crosses(line, box) for box in boxes)
            + _WORDS * sum(bounds.overlaps(box) and curves.crosses(line, box) for box in words))  # fmt: skip


def _beside(line: Line, known: Sequence[Piece]) -> int:
    longest = curves.longest_piece(line)
    return sum(curves.run_along(longest, piece, _NEAR) for piece in known)


def _detours(sheet: Sheet, one: Box, other: Box) -> Iterator[Line]:
    """Give ways around what is between two boxes, the nearest ones first."""
    (x, y), (x2, y2) = one.middle, other.middle
    center = sum(box.middle[1] for box in sheet.gpus.values()) / len(sheet.gpus)
    for lane in range(_LANES):
        aside = _FIRST_LANE + lane * LANE
        if math.isclose(y, y2, abs_tol=1e-6):
            over, under = one.y - aside, one.bottom + aside
            for level in (over, under) if y <= center + 1e-6 else (under, over):
                yield curves.rounded((x, y), (x, level), (x2, level), (x2, y2))
        elif math.isclose(x, x2, abs_tol=1e-6):
            left, right = one.x - aside, one.right + aside
            for level in (right, left) if x < sheet.middle or not sheet.middle else (left, right):
                off = math.copysign(min(_OFF + lane * _OFF_LANE, _MOST_OFF), y2 - y)
                begin, end = y + off, y2 - off
                yield curves.rounded((x, begin), (level, begin), (level, end), (x2, end))
        else:
            yield curves.arc((x, y), (x2, y2), 1.5 * aside)
            yield curves.arc((x, y), (x2, y2), -1.5 * aside)
