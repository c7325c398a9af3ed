# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The sum of vectors by a reduction, of which all PEs get the result: there is none for one alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ucxx import shmem
from ucxx.benchmarks.prk.loops import numba_options

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.over_shmem.memory import Memory
    from ucxx.benchmarks.prk.world import Doubles, Increase

    Turns = Callable[[Doubles, int, int], Doubles]


class VectorSum:
    """A vector of each PE, and the sum of them.

    There are two sets of memory for the sum, in turn: who is ahead writes that of its next one.
    """

    def __init__(self, memory: Memory, length: int, increase: Increase, language: str) -> None:
        """Make the memory, and the function."""
        self.own: Doubles = memory.zeros(length)
        sets = memory.zeros(length), memory.zeros(length)
        make = compiled_turns if language == "numba" else plain_turns
        self._turns = make(self.own, sets, increase)
        self._ended = 0
        self.values = self.own

    def turn(self, times: int) -> None:
        """Increase the own values, and add all up; so many times."""
        self.values = self._turns(self.values, self._ended, times)
        self._ended += times


def plain_turns(own: Doubles, sets: tuple[Doubles, Doubles], increase: Increase) -> Turns:
    """Return a function that adds up by calls from Python; it returns the values then."""
    is_first = shmem.my_pe() == 0

    def turn(values: Doubles, first: int, times: int) -> Doubles:
        for number in range(first, first + times):
            total = sets[number % 2]
            increase(own, values)
            shmem.sum_reduce(total, own)
            if is_first:
                values = total
        return values

    return turn


def compiled_turns(own: Doubles, sets: tuple[Doubles, Doubles], increase: Increase) -> Turns:
    """Return a function of Numba that adds up by calls of C, without Python in between."""
    is_first, length = shmem.my_pe() == 0, len(own)
    sum_reduce, team = shmem.c.double_sum_reduce, shmem.TEAM_WORLD.handle
    at_own, at_even, at_odd = (one.ctypes.data for one in (own, *sets))

    def turn(own: Any, even: Any, odd: Any, values: Any, first: int, times: int) -> Any:
        for number in range(first, first + times):
            is_even = number % 2 == 0
            increase(own, values)
            sum_reduce(team, at_even if is_even else at_odd, at_own, length)
            if is_first:
                values = even if is_even else odd
        return values

    compiled = numba_options.compiled(turn)
    return lambda values, first, times: compiled(own, *sets, values, first, times)
