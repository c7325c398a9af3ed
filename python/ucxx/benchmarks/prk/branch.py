# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""branch: the signs of the elements of a vector that is shared out are changed, by branches or without.

PEs exchange nothing. What the variants mean in a loop is in `c/branch.c`; here a branch is a choice of
elements. After the measured sweeps each element is checked: it has the other sign after an odd number of
sweeps.

`oshrun -n 4 python -m ucxx.benchmarks.prk.branch --variant stop`
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import click

from ucxx.benchmarks.prk import program
from ucxx.benchmarks.prk.loops import loops
from ucxx.benchmarks.prk.shares import first_of

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import World

VARIANTS = (
    "go", "stop", "never", "many", "go-straight", "stop-straight", "never-straight", "many-straight",
)  # fmt: skip
_PERIOD, _TURN = 8, 3  # elements are 3, 2, 1, 0, -1, -2, -3, -4, 3 ...


@dataclasses.dataclass(frozen=True)
class Branch:
    """The kernel, its size and the loop."""

    length: int
    variant: str
    name = "branch"
    unit = "Mop/s"

    def check(self, pes: int) -> None:
        """See that so many PEs can do it. Raises click.UsageError."""
        program.check_enough("length", self.length, pes)

    def sizes(self) -> dict[str, int | str]:
        """Return what was chosen, by name."""
        return {"length": self.length, "variant": self.variant}

    def work(self, pes: int) -> float:
        """Return the millions of changes of an iteration."""
        return self.length * 1e-6

    def start(self, among: World, language: str) -> Vector:
        """Make the memory."""
        return Vector(self, among, loops(self.name, language))


class Vector(program.Stepwise):
    """The share of a PE."""

    def __init__(self, kernel: Branch, among: World, compute: Any) -> None:
        """Fill it."""
        import numpy as np

        first, end = (first_of(kernel.length, among.pes, pe) for pe in (among.me, among.me + 1))
        self._among = among
        self._initial = (_TURN - np.arange(first, end) % _PERIOD).astype(np.int32)
        self._values = self._initial.copy()
        self._sweep = compute.sweep_of(kernel.variant, end - first, _PERIOD, _TURN)

    def step(self) -> None:
        """Change all signs."""
        self._sweep(self._values)

    def result(self, iterations: int) -> tuple[float, float]:
        """Return how many elements do not have the other sign, and 0."""
        if iterations % 2 == 1:  # without any sweep they would have the first sign, too
            self.step()
        return self._among.total(float((self._values != -self._initial).sum())), 0.0


@click.command(name="branch")
@program.options
@program.size("--length", 1_000_000, 1, "Elements of the vector, of which each PE has some.")
@click.option(
    "--variant",
    type=click.Choice(VARIANTS),
    default="go",
    show_default=True,
    help="The branch of the loop, or the same loop without it.",
)
def command(length: int, variant: str, **how: Any) -> None:
    """Change the signs of a vector, with a choice for each element."""
    program.run(Branch(length, variant), **how)


if __name__ == "__main__":
    program.main(command)
