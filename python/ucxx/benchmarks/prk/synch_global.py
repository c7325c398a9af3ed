# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""synch_global: all PEs exchange strings of digits, and each takes every n-th digit of all of them.

`oshrun -n 4 python -m ucxx.benchmarks.prk.synch_global --language numba`
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import click

from ucxx.benchmarks.prk import program
from ucxx.benchmarks.prk.loops import loops

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import Take, World

_ZERO, _DIGITS = ord("0"), 10


@dataclasses.dataclass(frozen=True)
class SynchGlobal:
    """The kernel and its size."""

    length: int
    name = "synch_global"
    unit = "steps/s"

    def check(self, pes: int) -> None:
        """All can do it."""

    def sizes(self) -> dict[str, int | str]:
        """Return what was chosen, by name."""
        return {"length": self.length}

    def work(self, pes: int) -> float:
        """Return 1: an iteration is a step."""
        return 1

    def start(self, among: World, language: str) -> Digits:
        """Make the memory."""
        return Digits(self, among, loops(self.name, language).take, language)


class Digits:
    """The string of a PE."""

    def __init__(self, kernel: SynchGlobal, among: World, take: Take, language: str) -> None:
        """Fill it: each digit as often as the others, as far as that goes."""
        import numpy as np

        before = among.me * kernel.length
        self._among = among
        self._strings = among.strings(kernel.length, take, language)
        self._strings.own[:] = _ZERO + np.arange(before, before + kernel.length) % _DIGITS
        self._expected = self._sum()

    def steps(self, times: int) -> None:
        """Gather the strings of all, and take some digits of each."""
        self._strings.turn(times)

    def result(self, iterations: int) -> tuple[float, float]:
        """Return the sum of all digits, and what it was at first."""
        return self._sum(), self._expected

    def _sum(self) -> float:
        return self._among.total(float((self._strings.own.astype(float) - _ZERO).sum()))


@click.command(name="synch_global")
@program.options
@program.size("--length", 1000, 1, "Digits of the string of a PE.")
def command(length: int, **how: Any) -> None:
    """Let each PE take some digits of the strings of all, which are exchanged."""
    program.run(SynchGlobal(length), **how)


if __name__ == "__main__":
    program.main(command)
