# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""stencil: a star of a radius over a square grid, in blocks whose borders neighbours exchange.

`oshrun -n 4 python -m ucxx.benchmarks.prk.stencil --language numba`
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import click

from ucxx.benchmarks.prk import program
from ucxx.benchmarks.prk.loops import loops
from ucxx.benchmarks.prk.shares import columns_of, first_of, share_of

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import Doubles, World


@dataclasses.dataclass(frozen=True)
class Stencil:
    """The kernel and its sizes."""

    order: int
    radius: int
    name = "stencil"
    unit = "MFlop/s"

    def check(self, pes: int) -> None:
        """See that so many PEs can do it. Raises click.UsageError."""
        least = max(2 * self.radius + 1, self.radius * (pes // columns_of(pes)))
        if self.order < least:
            raise click.UsageError(
                f"order {self.order} is too small for radius {self.radius} on {pes} PEs: "
                f"at least {least} would do"
            )

    def sizes(self) -> dict[str, int | str]:
        """Return what was chosen, by name."""
        return {"order": self.order, "radius": self.radius}

    def work(self, pes: int) -> float:
        """Return the millions of operations of an iteration."""
        return (self.order - 2 * self.radius) ** 2 * (2 * (4 * self.radius + 1) + 1) * 1e-6

    def start(self, among: World, language: str) -> Block:
        """Make the memory."""
        return Block(self, among, loops(self.name, language))


class Block(program.Stepwise):
    """The block of a PE: `grid` with a frame of `radius` points, and `out` without."""

    def __init__(self, kernel: Stencil, among: World, compute: Any) -> None:
        """Fill it."""
        self._kernel = kernel
        self._among = among
        self._place(kernel.order)
        self._fill(kernel.radius)
        self._meet(kernel.radius)
        self._inside = self._area_inside()
        self._add_stars = compute.star_adder(kernel.radius)
        self._increase = compute.increase

    def _place(self, order: int) -> None:
        me, pes = self._among.me, self._among.pes
        columns = columns_of(pes)
        rows = pes // columns
        row, column = divmod(me, columns)
        self._x, self._y = first_of(order, columns, column), first_of(order, rows, row)
        self._width = share_of(order, columns, column)
        self._height = share_of(order, rows, row)
        self._peers = (
            me - 1 if column > 0 else None,
            me + 1 if column < columns - 1 else None,
            me - columns if row > 0 else None,
            me + columns if row < rows - 1 else None,
        )

    def _fill(self, radius: int) -> None:
        import numpy as np

        height, width = self._height, self._width
        self._grid: Doubles = np.zeros((height + 2 * radius, width + 2 * radius))
        self._out: Doubles = np.zeros((height, width))
        y, x = np.ogrid[self._y : self._y + height, self._x : self._x + width]
        self._grid[radius : radius + height, radius : radius + width] = x + y

    def _meet(self, radius: int) -> None:
        """Make views for each neighbour: border and what goes out, frame and what comes in."""
        across, down = slice(radius, -radius), slice(radius, -radius)
        first, last = slice(radius, 2 * radius), slice(-2 * radius, -radius)
        before, behind = slice(0, radius), slice(-radius, None)
        borders = (down, first), (down, last), (first, across), (last, across)
        frames = (down, before), (down, behind), (before, across), (behind, across)
        inner = [self._grid[border] for border in borders]
        self._halo = self._among.halo(self._peers, [values.size for values in inner])
        sides = [side for side, peer in enumerate(self._peers) if peer is not None]
        self._borders = [
            (_shaped(self._halo.outgoing[side], inner[side]), inner[side]) for side in sides
        ]
        self._frames = [(self._grid[frames[side]], side) for side in sides]

    def _area_inside(self) -> tuple[int, int, int, int]:
        """Return top, bottom, left and right of the points that a whole star fits around."""
        radius, end = self._kernel.radius, self._kernel.order - self._kernel.radius
        return (
            max(0, radius - self._y),
            min(self._height, end - self._y),
            max(0, radius - self._x),
            min(self._width, end - self._x),
        )

    def step(self) -> None:
        """Exchange borders, add stars, increase."""
        for packed, border in self._borders:
            packed[...] = border
        incoming = self._halo.exchange()
        for frame, side in self._frames:
            frame[...] = _shaped(incoming[side], frame)
        self._add_stars(self._grid, self._out, *self._inside)
        self._increase(self._grid, self._kernel.radius)

    def result(self, iterations: int) -> tuple[float, float]:
        """Return the mean inside, and what it should be."""
        top, bottom, left, right = self._inside
        total = self._among.total(float(abs(self._out[top:bottom, left:right]).sum()))
        points = (self._kernel.order - 2 * self._kernel.radius) ** 2
        return total / points, 2.0 * (iterations + 1)


def _shaped(values: Doubles, like: Doubles) -> Doubles:
    return values.reshape(like.shape)


@click.command(name="stencil")
@program.options
@program.size("--order", 1000, 3, "Points of the grid in each direction.")
@program.size("--radius", 2, 1, "How far the star reaches.")
def command(order: int, radius: int, **how: Any) -> None:
    """Add a star of a radius at all points of a square grid, which are in blocks."""
    program.run(Stencil(order, radius), **how)


if __name__ == "__main__":
    program.main(command)
