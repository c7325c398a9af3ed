# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""refcount: all PEs change two counters of PE 0, each update both of them.

Under a lock they are rotated by 1 radian, as a point on a circle; or both are increased by atomic
operations.

`oshrun -n 4 python -m ucxx.benchmarks.prk.refcount --language numba`
"""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any

import click

from ucxx.benchmarks.prk import program
from ucxx.benchmarks.prk.shares import share_of

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import World

VARIANTS = ("lock", "atomic")
_ROUNDING = 2e-16  # what an update may add to the error of a point; 6e-17 was found


@dataclasses.dataclass(frozen=True)
class Refcount:
    """The kernel, its size and how counters are kept."""

    updates: int
    variant: str
    name = "refcount"
    unit = "updates/s"

    def check(self, pes: int) -> None:
        """See that so many PEs can do it. Raises click.UsageError."""
        program.check_enough("updates", self.updates, pes)

    def sizes(self) -> dict[str, int | str]:
        """Return what was chosen, by name."""
        return {"updates": self.updates, "variant": self.variant}

    def work(self, pes: int) -> float:
        """Return the updates of an iteration."""
        return self.updates

    def start(self, among: World, language: str) -> Updates:
        """Make the memory."""
        return Updates(self, among, language)


class Updates(program.Stepwise):
    """The share of a PE."""

    def __init__(self, kernel: Refcount, among: World, language: str) -> None:
        """Make the counters: the point is (1, 0), the counts are 0."""
        pes, me = among.pes, among.me
        self._kernel = kernel
        self._among = among
        self._share = share_of(kernel.updates, pes, me)
        self._counters = among.counters(kernel.variant == "lock", language)

    def step(self) -> None:
        """Change both counters, as often as this PE has to."""
        self._counters.update(self._share)

    def result(self, iterations: int) -> tuple[float, float]:
        """Return how much farther the counters are from what they should be than rounding may bring them; and 0."""
        self._among.barrier()
        updates = (iterations + 1) * self._kernel.updates
        is_point = self._kernel.variant == "lock"
        expected = (math.cos(updates), math.sin(updates)) if is_point else (updates, updates)
        pairs = zip(self._counters.values(), expected, strict=True)
        error = sum(abs(found - wanted) for found, wanted in pairs)
        rounding = _ROUNDING * updates if is_point else 0.0
        beyond = max(0.0, error - rounding) if self._among.me == 0 else 0.0
        return self._among.total(beyond), 0.0


@click.command(name="refcount")
@program.options
@program.size("--updates", 1000, 1, "Updates of an iteration, of which each PE makes some.")
@click.option(
    "--variant",
    type=click.Choice(VARIANTS),
    default="lock",
    show_default=True,
    help="Who updates has a lock, or the counters are changed by atomic operations.",
)
def command(updates: int, variant: str, **how: Any) -> None:
    """Change two counters together, from all PEs."""
    program.run(Refcount(updates, variant), **how)


if __name__ == "__main__":
    program.main(command)
