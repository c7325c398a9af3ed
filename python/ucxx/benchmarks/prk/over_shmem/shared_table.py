# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A table that PEs change by atomic operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ucxx import shmem
from ucxx.benchmarks.prk import powers
from ucxx.benchmarks.prk.loops import numba_options

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.over_shmem.memory import Memory

    Change = Callable[[int, int], None]


class SharedTable:
    """The part of a PE; each element is its own index at first."""

    def __init__(self, memory: Memory, elements: int, language: str) -> None:
        """Make the memory, and the function."""
        part = -(-elements // shmem.n_pes())
        first = shmem.my_pe() * part
        self._own = memory.zeros(part, np.uint64)
        self._wanted = np.arange(first, first + part, dtype=np.uint64)
        self._own[:] = self._wanted
        make = compiled_changes if language == "numba" else plain_changes
        self.change: Change = make(self._own, elements)
        shmem.barrier_all()

    def finish(self) -> None:
        """Wait until all changes of this PE are there."""
        shmem.quiet()

    def wrong(self) -> float:
        """Return how many elements are not their own index."""
        return float((self._own != self._wanted).sum())


def plain_changes(own: Any, elements: int) -> Change:
    """Return a function that makes so many changes, from a value on, by calls from Python."""
    part = len(own)
    places = [own[index : index + 1] for index in range(part)]
    change_one, doubled = shmem.atomic_xor, powers.doubled

    def change(value: int, number: int) -> None:
        for _ in range(number):
            pe, index = divmod(value % elements, part)
            change_one(places[index], value, pe)
            value = doubled(value)

    return change


def compiled_changes(own: Any, elements: int) -> Change:
    """Return a function of Numba that does it by calls of C."""
    change_one, item, natural = shmem.c.uint64_atomic_xor, own.itemsize, numba_options.natural
    address, part, count = own.ctypes.data, natural(len(own)), natural(elements)
    one, high, low = natural(1), natural(powers.HIGH_TERM), natural(powers.LOW_TERMS)

    def change(first: int, number: int) -> None:
        value = natural(first)
        for _ in range(number):
            index = value % count
            change_one(address + int(index % part) * item, value, int(index // part))
            value = value << one
            if value & high:
                value = value ^ high ^ low

    return numba_options.compiled(change)
