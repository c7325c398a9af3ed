# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Processes for tests of what happens between peers; with pytest, the fixture `peers` gives them.

    def serve(words):
        listener = ...
        words.send(listener.port)

    def test_peer_dies(peers):
        (server,) = peers(1, serve)
        port = server.receive()
        server.kill()

Functions that need all PEs of `ucxx.shmem` at once run by the fixture `pes`:

    def my_numbers():
        return shmem.my_pe(), shmem.n_pes()

    def test_numbers(pes):
        assert pes(2, my_numbers) == [(0, 2), (1, 2)]

`pes(count, function, *args)` calls the function, an importable one, on so many PEs, and returns what it
has returned on each. What a PE raises is raised in the test, with a note of its number; a PE that ends is
an error. PEs are kept for further calls if all symmetric memory is freed at the end of a call.

Every wait has a deadline: what takes longer is a failed test, not one that hangs.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, Any, ParamSpec

from ucxx.testing._pes import DEADLINE, Pes, running_pes

if TYPE_CHECKING:
    from ucxx.core import UCXRequest, UCXWorker

_P = ParamSpec("_P")

__all__ = [
    "DEADLINE",
    "Peer",
    "Pes",
    "join_processes",
    "run_in_subprocess",
    "running_peers",
    "running_pes",
    "terminate_process",
    "wait_requests",
]

_spawn = multiprocessing.get_context("spawn")


class Peer:
    """A process that runs `function(words, *args)`, where `words` is its end of a connection.

    The function must be importable: one of a module, not a nested one. The process is a fresh one, not a
    fork; it ends with the peer's object, whatever it does.
    """

    def __init__(self, function: Callable[..., object], *args: Any) -> None:
        """Start the process."""
        self._words, theirs = _spawn.Pipe()
        self.process: BaseProcess = _spawn.Process(
            target=function, args=(theirs, *args), daemon=True
        )
        self.process.start()
        theirs.close()

    @property
    def pid(self) -> int:
        """The number of the process."""
        assert self.process.pid is not None  # it has been started
        return self.process.pid

    def send(self, word: object) -> None:
        """Send the process an object; it does `words.recv()`."""
        self._words.send(word)

    def receive(self, timeout: float = DEADLINE) -> Any:
        """Return the next object that the process sends by `words.send()`.

        Raises:
            TimeoutError: it has sent none in time.
            EOFError: it has ended.
        """
        if not self._words.poll(timeout):
            raise TimeoutError(f"process {self.pid} has sent nothing for {timeout} s")
        return self._words.recv()

    def kill(self) -> None:
        """End the process by SIGKILL, and wait until it has ended."""
        self.signal(signal.SIGKILL)
        self.process.join(DEADLINE)

    def stop(self) -> None:
        """Stop the process by SIGSTOP; `go_on` lets it go on."""
        self.signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let a stopped process go on."""
        self.signal(signal.SIGCONT)

    def signal(self, number: int) -> None:
        """Send the process a signal."""
        os.kill(self.pid, number)

    def join(self, timeout: float = DEADLINE) -> int:
        """Wait for the end of the process; return its exit code.

        Raises:
            TimeoutError: it has not ended in time.
        """
        self.process.join(timeout)
        if self.process.exitcode is None:
            raise TimeoutError(f"process {self.pid} has not ended within {timeout} s")
        return self.process.exitcode

    def end(self) -> None:
        """Hang up, and end the process if it does not end by itself within two seconds."""
        self._words.close()
        with contextlib.suppress(ProcessLookupError):
            self.go_on()
        self.process.join(2)
        if self.process.exitcode is None:
            self.kill()


@contextlib.contextmanager
def running_peers(
    count: int, function: Callable[..., object], *args: Any
) -> Iterator[list[Peer]]:
    """Start `count` processes of `function(words, *args)`, and end them."""
    with contextlib.ExitStack() as stack:
        peers: list[Peer] = []
        for _ in range(count):
            peers.append(Peer(function, *args))
            stack.callback(peers[-1].end)
        yield peers


def run_in_subprocess(
    function: Callable[_P, object], *args: _P.args, **kwargs: _P.kwargs
) -> BaseProcess:
    """Start a process that calls a function; return it."""
    process = _spawn.Process(target=function, args=args, kwargs=kwargs)
    process.start()
    return process


def join_processes(processes: list[BaseProcess], timeout: float | None = None) -> None:
    """Wait for processes, for `timeout` seconds in all; those that last longer go on."""
    deadline = None if timeout is None else timeout / max(1, len(processes))
    for process in processes:
        process.join(deadline)


def terminate_process(process: BaseProcess) -> None:
    """End a process that has not ended by itself. Raises RuntimeError if it ended with an error."""
    if process.is_alive():
        process.kill()
        process.join(DEADLINE)
    elif process.exitcode:
        raise RuntimeError(f"process {process.pid} has ended with exit code {process.exitcode}")


def wait_requests(
    worker: UCXWorker, progress_mode: str, requests: Iterable[UCXRequest[Any]]
) -> None:
    """Wait for all requests, whoever moves the worker; raise what the first to fail ended with."""
    from ucxx import core

    del progress_mode
    core.wait_requests(worker, requests, timeout=DEADLINE)
