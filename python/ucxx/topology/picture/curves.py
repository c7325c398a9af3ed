# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Lines as points: arcs, round corners, and whether a line crosses a box or runs along another one."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ucxx.topology.picture.boxes import Box, Point

Line = tuple[Point, ...]
Piece = tuple[Point, Point]

_ROUND = 0.16  # radius of corners
_STEPS = 24  # of an arc
_SAME = 1e-6
_LEAST_SHARED = 0.1  # of lines that run along each other


def length(line: Line) -> float:
    """Return how long a line is."""
    return sum(math.dist(begin, end) for begin, end in zip(line, line[1:], strict=False))


def arc(begin: Point, end: Point, bulge: float) -> Line:
    """Return a curve that is that far from the straight line in its middle."""
    distance = math.dist(begin, end)
    aside = (begin[1] - end[1]) / distance * bulge, (end[0] - begin[0]) / distance * bulge
    points = []
    for step in range(_STEPS + 1):
        part = step / _STEPS
        x, y = _between(begin, end, part)
        high = 4 * part * (1 - part)
        points.append((x + high * aside[0], y + high * aside[1]))
    return tuple(points)


def rounded(begin: Point, first: Point, second: Point, end: Point) -> Line:
    """Return a line with two corners, which are round."""
    return (begin, *_corner(begin, first, second), *_corner(first, second, end), end)


def crosses(line: Line, box: Box) -> bool:
    """Tell whether a line passes through a box."""
    return any(_passes(begin, end, box) for begin, end in zip(line, line[1:], strict=False))


def bounds(line: Line) -> Box:
    """Return the least box around a line; it has some width and height even where the line is level or upright."""
    xs, ys = zip(*line, strict=True)
    return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)).grown(_LEAST_SHARED / 10)


def longest_piece(line: Line) -> Piece:
    """Return the longest of the straight pieces of a line."""
    return max(zip(line, line[1:], strict=False), key=lambda piece: math.dist(*piece))


def run_along(piece: Piece, other: Piece, near: float) -> bool:
    """Tell whether two pieces are both level or both upright, beside each other, and nearer than that."""
    return any(_is_along(piece, other, along, near) for along in (0, 1))


def _corner(before: Point, corner: Point, after: Point) -> Iterator[Point]:
    radius = min(_ROUND, math.dist(before, corner) / 2, math.dist(corner, after) / 2)
    begin = _between(corner, before, radius / math.dist(before, corner))
    end = _between(corner, after, radius / math.dist(corner, after))
    for step in range(9):
        part = step / 8
        yield _between(_between(begin, corner, part), _between(corner, end, part), part)


def _between(one: Point, other: Point, part: float) -> Point:
    return one[0] + (other[0] - one[0]) * part, one[1] + (other[1] - one[1]) * part


def _passes(begin: Point, end: Point, box: Box) -> bool:
    """Tell whether a part of a straight piece is inside a box: the piece is cut at each side of the box."""
    low, high = 0.0, 1.0
    for at, to, least, most in ((begin[0], end[0], box.x, box.right), (begin[1], end[1], box.y, box.bottom)):
        if abs(to - at) < 1e-12:
            if not least <= at <= most:
                return False
            continue
        cuts = sorted(((least - at) / (to - at), (most - at) / (to - at)))
        low, high = max(low, cuts[0]), min(high, cuts[1])
    return low <= high


def _is_along(piece: Piece, other: Piece, along: int, near: float) -> bool:
    """Tell whether two pieces follow an axis, are near on the other one, and have a part of their way in common."""
    across = [point[1 - along] for point in piece], [point[1 - along] for point in other]
    if max(abs(first - last) for first, last in across) > _SAME or abs(across[0][0] - across[1][0]) > near:
        return False
    ways = sorted(point[along] for point in piece), sorted(point[along] for point in other)
    return min(ways[0][1], ways[1][1]) - max(ways[0][0], ways[1][0]) > _LEAST_SHARED
