# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""synch_p2p: a wave front over the columns of a grid, each PE's from what the one before has sent.

`oshrun -n 4 python -m ucxx.benchmarks.prk.synch_p2p --language numba`
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from ucxx.benchmarks.prk import program
from ucxx.benchmarks.prk.loops import loops
from ucxx.benchmarks.prk.shares import first_of

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import Call, Doubles, World


@dataclasses.dataclass(frozen=True)
class SynchP2p:
    """The kernel and its sizes."""

    rows: int
    columns: int
    name = "synch_p2p"
    unit = "MFlop/s"

    def check(self, pes: int) -> None:
        """See that so many PEs can do it. Raises click.UsageError."""
        if self.columns - 1 < pes:
            raise click.UsageError(
                f"{self.columns} columns are too few for {pes} PEs: at least {pes + 1}, "
                f"or at most {self.columns - 1} PEs, would do"
            )

    def sizes(self) -> dict[str, int | str]:
        """Return what was chosen, by name."""
        return {"rows": self.rows, "columns": self.columns}

    def work(self, pes: int) -> float:
        """Return the millions of operations of an iteration."""
        return 2 * (self.rows - 1) * (self.columns - 1) * 1e-6

    def start(self, among: World, language: str) -> Columns:
        """Make the memory."""
        return Columns(self, among, language)


class Columns(program.Stepwise):
    """The columns of a PE; the first one is the last of the PE before, or the edge."""

    def __init__(self, kernel: SynchP2p, among: World, language: str) -> None:
        """Fill them: the edge is 0, 1, 2, ..."""
        import numpy as np

        self._kernel = kernel
        self._among = among
        me, pes, inner = among.me, among.pes, kernel.columns - 1
        x, end = first_of(inner, pes, me), first_of(inner, pes, me + 1) + 1
        self._grid: Doubles = np.zeros((kernel.rows, end - x))
        self._grid[0] = np.arange(x, end)
        if me == 0:
            self._grid[:, 0] = np.arange(kernel.rows)
        self._wave = wave = among.wave(kernel.rows, language)
        next_row = loops(kernel.name, language).next_row
        self._sweep = sweep_of(next_row, wave.receive, wave.send, wave.compiled)
        self._step = 0

    def step(self) -> None:
        """Compute row after row, and return the corner."""
        self._step += 1
        self._sweep(self._grid, self._wave.memory, self._step)
        self._wave.return_corner(self._grid, self._step)

    def result(self, iterations: int) -> tuple[float, float]:
        """Return the corner, and what it should be."""
        is_last = self._among.me == self._among.pes - 1
        corner = self._among.total(float(self._grid[-1, -1]) if is_last else 0.0)
        return corner, (iterations + 1.0) * (self._kernel.rows + self._kernel.columns - 2)


def sweep_of(
    next_row: Callable[[Doubles, int], None], receive: Call, send: Call, is_compiled: bool
) -> Callable[[Doubles, Doubles, int], None]:
    """Return a function that computes all rows: compiled, if what it calls is."""

    def sweep(grid: Doubles, memory: Doubles, step: int) -> None:
        for y in range(1, grid.shape[0]):
            receive(grid, memory, y, step)
            next_row(grid, y)
            send(grid, memory, y, step)

    if not is_compiled:
        return sweep
    from ucxx.benchmarks.prk.loops.numba_options import compiled

    return compiled(sweep)


@click.command(name="synch_p2p")
@program.options
@program.size("--rows", 1000, 2, "Rows of the grid.")
@program.size("--columns", 1000, 2, "Columns of the grid, of which each PE has some.")
def command(rows: int, columns: int, **how: Any) -> None:
    """Let a wave front run over a grid, from one PE to the next."""
    program.run(SynchP2p(rows, columns), **how)


if __name__ == "__main__":
    program.main(command)
