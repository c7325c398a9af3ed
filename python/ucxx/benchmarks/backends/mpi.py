# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""MPI by mpi4py: blocking Send and Recv between two ranks, which mpiexec starts."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ucxx.benchmarks import kinds
from ucxx.benchmarks.backends.base import Announce, Call, SyncBackend
from ucxx.benchmarks.rank import CallHome, Rank

if TYPE_CHECKING:
    from mpi4py import MPI

    from ucxx.benchmarks.message import Message, ObjectMessage


def _mpiexec() -> str | None:
    """Return the mpiexec beside the interpreter (wheels of MPI bring one), else of the path."""
    beside = os.path.dirname(sys.executable)
    return shutil.which("mpiexec", path=beside) or shutil.which("mpiexec")


def _environment() -> dict[str, str]:
    """Return ours; Open MPI wants to hear twice that root may do this."""
    allowed = (
        {}
        if os.geteuid()
        else {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    )
    return {**os.environ, **allowed}


class Backend(SyncBackend):
    """Two ranks of COMM_WORLD."""

    object_types = kinds.NAMES
    sleeps = False
    meets = False

    @classmethod
    def missing(cls) -> str | None:
        """Return what is not installed, or None."""
        if importlib.util.find_spec("mpi4py") is None:
            return "mpi4py is not installed"
        return None if _mpiexec() else "there is no mpiexec beside mpi4py"

    @classmethod
    @contextlib.contextmanager
    def processes(cls, function: Callable[..., object], *args: Any) -> Iterator[list[Rank]]:
        """Give the two ranks, which run `function(words, *args)`."""
        with CallHome(2) as home:
            command = [_mpiexec() or "mpiexec", "--bind-to", "none", "-n", "2", sys.executable]
            ranks = subprocess.Popen(
                [*command, "-m", "ucxx.benchmarks.rank", home.path],
                env=_environment(),
                stdin=subprocess.DEVNULL,
            )
            try:
                peers = home.wait(ranks, function, args)
                yield peers
                with contextlib.suppress(subprocess.TimeoutExpired):
                    ranks.wait(10)
            finally:
                ranks.terminate()
                ranks.wait()

    _world: MPI.Intracomm

    def serve(self, announce: Announce) -> None:
        """Say that the other one may come: MPI starts when both are there."""
        announce(None)
        self.connect(None)

    def connect(self, address: None) -> None:
        """Start MPI."""
        from mpi4py import MPI

        self._world = MPI.COMM_WORLD

    def calls(self, message: Message) -> tuple[Call, Call]:
        """Return functions that send and receive the buffers one after the other."""
        world_send, world_receive = self._world.Send, self._world.Recv
        other = 1 - self._world.rank

        def send() -> None:
            for buffer in message.sent:
                world_send(buffer, other)

        def receive() -> None:
            for buffer in message.received if message.reuse else message.fresh():
                world_receive(buffer, other)

        return send, receive

    def object_calls(self, message: ObjectMessage) -> tuple[Call, Call]:
        """Return functions of send and recv, which pickle."""
        world, other = self._world, 1 - self._world.rank

        def receive() -> None:
            message.received = world.recv(source=other)

        return lambda: world.send(message.sent, other), receive
