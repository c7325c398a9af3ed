# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""transpose: B += A^T; A += 1, of square matrices of which each PE has some columns.

`oshrun -n 4 python -m ucxx.benchmarks.prk.transpose --language numba`
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import click

from ucxx.benchmarks.prk import program
from ucxx.benchmarks.prk.loops import loops

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import Doubles, World

VARIANTS = ("alltoall", "get")


@dataclasses.dataclass(frozen=True)
class Transpose:
    """The kernel, its sizes and how blocks are exchanged."""

    order: int
    variant: str
    name = "transpose"
    unit = "MB/s"

    def check(self, pes: int) -> None:
        """See that so many PEs can do it. Raises click.UsageError."""
        if self.order % pes != 0:
            below = max(1, self.order // pes) * pes
            raise click.UsageError(
                f"order {self.order} is not divisible by {pes} PEs: "
                f"{below} or {below + pes} would do"
            )

    def sizes(self) -> dict[str, int | str]:
        """Return what was chosen, by name."""
        return {"order": self.order, "variant": self.variant}

    def work(self, pes: int) -> float:
        """Return the megabytes of an iteration."""
        return 16 * self.order**2 * 1e-6

    def start(self, among: World, language: str) -> Matrices:
        """Make the memory."""
        return Matrices(self, among, loops(self.name, language))


class Matrices(program.Stepwise):
    """The columns of a PE, each of them contiguous: the first index is that of the column."""

    def __init__(self, kernel: Transpose, among: World, compute: Any) -> None:
        """Fill them."""
        import numpy as np

        order, width = kernel.order, kernel.order // among.pes
        self._kernel = kernel
        self._among = among
        self._compute = compute
        before = among.me * width
        columns, rows = np.arange(before, before + width)[:, None], np.arange(order)
        self._a: Doubles = (order * columns + rows).astype(np.float64)
        self._b: Doubles = np.zeros((width, order))
        self._blocks = among.blocks(width * width, kernel.variant == "get")
        # Its own first, so that not all ask one.
        self._others = [(among.me + i) % among.pes for i in range(among.pes)]

    def step(self) -> None:
        """Exchange blocks of A, add them to B, increase A."""
        outgoing = self._blocks.outgoing
        for pe in self._others:
            self._compute.pack(self._a, pe, outgoing[pe])
        self._blocks.start()
        for pe in self._others:
            self._compute.add(self._b, pe, self._blocks.block_from(pe))
        self._blocks.end()
        self._compute.increase(self._a)

    def result(self, iterations: int) -> tuple[float, float]:
        """Return how far the values of B are from what they should be, all together, and 0."""
        import numpy as np

        order, width = self._kernel.order, len(self._b)
        before = self._among.me * width
        columns, rows = np.arange(before, before + width)[:, None], np.arange(order)
        first = (order * rows + columns).astype(np.float64)
        expected = first * (iterations + 1) + iterations * (iterations + 1) / 2
        return self._among.total(float(abs(self._b - expected).sum())), 0.0


@click.command(name="transpose")
@program.options
@program.size("--order", 1000, 1, "Rows and columns of the matrices; all PEs have as many columns.")
@click.option(
    "--variant",
    type=click.Choice(VARIANTS),
    default="alltoall",
    show_default=True,
    help="All exchange blocks all at once, or each PE gets what it wants.",
)
def command(order: int, variant: str, **how: Any) -> None:
    """Add the transpose of a matrix to another, the columns of which are shared out."""
    program.run(Transpose(order, variant), **how)


if __name__ == "__main__":
    program.main(command)
