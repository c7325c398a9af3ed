# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Borders by messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from mpi4py import MPI

if TYPE_CHECKING:
    from ucxx.benchmarks.prk.world import Doubles


class Halo:
    """The borders of a block."""

    def __init__(
        self, comm: MPI.Intracomm, peers: Sequence[int | None], counts: Sequence[int]
    ) -> None:
        """Make the memory."""
        self._comm = comm
        self.outgoing: list[Doubles] = [np.zeros(count) for count in counts]
        self._incoming: list[Doubles] = [np.zeros(count) for count in counts]
        sides = [(side, peer) for side, peer in enumerate(peers) if peer is not None]
        self._receives = [
            ((self._incoming[side], MPI.DOUBLE), peer, side ^ 1) for side, peer in sides
        ]
        self._sends = [((self.outgoing[side], MPI.DOUBLE), peer, side) for side, peer in sides]

    def exchange(self) -> list[Doubles]:
        """Send what is outgoing; return what came from each side, valid until the next call."""
        receive, send = self._comm.Irecv, self._comm.Isend
        requests = [receive(*values) for values in self._receives]
        requests += [send(*values) for values in self._sends]
        MPI.Request.Waitall(requests)
        return self._incoming
