# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""dgemm: C += A B, of square matrices of which each PE has a block.

In turn the PEs of a column give some columns of A to those of their row, and the PEs of a row some
rows of B to those of their column.

`oshrun -n 4 python -m ucxx.benchmarks.prk.dgemm`
"""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any

import click

from ucxx.benchmarks.prk import program
from ucxx.benchmarks.prk.loops import loops
from ucxx.benchmarks.prk.shares import columns_of

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import Doubles, World

_WIDEST = 64  # of a panel: it stays in the cache


@dataclasses.dataclass(frozen=True)
class Dgemm:
    """The kernel and its size."""

    order: int
    name = "dgemm"
    unit = "MFlop/s"

    def check(self, pes: int) -> None:
        """See that so many PEs can do it. Raises click.UsageError."""
        columns = columns_of(pes)
        step = math.lcm(columns, pes // columns)
        if self.order % step != 0:
            below = max(1, self.order // step) * step
            raise click.UsageError(
                f"order {self.order} is not divisible by {step}, for {pes} PEs: "
                f"{below} or {below + step} would do"
            )

    def sizes(self) -> dict[str, int | str]:
        """Return what was chosen, by name."""
        return {"order": self.order}

    def work(self, pes: int) -> float:
        """Return the millions of operations of an iteration."""
        return 2 * self.order**3 * 1e-6

    def start(self, among: World, language: str) -> Matrices:
        """Make the memory."""
        return Matrices(self, among, loops(self.name, language))


class Matrices(program.Stepwise):
    """The blocks of a PE."""

    def __init__(self, kernel: Dgemm, among: World, compute: Any) -> None:
        """Fill them."""
        import numpy as np

        columns = columns_of(among.pes)
        self._width = kernel.order // columns
        self._height = kernel.order // (among.pes // columns)
        self._depth = _panel_of(self._width, self._height)
        self._kernel = kernel
        self._among = among
        self._compute = compute
        shape = self._height, self._width
        first = among.me % columns * self._width
        self._a: Doubles = np.tile(np.arange(first, first + self._width, dtype=float), (shape[0], 1))
        self._b = self._a.copy()
        self._c: Doubles = np.zeros(shape)
        self._panels = among.panels(
            columns, (self._height, self._depth), (self._depth, self._width)
        )

    def step(self) -> None:
        """Get a panel of A and one of B after the other, and add their product."""
        panels = self._panels
        for first in range(0, self._kernel.order, self._depth):
            column, x = divmod(first, self._width)
            row, y = divmod(first, self._height)
            panels.next()
            if panels.column == column:
                panels.own_left[:] = self._a[:, x : x + self._depth]
            if panels.row == row:
                panels.own_right[:] = self._b[y : y + self._depth]
            panels.exchange(column, row)
            self._compute.multiply(self._c, panels.left, panels.right)

    def result(self, iterations: int) -> tuple[float, float]:
        """Return the sum of C, and what it should be."""
        order = self._kernel.order
        found = self._among.total(float(self._c.sum()))
        return found, (iterations + 1) * order**3 * (order - 1) ** 2 / 4


def _panel_of(width: int, height: int) -> int:
    """Return the widest panel that divides both sides."""
    both = math.gcd(width, height)
    return next(wide for wide in range(min(both, _WIDEST), 0, -1) if both % wide == 0)


@click.command(name="dgemm")
@program.options
@program.size("--order", 480, 2, "Rows and columns of the matrices.")
def command(order: int, **how: Any) -> None:
    """Multiply matrices of which each PE has a block."""
    program.run(Dgemm(order), **how)


if __name__ == "__main__":
    program.main(command)
