# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""stream: A += B + 3 C, of vectors that are shared out. PEs exchange nothing: it is the speed of memory.

`oshrun -n 4 python -m ucxx.benchmarks.prk.stream`
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import click

from ucxx.benchmarks.prk import program
from ucxx.benchmarks.prk.loops import loops
from ucxx.benchmarks.prk.shares import share_of

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import Doubles, World

_SCALE = 3.0
_FIRST = 2.0


@dataclasses.dataclass(frozen=True)
class Stream:
    """The kernel and its size."""

    length: int
    name = "stream"
    unit = "MB/s"

    def check(self, pes: int) -> None:
        """See that so many PEs can do it. Raises click.UsageError."""
        program.check_enough("length", self.length, pes)

    def sizes(self) -> dict[str, int | str]:
        """Return what was chosen, by name."""
        return {"length": self.length}

    def work(self, pes: int) -> float:
        """Return the megabytes of an iteration."""
        return 32 * self.length * 1e-6

    def start(self, among: World, language: str) -> Vectors:
        """Make the memory."""
        return Vectors(self, among, loops(self.name, language))


class Vectors(program.Stepwise):
    """The shares of a PE."""

    def __init__(self, kernel: Stream, among: World, compute: Any) -> None:
        """Fill them."""
        import numpy as np

        length = share_of(kernel.length, among.pes, among.me)
        self._kernel = kernel
        self._among = among
        self._compute = compute
        self._a: Doubles = np.zeros(length)
        self._b: Doubles = np.full(length, _FIRST)
        self._c: Doubles = np.full(length, _FIRST)

    def step(self) -> None:
        """Add the two to the first."""
        self._compute.add(self._a, self._b, self._c, _SCALE)

    def result(self, iterations: int) -> tuple[float, float]:
        """Return the sum of A, and what it should be."""
        element = (iterations + 1) * _FIRST * (1 + _SCALE)
        return self._among.total(float(self._a.sum())), self._kernel.length * element


@click.command(name="stream")
@program.options
@program.size("--length", 1_000_000, 1, "Elements of the vectors, of which each PE has some.")
def command(length: int, **how: Any) -> None:
    """Add a scaled vector and another one to a third."""
    program.run(Stream(length), **how)


if __name__ == "__main__":
    program.main(command)
