# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The statements of MPI in Python that do the same: a window, Send and Recv, collectives."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from mpi4py import MPI

from ucxx.benchmarks.shmem.over_shmem import PAGE, pages
from ucxx.benchmarks.shmem.timing import Statement, TooFewError

# The order of a put and an accumulate is not defined: the put ends before.
_PUT = "put(source, {0}); flush({0}); accumulate({1}, {0}, flag_at, REPLACE); flush({0})"
_AWAIT = "while came[0] != {}: sync()"

# A put of OpenSHMEM gives its source back, a get is complete: MPI needs a flush for both.
STATEMENTS = {
    "put": Statement("put(value, 1); flush_local(1)"),
    "get": Statement("get(value, 1); flush(1)"),
    "fetch_add": Statement("fetch_and_op(one, result, 1); flush(1)"),
    "inc": Statement("accumulate(one, 1); flush_local(1)"),
    "my_pe": Statement("rank()"),
    "quiet": Statement("flush_all()"),
    "put_wait": Statement(
        "send(value, 1); receive(value, 1)", "receive(value, 0); send(value, 0)", calls=2
    ),
    "barrier_all": Statement("barrier()"),
    "fcollect": Statement("allgather(value, all_of_us)"),
    "sum_reduce": Statement("allreduce(value, result)"),
    "bandwidth": Statement("put(source, 1)"),
    "ping_pong": Statement(
        "send(source, 1); receive(incoming, 1)", "receive(incoming, 0); send(source, 0)", calls=2
    ),
    "ping_pong_rma": Statement(
        f"{_PUT.format(1, 'one')}\n{_AWAIT.format(1)}\n{_PUT.format(1, 'zero')}\n{_AWAIT.format(0)}",
        f"{_AWAIT.format(1)}\n{_PUT.format(0, 'one')}\n{_AWAIT.format(0)}\n{_PUT.format(0, 'zero')}",
        calls=4,
    ),
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
        flag_at = -(-largest // PAGE) * PAGE
        self._window = window = MPI.Win.Allocate(flag_at + PAGE, 1, comm=world)
        memory: Any = np.asarray(window.tomemory()).view(np.uint8)
        memory[:] = 0
        window.Lock_all()
        self._source, self._incoming = pages(largest), pages(largest)
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
            "zero": np.zeros(1, np.int64),
            "flag_at": flag_at,
            "came": memory[flag_at : flag_at + 8].view(np.int64),
            "sync": window.Sync,
            "REPLACE": MPI.REPLACE,
            "result": np.zeros(1, np.int64),
            "all_of_us": np.zeros(world.size, np.int64),
        }

    def names(self, size: int) -> dict[str, Any]:
        """Return what the statements use."""
        some = {"source": self._source[:size], "incoming": self._incoming[:size]}
        return {**self._names, **some}

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
