# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The sum of vectors by Reduce."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from mpi4py import MPI

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import Doubles, Increase


class VectorSum:
    """A vector of each PE, and the sum of them."""

    def __init__(self, comm: MPI.Intracomm, length: int, increase: Increase) -> None:
        """Make the memory."""
        self._comm = comm
        self._increase = increase
        self.own: Doubles = np.zeros(length)
        self.values = self.own
        self._sent = MPI.IN_PLACE if comm.rank == 0 else (self.own, MPI.DOUBLE)

    def turn(self, times: int) -> None:
        """Increase the own values, and add all up; so many times."""
        for _ in range(times):
            self._increase(self.own, self.values)
            self._comm.Reduce(self._sent, (self.own, MPI.DOUBLE))
