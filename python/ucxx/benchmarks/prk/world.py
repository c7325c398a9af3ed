# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What a kernel needs of a programming model."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

import click

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ucxx.benchmarks.prk.layout import Layout

    Doubles = NDArray[np.float64]
    Bytes = NDArray[np.uint8]
    Call = Callable[[Doubles, Doubles, int, int], None]
    Take = Callable[[Bytes, Bytes, int, int], None]
    Increase = Callable[[Doubles, Doubles], None]

# The name of a model, and the package that speaks it.
MODELS = {"shmem": "over_shmem", "mpi4py": "over_mpi"}


class Halo(Protocol):
    """The borders of a block, one for each side; side `n ^ 1` is the opposite one.

    Attributes:
        outgoing: the values for the neighbour at each side, which the caller fills.
    """

    outgoing: list[Doubles]

    def exchange(self) -> list[Doubles]:
        """Send what is outgoing; return what came from each side, valid until the next call."""


class Wave(Protocol):
    """Single values that go from each PE to the next one, a row after the other.

    Attributes:
        compiled: whether `receive` and `send` are functions of Numba.
        memory: what these two get as their second argument.
        receive: `receive(grid, memory, row, step)` waits for the first value of a row.
        send: `send(grid, memory, row, step)` sends the last one.
    """

    compiled: bool
    memory: Doubles
    receive: Call
    send: Call

    def return_corner(self, grid: Doubles, step: int) -> None:
        """Make the negative last value of the last PE the first one of the first PE."""


class Blocks(Protocol):
    """A block of values from each PE for each PE."""

    @property
    def outgoing(self) -> Doubles:
        """A row for each PE, which the caller fills before an exchange; others after each."""

    def start(self) -> None:
        """Begin an exchange."""

    def block_from(self, pe: int) -> Doubles:
        """Return the block of a PE, valid until the next call."""

    def end(self) -> None:
        """End the exchange: all blocks were read."""


class Strings(Protocol):
    """Bytes of each PE, as many.

    Attributes:
        own: those of this PE.
    """

    own: Bytes

    def turn(self, times: int) -> None:
        """Gather those of all, and take some of them; so many times."""


class VectorSum(Protocol):
    """A vector of each PE, and the sum of them.

    Attributes:
        own: what is added up.
    """

    own: Doubles

    @property
    def values(self) -> Doubles:
        """Those of this PE: on PE 0 the last sum, else its own."""

    def turn(self, times: int) -> None:
        """Increase the own values, and add all up; so many times. PE 0 has the sum."""


class Counters(Protocol):
    """Two counters of PE 0: a point on a circle, or counts."""

    def update(self, times: int) -> None:
        """Change both, so many times; all is there at the end."""

    def values(self) -> tuple[float, float]:
        """Return both."""


class SharedTable(Protocol):
    """A table, each element of which is its own index at first."""

    def change(self, first: int, number: int) -> None:
        """Change so many elements, by powers of 2 from one on."""

    def finish(self) -> None:
        """Wait until all changes of this PE are there."""

    def values(self) -> NDArray[np.uint64]:
        """Return the elements of this PE, in the order of their indices."""


class VectorGather(Protocol):
    """A vector of which each PE has a part.

    Attributes:
        own: the part of this PE.
        all: all of it, until the next gather.
    """

    own: Doubles
    all: Doubles

    def gather(self) -> None:
        """Get the parts of all."""


class Panels(Protocol):
    """Parts of two matrices, which PEs of a grid give each other.

    Attributes:
        column: of this PE.
        row: of this PE.
        own_left: who gives fills it, behind `next`.
        own_right: the same.
        left: what came, until the next exchange.
        right: the same.
    """

    column: int
    row: int
    own_left: Doubles
    own_right: Doubles
    left: Doubles
    right: Doubles

    def next(self) -> None:
        """Let both `own` be filled."""

    def exchange(self, column: int, row: int) -> None:
        """Let the PEs of a column give within their rows, those of a row within their columns."""


class World(Protocol):
    """All PEs.

    Attributes:
        me: the number of this one.
        pes: how many there are.
    """

    me: int
    pes: int

    def barrier(self) -> None:
        """Wait for all."""

    def total(self, value: float) -> float:
        """Return the sum of the values of all."""

    def largest(self, value: float) -> float:
        """Return the largest of the values of all."""

    def halo(self, peers: Sequence[int | None], counts: Sequence[int]) -> Halo:
        """Return the borders towards some neighbours, of so many values each."""

    def wave(self, rows: int, language: str) -> Wave:
        """Return the values between columns of blocks of so many rows."""

    def blocks(self, count: int, gets: bool) -> Blocks:
        """Return blocks of so many values; each PE gets what it wants, or all exchange at once."""

    def strings(self, length: int, take: Take, language: str) -> Strings:
        """Return strings of so many bytes, of which `take(own, everything, me, pes)` takes some."""

    def vector_sum(self, length: int, increase: Increase, language: str) -> VectorSum:
        """Return vectors of so many values, each of which `increase(own, values)` increases."""

    def counters(self, locks: bool, language: str) -> Counters:
        """Return counters: a point that is turned under a lock, or counts. Not over mpi4py."""

    def shared_table(self, layout: Layout, language: str) -> SharedTable:
        """Return a table. Not over mpi4py."""

    def vector_gather(self, length: int, count: int) -> VectorGather:
        """Return a vector, of which this PE has `count` values. Not over mpi4py."""

    def panels(self, columns: int, left: tuple[int, int], right: tuple[int, int]) -> Panels:
        """Return panels of a grid of PEs with so many columns. Not over mpi4py."""

    def close(self) -> None:
        """Give back the memory of all that was made here."""


@cache
def world(model: str) -> World:
    """Return the PEs of this job.

    Raises:
        click.ClickException: the model is not installed.
    """
    try:
        package: Any = importlib.import_module(f"{__package__}.{MODELS[model]}.world")
        found: World = package.World()
    except ImportError as error:
        raise click.ClickException(f"--model {model} is not installed: {error}") from error
    return found
