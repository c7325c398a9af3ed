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
    from numpy.typing import NDArray

    from ucxx.benchmarks.prk.layout import Layout
    from ucxx.benchmarks.prk.over_shmem.memory import Memory

    Change = Callable[[int, int], None]


class SharedTable:
    """The part of a PE; each element is its own index at first."""

    def __init__(self, memory: Memory, layout: Layout, language: str) -> None:
        """Make the memory, and the function."""
        owned = np.array(layout.owned(shmem.my_pe()))
        self._own = memory.zeros(layout.part, np.uint64)
        self._places = owned & (layout.part - 1)
        self._own[self._places] = owned
        make = compiled_changes if language == "numba" else plain_changes
        self.change: Change = make(self._own, layout)
        shmem.barrier_all()

    def finish(self) -> None:
        """Wait until all changes of this PE are there."""
        shmem.quiet()

    def values(self) -> NDArray[np.uint64]:
        """Return the elements of this PE, in the order of their indices."""
        found: NDArray[np.uint64] = self._own[self._places]
        return found


def plain_changes(own: Any, layout: Layout) -> Change:
    """Return a function that makes so many changes, from a value on, by calls from Python."""
    mask, bits, pes, last = (1 << layout.bits) - 1, layout.bits, layout.pes, layout.part - 1
    places = [own[place : place + 1] for place in range(layout.part)]
    change_one, doubled = shmem.atomic_xor, powers.doubled

    def change(value: int, number: int) -> None:
        for _ in range(number):
            index = value & mask
            change_one(places[index & last], value, index * pes >> bits)
            value = doubled(value)

    return change


def compiled_changes(own: Any, layout: Layout) -> Change:
    """Return a function of Numba that does it by calls of C."""
    change_one, item, natural = shmem.c.uint64_atomic_xor, own.itemsize, numba_options.natural
    address, bits, pes = own.ctypes.data, natural(layout.bits), natural(layout.pes)
    mask, last = natural((1 << layout.bits) - 1), natural(layout.part - 1)
    one, high, low = natural(1), natural(powers.HIGH_TERM), natural(powers.LOW_TERMS)

    def change(first: int, number: int) -> None:
        value = natural(first)
        for _ in range(number):
            index = value & mask
            change_one(address + int(index & last) * item, value, int(index * pes >> bits))
            value = value << one
            if value & high:
                value = value ^ high ^ low

    return numba_options.compiled(change)
