# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""random: elements of a table that is shared out are changed in an order that nobody foresees.

The same changes are made twice, which undoes them.

`oshrun -n 4 python -m ucxx.benchmarks.prk.random --language numba`
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import click

from ucxx.benchmarks.prk import powers, program
from ucxx.benchmarks.prk.shares import first_of, share_of

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import World


@dataclasses.dataclass(frozen=True)
class Random:
    """The kernel and its sizes."""

    elements: int
    updates: int
    name = "random"
    unit = "updates/s"

    def check(self, pes: int) -> None:
        """See that so many PEs can do it. Raises click.UsageError."""
        program.check_enough("elements", self.elements, pes)
        program.check_enough("updates", self.updates, pes)

    def sizes(self) -> dict[str, int | str]:
        """Return what was chosen, by name."""
        return {"elements": self.elements, "updates": self.updates}

    def work(self, pes: int) -> float:
        """Return the updates of an iteration: each is made twice."""
        return 2 * self.updates

    def start(self, among: World, language: str) -> Table:
        """Make the memory."""
        return Table(self, among, language)


class Table:
    """The part of a PE, and its share of the updates."""

    def __init__(self, kernel: Random, among: World, language: str) -> None:
        """Fill it: each element is its own index."""
        self._among = among
        before = first_of(kernel.updates, among.pes, among.me)
        self._number = share_of(kernel.updates, among.pes, among.me)
        self._first = powers.power_of_two(before)
        self._table = among.shared_table(kernel.elements, language)

    def step(self) -> None:
        """Change elements, and undo that."""
        for _ in range(2):
            self._table.change(self._first, self._number)
        self._table.finish()

    def result(self, iterations: int) -> tuple[float, float]:
        """Return how many elements are not their own index, and 0."""
        self._among.barrier()
        return self._among.total(self._table.wrong()), 0.0


@click.command(name="random")
@program.options
@program.size("--elements", 1 << 16, 1, "Elements of the table, of which each PE has some.")
@program.size("--updates", 1 << 14, 1, "Updates of an iteration, of which each PE makes some.")
def command(elements: int, updates: int, **how: Any) -> None:
    """Change elements of a shared table at random."""
    program.run(Random(elements, updates), **how)


if __name__ == "__main__":
    program.main(command)
