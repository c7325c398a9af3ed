# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Strings by Allgather."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from mpi4py import MPI

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import Bytes, Take


class Strings:
    """Bytes of each PE, as many."""

    def __init__(self, comm: MPI.Intracomm, length: int, take: Take) -> None:
        """Make the memory."""
        self._comm = comm
        self._take = take
        self.own: Bytes = np.zeros(length, np.uint8)
        self._all: Bytes = np.zeros(length * comm.size, np.uint8)

    def turn(self, times: int) -> None:
        """Gather those of all, and take some of them; so many times."""
        for _ in range(times):
            self._comm.Allgather((self.own, MPI.BYTE), (self._all, MPI.BYTE))
            self._take(self.own, self._all, self._comm.rank, self._comm.size)
