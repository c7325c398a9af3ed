# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Processes that a launcher starts, `python -m ucxx.benchmarks.rank PATH`, and their way home."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    import subprocess

_SECONDS = 30


class Rank:
    """The connection to a process, as `ucxx.testing.Peer` has one."""

    def __init__(self, connection: Connection) -> None:
        """Keep the connection."""
        self._words = connection
        self.send = connection.send

    def receive(self, timeout: float) -> Any:
        """Return the next object that the process sends. Raises TimeoutError, EOFError."""
        if not self._words.poll(timeout):
            raise TimeoutError(f"a rank has sent nothing for {timeout} s")
        return self._words.recv()


class CallHome:
    """A socket in a folder that only this user can read, at which processes report."""

    def __init__(self, count: int) -> None:
        """Listen for so many processes."""
        self._folder = tempfile.TemporaryDirectory(prefix="ucxx-")
        self.path = os.path.join(self._folder.name, "home")
        self._count = count
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(self.path)
        self._socket.listen(count)
        self._socket.settimeout(0.1)

    def __enter__(self) -> Self:
        """Return it."""
        return self

    def __exit__(self, *exception: object) -> None:
        """Stop listening."""
        self._socket.close()
        self._folder.cleanup()

    def wait(
        self,
        launcher: subprocess.Popen[bytes],
        function: Callable[..., object],
        args: tuple[Any, ...],
    ) -> list[Rank]:
        """Return a Rank for each process, which runs `function(words, *args)` from now on.

        Raises:
            RuntimeError: the launcher has ended before. TimeoutError: not all have come.
        """
        ranks: list[Rank] = []
        deadline = time.monotonic() + _SECONDS
        while len(ranks) < self._count:
            try:
                connection = Connection(self._socket.accept()[0].detach())
            except TimeoutError:
                if launcher.poll() is not None:
                    raise RuntimeError(f"mpiexec has ended with {launcher.returncode}") from None
                if time.monotonic() > deadline:
                    raise
                continue
            connection.send((function, args))
            ranks.append(Rank(connection))
        return ranks


def _main(path: str) -> None:
    home = socket.socket(socket.AF_UNIX)
    home.connect(path)
    words = Connection(home.detach())
    function, args = words.recv()
    function(words, *args)


if __name__ == "__main__":
    _main(sys.argv[1])
