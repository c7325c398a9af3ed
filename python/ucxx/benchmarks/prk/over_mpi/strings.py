# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Strings by Allgather."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from mpi4py import MPI

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import Bytes


class Strings:
    """Bytes of each PE, as many."""

    def __init__(self, comm: MPI.Intracomm, length: int) -> None:
        """Make the memory."""
        self._comm = comm
        self.own: Bytes = np.zeros(length, np.uint8)
        self.all: Bytes = np.zeros(length * comm.size, np.uint8)

    def gather(self) -> None:
        """Get those of all."""
        self._comm.Allgather((self.own, MPI.BYTE), (self.all, MPI.BYTE))
