# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The ping-pong of OpenSHMEM in a loop that Numba compiles: it calls `ucxx.shmem.c`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numba

from ucxx import shmem
from ucxx.benchmarks.shmem import over_shmem
from ucxx.benchmarks.shmem.timing import Statement


class Model(over_shmem.Model):
    """All PEs of the job."""

    def __init__(self, module: str, largest: int) -> None:
        """Make the arrays, for transfers of up to so many bytes; compile the loop."""
        super().__init__("ucxx.shmem", largest)
        self.statements = {"ping_pong": Statement("exchange", "exchange", calls=2, is_loop=True)}
        self._turn_of_pair = 0
        self._compiled = _compiled()

    def names(self, size: int) -> dict[str, Any]:
        """Return the loop."""
        return {"exchange": functools.partial(self._exchange, size)}

    def _exchange(self, size: int, count: int) -> None:
        first = self._turn_of_pair + 1
        self._turn_of_pair += count
        addresses = (array.ctypes.data for array in (self._target, self._source, self._came))
        self._compiled(*addresses, size, self.me, first, self._turn_of_pair)


def _compiled() -> Callable[..., None]:
    put_signal, wait_until = shmem.c.putmem_signal, shmem.c.signal_wait_until
    set_, equal = int(shmem.SIGNAL_SET), int(shmem.CMP_EQ)

    @numba.njit(nogil=True)  # type: ignore[untyped-decorator,unused-ignore]
    def exchange(
        target: int, source: int, came: int, size: int, me: int, first: int, last: int
    ) -> None:
        for turn in range(first, last + 1):
            if me == 0:
                put_signal(target, source, size, came, turn, set_, 1)
                wait_until(came, equal, turn)
            else:
                wait_until(came, equal, turn)
                put_signal(target, source, size, came, turn, set_, 0)

    loop: Callable[..., None] = exchange
    return loop
