# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""sparse: a matrix with few elements in a row is multiplied by a vector.

The elements are those of a star over a periodic grid. Rows and vector are shared out; the columns are
in an order that has no locality.

`oshrun -n 4 python -m ucxx.benchmarks.prk.sparse --language numba`
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import click

from ucxx.benchmarks.prk import program
from ucxx.benchmarks.prk.loops import loops
from ucxx.benchmarks.prk.shares import first_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ucxx.benchmarks.prk.world import Doubles, World

    Columns = NDArray[np.uint32]

_MOST_BITS = 15


@dataclasses.dataclass(frozen=True)
class Sparse:
    """The kernel and its sizes."""

    bits: int
    radius: int
    name = "sparse"
    unit = "MFlop/s"

    @property
    def order(self) -> int:
        """Rows and columns."""
        return 1 << 2 * self.bits

    @property
    def elements(self) -> int:
        """Elements that are not 0."""
        return self.order * (4 * self.radius + 1)

    def check(self, pes: int) -> None:
        """See that so many PEs can do it. Raises click.UsageError."""
        if self.bits > _MOST_BITS:
            raise click.UsageError(
                f"bits {self.bits} are too many: a number from 2 to {_MOST_BITS} would do"
            )
        side = 2**self.bits
        if 2 * self.radius >= side:
            raise click.UsageError(
                f"radius {self.radius} is too large for a grid of {side} by {side} points: "
                f"at most {(side - 1) // 2} would do"
            )
        program.check_enough("rows", self.order, pes)

    def sizes(self) -> dict[str, int | str]:
        """Return what was chosen, by name."""
        return {"bits": self.bits, "radius": self.radius}

    def work(self, pes: int) -> float:
        """Return the millions of operations of an iteration."""
        return 2 * self.elements * 1e-6

    def start(self, among: World, language: str) -> Rows:
        """Make the memory."""
        return Rows(self, among, loops(self.name, language))


class Rows(program.Stepwise):
    """Those of a PE."""

    def __init__(self, kernel: Sparse, among: World, compute: Any) -> None:
        """Fill them."""
        import numpy as np

        first, end = (first_of(kernel.order, among.pes, pe) for pe in (among.me, among.me + 1))
        self._kernel = kernel
        self._among = among
        self._compute = compute
        self._columns = columns_of(kernel, first, end)
        self._values: Doubles = 1 / (self._columns.astype(np.float64) + 1)
        self._sums: Doubles = np.zeros(end - first)
        self._increments: Doubles = np.arange(first + 1.0, end + 1.0)
        self._vector = among.vector_gather(kernel.order, end - first)

    def step(self) -> None:
        """Increase the vector, get all of it, and add the products up."""
        self._vector.own += self._increments
        self._vector.gather()
        self._compute.add_products(self._sums, self._columns, self._values, self._vector.all)

    def result(self, iterations: int) -> tuple[float, float]:
        """Return the sum of all sums, and what it should be."""
        products = (iterations + 1) * (iterations + 2) / 2
        return self._among.total(float(self._sums.sum())), self._kernel.elements * products


def columns_of(kernel: Sparse, first: int, end: int) -> Columns:
    """Return the columns of the elements of some rows."""
    import numpy as np

    side, rows = 2**kernel.bits, np.arange(first, end)
    x, y = rows % side, rows // side
    points = [y * side + x]
    for j in range(1, kernel.radius + 1):
        points += [y * side + (x + away) % side for away in (j, -j)]
        points += [(y + away) % side * side + x for away in (j, -j)]
    return np.ascontiguousarray(_reversed(np.stack(points, axis=1), 2 * kernel.bits), np.uint32)


def _reversed(indices: NDArray[np.int64], bits: int) -> NDArray[np.int64]:
    result = indices * 0
    for _ in range(bits):
        result = result << 1 | indices & 1
        indices = indices >> 1
    return result


@click.command(name="sparse")
@program.options
@program.size("--bits", 8, 2, "Of the side of the grid, whose points are the rows and columns.")
@program.size("--radius", 2, 1, "Of the star.")
def command(bits: int, radius: int, **how: Any) -> None:
    """Multiply a matrix of few elements by a vector."""
    program.run(Sparse(bits, radius), **how)


if __name__ == "__main__":
    program.main(command)
