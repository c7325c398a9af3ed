# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Two counters under a lock, or by atomic operations, each on a page of its own."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ucxx import shmem
from ucxx.benchmarks.prk.loops import numba_options

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.over_shmem.memory import Memory

    Update = Callable[[int], None]

_PAGE = 4096 // 8
_COSINE, _SINE = math.cos(1), math.sin(1)


class Counters:
    """The counters of PE 0: a point, or two counts."""

    def __init__(self, memory: Memory, locks: bool, language: str) -> None:
        """Make the memory, and the function. The point is (1, 0), the counts are 0."""
        pages = memory.zeros(2 * _PAGE, np.float64 if locks else np.int64)
        self._counters = pages[:1], pages[_PAGE : _PAGE + 1]
        self._counters[0][0] = int(locks)
        lock = memory.zeros(1, np.int64)
        if locks:
            make: Callable[..., Update] = compiled_turns if language == "numba" else plain_turns
            self._update = make(*self._counters, lock)
        else:
            make = compiled_increments if language == "numba" else plain_increments
            self._update = make(*self._counters)
        shmem.barrier_all()

    def update(self, times: int) -> None:
        """Change both, so many times; all is there at the end."""
        self._update(times)
        shmem.quiet()

    def values(self) -> tuple[float, float]:
        """Return both."""
        first, second = self._counters
        return float(first[0]), float(second[0])


def plain_turns(x: Any, y: Any, lock: Any) -> Update:
    """Return a function that rotates the point by calls from Python."""

    def update(times: int) -> None:
        for _ in range(times):
            shmem.set_lock(lock)
            old_x, old_y = shmem.g(x, 0), shmem.g(y, 0)
            shmem.p(x, _COSINE * old_x - _SINE * old_y, 0)
            shmem.p(y, _SINE * old_x + _COSINE * old_y, 0)
            shmem.clear_lock(lock)

    return update


def plain_increments(first: Any, second: Any) -> Update:
    """Return a function that increases both by calls from Python."""

    def update(times: int) -> None:
        for _ in range(times):
            shmem.atomic_inc(first, 0)
            shmem.atomic_inc(second, 0)

    return update


def compiled_turns(x: Any, y: Any, lock: Any) -> Update:
    """Return a function of Numba that rotates the point by calls of C."""
    set_lock, clear_lock = shmem.c.set_lock, shmem.c.clear_lock
    get, put = shmem.c.double_g, shmem.c.double_p
    at_x, at_y, at_lock = x.ctypes.data, y.ctypes.data, lock.ctypes.data

    def update(times: int) -> None:
        for _ in range(times):
            set_lock(at_lock)
            old_x, old_y = get(at_x, 0), get(at_y, 0)
            put(at_x, _COSINE * old_x - _SINE * old_y, 0)
            put(at_y, _SINE * old_x + _COSINE * old_y, 0)
            clear_lock(at_lock)

    return numba_options.compiled(update)


def compiled_increments(first: Any, second: Any) -> Update:
    """Return a function of Numba that increases both by calls of C."""
    increase, at_first, at_second = shmem.c.long_atomic_inc, first.ctypes.data, second.ctypes.data

    def update(times: int) -> None:
        for _ in range(times):
            increase(at_first, 0)
            increase(at_second, 0)

    return numba_options.compiled(update)
