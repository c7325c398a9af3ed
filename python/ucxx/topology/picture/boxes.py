# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Boxes on a sheet of paper, in inches; y grows downwards."""

from __future__ import annotations

from typing import NamedTuple

Point = tuple[float, float]


class Box(NamedTuple):
    """A rectangle by its upper left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Return where it ends on the right."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """Return where it ends below."""
        return self.y + self.height

    @property
    def middle(self) -> Point:
        """Return its middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    def grown(self, by: float) -> Box:
        """Return a box that is larger at each side."""
        return Box(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)

    def overlaps(self, other: Box) -> bool:
        """Tell whether two boxes share more than an edge."""
        least = 1e-6
        return (self.x < other.right - least and other.x < self.right - least
                and self.y < other.bottom - least and other.y < self.bottom - least)  # fmt: skip

    def has(self, point: Point) -> bool:
        """Tell whether a point is inside."""
        return self.x <= point[0] <= self.right and self.y <= point[1] <= self.bottom


def around(boxes: list[Box]) -> Box:
    """Return the least box around some."""
    x, y = min(box.x for box in boxes), min(box.y for box in boxes)
    return Box(x, y, max(box.right for box in boxes) - x, max(box.bottom for box in boxes) - y)
