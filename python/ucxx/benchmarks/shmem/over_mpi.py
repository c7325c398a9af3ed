# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The statements of MPI in Python that do the same: a window, Send and Recv, collectives."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from mpi4py import MPI

from ucxx.benchmarks.shmem.over_shmem import pages
from ucxx.benchmarks.shmem.timing import Statement, TooFewError

# A put of OpenSHMEM gives its source back, a get is complete: MPI needs a flush for both.
STATEMENTS = {
    "put": Statement("put(value, 1); flush_local(1)"),
    "get": Statement("get(value, 1); flush(1)"),
    "fetch_add": Statement("fetch_and_op(one, result, 1); flush(1)"),
    "inc": Statement("accumulate(one, 1); flush_local(1)"),
    "my_pe": Statement("rank()"),
    "quiet": Statement("flush_all()"),
    "ping_pong": Statement(
        "send(value, 1); receive(value, 1)", "receive(value, 0); send(value, 0)", calls=2
    ),
    "barrier_all": Statement("barrier()"),
    "fcollect": Statement("allgather(value, all_of_us)"),
    "sum_reduce": Statement("allreduce(value, result)"),
    "bandwidth": Statement("put(source, 1)"),
}


class Model:
    """All of COMM_WORLD."""

    def __init__(self, module: str, largest: int) -> None:
        """Make a window, for transfers of up to so many bytes."""
        self._world = world = MPI.COMM_WORLD
        self.me: int = world.rank
        if world.size < 2:
            raise TooFewError(world.size)
        self.statements = STATEMENTS
        self._window = window = MPI.Win.Allocate(max(8, largest), 1, comm=world)
        window.Lock_all()
        self._source = pages(largest)
        self._names = {
            "put": window.Put,
            "get": window.Get,
            "fetch_and_op": window.Fetch_and_op,
            "accumulate": window.Accumulate,
            "flush": window.Flush,
            "flush_local": window.Flush_local,
            "flush_all": window.Flush_all,
            "rank": world.Get_rank,
            "send": world.Send,
            "receive": world.Recv,
            "barrier": world.Barrier,
            "allgather": world.Allgather,
            "allreduce": world.Allreduce,
            "value": np.full(1, 7, np.int64),
            "one": np.ones(1, np.int64),
            "result": np.zeros(1, np.int64),
            "all_of_us": np.zeros(world.size, np.int64),
        }

    def names(self, size: int) -> dict[str, Any]:
        """Return what the statements use."""
        return {**self._names, "source": self._source[:size]}

    def meet(self) -> None:
        """Wait for all."""
        self._world.Barrier()

    def agree(self, value: int) -> int:
        """Return the value of rank 0 on all ranks."""
        return int(self._world.bcast(value))

    def end(self) -> None:
        """Complete the puts."""
        self._window.Flush_all()

    def compute_meanwhile(self) -> None:
        """Look for the message of rank 0."""
        if self.me == 0:
            for rank in range(1, self._world.size):
                self._world.send(None, rank)
            return
        while not self._world.Iprobe(0):
            os.sched_yield()
        self._world.recv(source=0)

    def close(self) -> None:
        """Give the window back."""
        self._window.Unlock_all()
        self._window.Free()
