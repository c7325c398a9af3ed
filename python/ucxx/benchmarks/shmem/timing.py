# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""How long statements take on PEs that run them together."""

from __future__ import annotations

import time
import timeit
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ucxx.benchmarks.shmem.figures import EVERY, ONE, PAIR

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_MOST = 1 << 23  # statements of one run


class TooFewError(Exception):
    """The PEs have not met: the launcher is that of another library."""

    def __init__(self, pes: int) -> None:
        """Say how many there are."""
        super().__init__(
            f"there is {pes} PE: 2 or more are needed, under the launcher of the same library"
        )


class Statement(NamedTuple):
    """What is timed.

    Attributes:
        text: what PE 0 runs, and all others of figures in which all take part.
        answer: what PE 1 runs, of a pair.
        calls: so many are in it, or half round trips.
        is_loop: `text` is the name of a function that repeats it as often as its argument says.
    """

    text: str
    answer: str = ""
    calls: int = 1
    is_loop: bool = False


class Model(Protocol):
    """How PEs reach each other.

    Attributes:
        me: the number of this PE.
        statements: by the name of the figure; what is not there the model does not have.
    """

    me: int
    statements: Mapping[str, Statement]

    def names(self, size: int) -> dict[str, Any]:
        """Return what the statements use, for transfers of so many bytes."""

    def meet(self) -> None:
        """Wait for all PEs."""

    def agree(self, value: int) -> int:
        """Return the value of PE 0 on all PEs."""

    def end(self) -> None:
        """Complete what PE 0 has started."""

    def compute_meanwhile(self) -> None:
        """On PE 0: tell the others that it is done. On them: compute until then."""

    def close(self) -> None:
        """Give memory back."""


def measure(model: Model, figure: str, size: int, run_ns: float, repeats: int) -> list[float]:
    """Return the nanoseconds of a call, of several runs of about `run_ns`."""
    run = _Run(model, figure, size)
    count = _count(run, run_ns)
    return [run.time(count) / (count * model.statements[figure].calls) for _ in range(repeats)]


class _Run:
    """Runs the statements of a figure."""

    def __init__(self, model: Model, figure: str, size: int) -> None:
        self.model, self._who = model, EVERY[figure].who
        statement = model.statements[figure]
        text = statement.answer if self._who == PAIR and model.me == 1 else statement.text
        takes_part = self._who not in (ONE, PAIR) or model.me < (1 if self._who == ONE else 2)
        self._repeat = _loop(text, statement.is_loop, model.names(size)) if takes_part else None

    def time(self, count: int) -> int:
        """Return the nanoseconds of so many statements."""
        model = self.model
        model.meet()
        begin = time.perf_counter_ns()
        if self._repeat is not None:
            self._repeat(count)
            if self._who == ONE:
                model.end()
        taken = time.perf_counter_ns() - begin
        if self._who == ONE:
            model.compute_meanwhile()
        return taken


def _loop(text: str, is_loop: bool, names: dict[str, Any]) -> Callable[[int], object]:
    """Return what repeats a statement: Python, or a loop that is compiled."""
    loop: Callable[[int], object] = names[text] if is_loop else timeit.Timer(text, globals=names).timeit
    return loop


def _count(run: _Run, run_ns: float) -> int:
    """Return how many statements take about the time of a run."""
    count = 1
    while True:
        # The least: an interruption would have it end with too few.
        taken = min(run.time(count) for _ in range(3))
        if run.model.agree(taken > run_ns / 8 or count >= _MOST):
            return run.model.agree(min(_MOST, max(1, int(count * run_ns / max(1, taken)))))
        count *= 4
