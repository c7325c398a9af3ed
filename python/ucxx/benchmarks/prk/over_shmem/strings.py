# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Strings by fcollect."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ucxx import shmem
from ucxx.benchmarks.prk.loops import numba_options

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.over_shmem.memory import Memory
    from ucxx.benchmarks.prk.world import Bytes, Take

    Turns = Callable[[int, int], None]


class Strings:
    """Bytes of each PE, as many.

    There are two sets of memory for those of all, in turn: who is ahead writes those of its next gather.
    """

    def __init__(self, memory: Memory, length: int, take: Take, language: str) -> None:
        """Make the memory, and the function."""
        self.own: Bytes = memory.zeros(length, np.uint8)
        count = length * shmem.n_pes()
        sets = memory.zeros(count, np.uint8), memory.zeros(count, np.uint8)
        make = compiled_turns if language == "numba" else plain_turns
        self._turns = make(self.own, sets, take)
        self._ended = 0

    def turn(self, times: int) -> None:
        """Gather those of all, and take some of them; so many times."""
        self._turns(self._ended, times)
        self._ended += times


def plain_turns(own: Bytes, sets: tuple[Bytes, Bytes], take: Take) -> Turns:
    """Return a function that gathers by calls from Python."""
    me, pes = shmem.my_pe(), shmem.n_pes()

    def turn(first: int, times: int) -> None:
        for number in range(first, first + times):
            everything = sets[number % 2]
            shmem.fcollect(everything, own)
            take(own, everything, me, pes)

    return turn


def compiled_turns(own: Bytes, sets: tuple[Bytes, Bytes], take: Take) -> Turns:
    """Return a function of Numba that gathers by calls of C, without Python in between.

    The number of PEs is an argument: as a constant it would make another loop of `take` than in C.
    """
    me, pes, length = shmem.my_pe(), shmem.n_pes(), len(own)
    fcollect, team = shmem.c.fcollectmem, shmem.TEAM_WORLD.handle
    at_own, at_even, at_odd = (one.ctypes.data for one in (own, *sets))

    def turn(own: Any, even: Any, odd: Any, me: int, pes: int, first: int, times: int) -> None:
        for number in range(first, first + times):
            is_even = number % 2 == 0
            fcollect(team, at_even if is_even else at_odd, at_own, length)
            take(own, even if is_even else odd, me, pes)

    compiled = numba_options.compiled(turn)
    return lambda first, times: compiled(own, *sets, me, pes, first, times)
