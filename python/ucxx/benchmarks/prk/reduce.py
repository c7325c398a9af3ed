# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""reduce: vectors of all PEs are added up, element by element, into that of PE 0.

`oshrun -n 4 python -m ucxx.benchmarks.prk.reduce --language numba`
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import click

from ucxx.benchmarks.prk import program
from ucxx.benchmarks.prk.loops import loops

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import Increase, World


@dataclasses.dataclass(frozen=True)
class Reduce:
    """The kernel and its size."""

    length: int
    name = "reduce"
    unit = "MFlop/s"

    def check(self, pes: int) -> None:
        """All can do it."""

    def sizes(self) -> dict[str, int | str]:
        """Return what was chosen, by name."""
        return {"length": self.length}

    def work(self, pes: int) -> float:
        """Return the millions of operations of an iteration."""
        return (2 * pes - 1) * self.length * 1e-6

    def start(self, among: World, language: str) -> Vector:
        """Make the memory."""
        return Vector(self, among, loops(self.name, language).increase, language)


class Vector:
    """That of a PE."""

    def __init__(self, kernel: Reduce, among: World, increase: Increase, language: str) -> None:
        """Fill it."""
        self._among = among
        self._sum = among.vector_sum(kernel.length, increase, language)
        self._sum.own[:] = 1

    def steps(self, times: int) -> None:
        """Increase each element, and add all up."""
        self._sum.turn(times)

    def result(self, iterations: int) -> tuple[float, float]:
        """Return how far the elements of PE 0 are from what they should be, all together, and 0."""
        steps, others = iterations, self._among.pes - 1
        expected = steps + 2 + (steps**2 + 5 * steps + 4) * others / 2
        error = abs(self._sum.values - expected).sum() / expected
        return self._among.total(float(error) if self._among.me == 0 else 0.0), 0.0


@click.command(name="reduce")
@program.options
@program.size("--length", 1000, 1, "Elements of a vector.")
def command(length: int, **how: Any) -> None:
    """Add the vectors of all PEs up into that of the first one."""
    program.run(Reduce(length), **how)


if __name__ == "__main__":
    program.main(command)
