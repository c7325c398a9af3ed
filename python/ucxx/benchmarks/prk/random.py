# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""random: elements of a table that is shared out are changed in an order that nobody foresees.

Each iteration makes the same changes twice, which undoes them. After the measured ones, each owner checks
its elements after one pass and after the second.

`oshrun -n 4 python -m ucxx.benchmarks.prk.random --language numba`
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import click

from ucxx.benchmarks.prk import powers, program
from ucxx.benchmarks.prk.layout import Layout
from ucxx.benchmarks.prk.shares import first_of, share_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ucxx.benchmarks.prk.world import World


_LANES = 1 << 14  # updates that are replayed at once


@dataclasses.dataclass(frozen=True)
class Random:
    """The kernel and its sizes."""

    elements: int
    updates: int
    name = "random"
    unit = "updates/s"

    def check(self, pes: int) -> None:
        """See that so many PEs can do it. Raises click.UsageError."""
        lower = 1 << (self.elements.bit_length() - 1)
        if lower != self.elements:
            raise click.UsageError(
                f"elements {self.elements} is no power of 2: {lower} or {2 * lower} would do"
            )
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


class Table(program.Stepwise):
    """The part of a PE, and its share of the updates."""

    def __init__(self, kernel: Random, among: World, language: str) -> None:
        """Fill it: each element is its own index."""
        self._among = among
        self._updates = kernel.updates
        self._layout = Layout(kernel.elements.bit_length() - 1, among.pes)
        before = first_of(kernel.updates, among.pes, among.me)
        self._number = share_of(kernel.updates, among.pes, among.me)
        self._first = powers.power_of_two(before)
        self._table = among.shared_table(self._layout, language)

    def step(self) -> None:
        """Change elements, and undo that."""
        for _ in range(2):
            self._table.change(self._first, self._number)
        self._table.finish()

    def result(self, iterations: int) -> tuple[float, float]:
        """Return how many elements are wrong after one pass, or after the second; and 0."""
        import numpy as np

        owned = self._layout.owned(self._among.me)
        start = np.arange(owned.start, owned.stop, dtype=np.uint64)
        after_one = replayed(start, self._layout, self._updates)
        wrong = self._wrong_after_pass(after_one) + self._wrong_after_pass(start)
        return self._among.total(wrong), 0.0

    def _wrong_after_pass(self, wanted: NDArray[np.uint64]) -> float:
        self._table.change(self._first, self._number)
        self._table.finish()
        self._among.barrier()
        wrong = float((self._table.values() != wanted).sum())
        self._among.barrier()  # the next pass changes the elements
        return wrong


def replayed(start: NDArray[np.uint64], layout: Layout, updates: int) -> NDArray[np.uint64]:
    """Return neighbours in the table, which are their own indices, after a pass of all PEs.

    Nothing is communicated: all updates are made here, many at once, and those of others left out.
    """
    import numpy as np

    first, mask = start[0], np.uint64((1 << layout.bits) - 1)
    one, high, low = np.uint64(1), np.uint64(powers.HIGH_TERM), np.uint64(powers.LOW_TERMS)
    lanes = min(_LANES, updates)
    values = np.array([powers.power_of_two(first_of(updates, lanes, lane)) for lane in range(lanes)],
                      dtype=np.uint64)  # fmt: skip
    changed = start.copy()
    for left in range(share_of(updates, lanes, 0), 0, -1):
        if left == 1:  # the first lanes have one more
            values = values[: updates % lanes or lanes]
        places = (values & mask) - first  # elements before the first one become very large
        is_here = places < len(start)
        np.bitwise_xor.at(changed, places[is_here].astype(np.intp), values[is_here])
        values = values << one
        values ^= np.where(values & high, high | low, np.uint64(0))
    return changed


@click.command(name="random")
@program.options
@program.size("--elements", 1 << 16, 1, "Elements of the table, a power of 2; each PE has some.")
@program.size("--updates", 1 << 18, 1, "Updates of an iteration, of which each PE makes some.")
def command(elements: int, updates: int, **how: Any) -> None:
    """Change elements of a shared table at random."""
    program.run(Random(elements, updates), **how)


if __name__ == "__main__":
    program.main(command)
