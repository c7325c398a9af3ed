# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""PEs that the launcher of another OpenSHMEM library starts."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from multiprocessing.connection import Connection

from ucxx._shmem_adapters.kept import Adapter
from ucxx.testing._pe import Failure

GRACE = 5.0  # seconds


class Job:
    """A running launcher: the process that all PEs share, as far as their starter can see."""

    def __init__(self, command: list[str]) -> None:
        """Start it in a session of its own, so that it can be ended with all that it has started."""
        # Not what libraries of C have added since, as Open MPI does for a process that it has initialised.
        self.command = " ".join(command)
        self._launcher = subprocess.Popen(command, start_new_session=True, stdin=subprocess.DEVNULL,
                                          env=dict(os.environ))

    def is_alive(self) -> bool:
        """Whether the launcher runs."""
        return self._launcher.poll() is None

    def join(self, timeout: float) -> None:
        """Wait for the end of the launcher."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._launcher.wait(timeout)

    def kill(self) -> None:
        """End it; it gets the time to end the PEs, of which nobody else may know all."""
        self._launcher.terminate()
        self.join(GRACE)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._launcher.pid, signal.SIGKILL)
        self.join(GRACE)


class LaunchedPe:
    """A PE of a job, with what a `multiprocessing.Process` has."""

    exitcode = None  # the launcher gets it

    def __init__(self, job: Job, pid: int) -> None:
        """Take the number of the process."""
        self.pid = pid
        self._job = job

    def is_alive(self) -> bool:
        """Whether the job runs: with one PE all end."""
        return self._job.is_alive()

    def join(self, timeout: float) -> None:
        """Wait for the end of the job."""
        self._job.join(timeout)

    def kill(self) -> None:
        """End the PE, and the job."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        self._job.kill()


def launched(adapter: Adapter, count: int, timeout: float) -> list[tuple[LaunchedPe, Connection]]:
    """Start PEs by the library's launcher; return them by their numbers.

    Raises:
        Exception: what a PE has raised in place of its start.
        RuntimeError: no launcher is known, or it has ended before.
        TimeoutError: they have not all started in time.
    """
    if not adapter.launcher:
        raise RuntimeError(f"no launcher is known of the adapter {adapter.name}: make it anew with --launcher")
    with tempfile.TemporaryDirectory(prefix="ucxx-pes-") as folder, socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address := f"{folder}/parent")
        listener.listen(count)
        become = f"from ucxx.testing._pe import be_launched; be_launched({address!r}, {os.getpid()})"
        flags = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]
        job = Job([*adapter.launcher, "-n", str(count), sys.executable, *flags, "-c", become])
        try:
            return _accepted(listener, job, count, time.monotonic() + timeout)
        except BaseException:
            job.kill()
            raise


def _accepted(listener: socket.socket, job: Job, count: int,
              deadline: float) -> list[tuple[LaunchedPe, Connection]]:
    pes: dict[int, tuple[LaunchedPe, Connection]] = {}
    listener.settimeout(0.1)
    while len(pes) < count:
        if (words := _next(listener)) is not None:
            words.poll(max(0.0, deadline - time.monotonic()))
            word = words.recv() if words.poll(0) else None
            if isinstance(word, Failure):
                raise word.as_exception(f"a PE of {count}")
            if word is not None:
                pes[word[0]] = (LaunchedPe(job, word[1]), words)
        elif not job.is_alive():
            raise RuntimeError(f"the launcher has ended before {count} PEs had started: {job.command}")
        if time.monotonic() > deadline:
            raise TimeoutError(f"{count} PEs have not started in time: {job.command}")
    return [pes[pe] for pe in range(count)]


def _next(listener: socket.socket) -> Connection | None:
    """Return the connection of a PE that has come meanwhile, or None."""
    try:
        return Connection(listener.accept()[0].detach())
    except TimeoutError:
        return None
