# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Processes that are the PEs of `ucxx.shmem`, for tests; `ucxx.testing` shows them to users."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from ucxx._shmem_adapters.chosen import chosen
from ucxx.testing._job import LaunchedPe, launched
from ucxx.testing._pe import Failure, be_spawned

DEADLINE = 30.0  # seconds
GRACE = 0.5  # seconds that the others get when a PE has failed
MOST_KEPT = 4  # groups of PEs that a pool keeps

_spawn = multiprocessing.get_context("spawn")


class Pes:
    """Processes that are the PEs of one job, and run functions together.

    They are fresh processes, not forks, and the library is initialised in each: by the launcher of the
    library that UCXX_SHMEM names, if that is another one than UCXX's. When one has failed, by
    an exception or by its end, all are ended: the others may wait for it.
    """

    def __init__(self, count: int) -> None:
        """Start them.

        Raises:
            ValueError: the count is below 1.
        """
        if count < 1:
            raise ValueError(f"count = {count}: must be at least 1")
        self._pes: list[tuple[BaseProcess | LaunchedPe, Connection]] = []
        self._is_alive = True
        try:
            self._start(count)
            while any(parts := self._answers(DEADLINE)):  # of an allgather, until all have started
                self._send_all(parts)
        except BaseException:
            self.kill()
            raise

    def _start(self, count: int) -> None:
        if (adapter := chosen()) is not None:
            self._pes += launched(adapter, count, DEADLINE)
            return
        for pe in range(count):
            words, remote = _spawn.Pipe()
            process = _spawn.Process(target=be_spawned, args=(remote, pe, count, os.getpid()), daemon=True)
            process.start()
            remote.close()
            self._pes.append((process, words))

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._pes)

    @property
    def pids(self) -> list[int | None]:
        """The numbers of the processes, in the order of PEs."""
        return [process.pid for process, _ in self._pes]

    @property
    def is_alive(self) -> bool:
        """Whether they can run a further function."""
        return self._is_alive and all(process.is_alive() for process, _ in self._pes)

    def run(self, function: Callable[..., object], *args: Any, timeout: float = DEADLINE) -> list[Any]:
        """Call a function on each PE; return what it has returned, in the order of PEs.

        Args:
            function: an importable one: of a module, not a nested one.
            args: what each PE calls it with. They are pickled, and so is what it returns.
            timeout: seconds until it must have ended on all.

        Raises:
            Exception: what a PE has raised, with a note of its number and its traceback; a RuntimeError
                with that text where it cannot be pickled.
            RuntimeError: a PE has ended; or all have been ended before.
            TimeoutError: a PE has not returned in time.
        """
        if not self._is_alive:
            raise RuntimeError("these PEs have been ended")
        call = (sys.path, pickle.dumps((function, args)))
        try:
            self._send_all(call)
            answers = self._answers(timeout)
        except BaseException:
            self.kill()
            raise
        if not all(answer[1] for answer in answers):
            self.end()
        return [pickle.loads(answer[0]) for answer in answers]

    def _send_all(self, word: object) -> None:
        for _, words in self._pes:
            with contextlib.suppress(OSError):  # who has ended is seen where the answers are read
                words.send(word)

    def _answers(self, timeout: float) -> list[Any]:
        """Return the next word of each PE. Raises as `run`."""
        answers: dict[int, Any] = {}
        failures: dict[int, BaseException] = {}
        deadline = time.monotonic() + timeout
        while missing := [pe for pe in range(len(self)) if pe not in answers and pe not in failures]:
            ready = wait(
                [self._pes[pe][1] for pe in missing], max(0.0, deadline - time.monotonic())
            )
            for pe in missing:
                if self._pes[pe][1] in ready:
                    self._read(pe, answers, failures)
            if failures:
                deadline = min(deadline, time.monotonic() + GRACE)
            if not ready:
                break
        if failures:
            raise _merged(failures)
        if missing:
            raise TimeoutError(f"PE {missing[0]} of {len(self)} has not returned within {timeout} s")
        return [answers[pe] for pe in range(len(self))]

    def _read(self, pe: int, answers: dict[int, Any], failures: dict[int, BaseException]) -> None:
        """Read a word of a PE: an answer, or how it has failed."""
        process, words = self._pes[pe]
        try:
            word = words.recv()
        except (EOFError, OSError):
            process.join(GRACE)
            failures[pe] = RuntimeError(f"PE {pe} of {len(self)} {_end_of(process.exitcode)}")
            return
        if isinstance(word, Failure):
            failures[pe] = word.as_exception(f"PE {pe} of {len(self)}")
        else:
            answers[pe] = word

    def end(self) -> None:
        """Hang up, so that they finalise the library and end; end those that do not within two seconds."""
        self._is_alive = False
        for _, words in self._pes:
            words.close()
        deadline = time.monotonic() + 2
        for process, _ in self._pes:
            process.join(max(0.0, deadline - time.monotonic()))
        self.kill()

    def kill(self) -> None:
        """End them by SIGKILL, and wait until they have ended."""
        self._is_alive = False
        for process, words in self._pes:
            words.close()
            process.kill()
        for process, _ in self._pes:
            process.join(DEADLINE)


@contextlib.contextmanager
def running_pes(count: int) -> Iterator[Pes]:
    """Start `count` processes that are PEs, and end them."""
    pes = Pes(count)
    try:
        yield pes
    finally:
        pes.end()


class PesPool:
    """Keeps PEs between calls, since their start takes some tenths of a second.

    A call gets fresh ones where the call before it has failed, has finalised the library, or has left
    symmetric memory that is not freed.
    """

    def __init__(self) -> None:
        """Start none."""
        self._kept: dict[int, Pes] = {}

    def run(self, count: int, function: Callable[..., object], *args: Any,
            timeout: float = DEADLINE) -> list[Any]:
        """Call a function on each of `count` PEs; see `Pes.run`."""
        pes = self._kept.pop(count, None)
        if pes is not None and not pes.is_alive:
            pes.kill()
            pes = None
        while len(self._kept) >= MOST_KEPT:
            self._kept.pop(next(iter(self._kept))).end()
        self._kept[count] = pes or Pes(count)
        return self._kept[count].run(function, *args, timeout=timeout)

    def end(self) -> None:
        """End all."""
        for pes in self._kept.values():
            pes.end()
        self._kept.clear()


def _merged(failures: dict[int, BaseException]) -> BaseException:
    """Return the first exception that has come, which tells of the others."""
    first, *others = failures
    for pe in others:
        failures[first].add_note(f"And PE {pe}: {type(failures[pe]).__name__}: {failures[pe]}")
    return failures[first]


def _end_of(exitcode: int | None) -> str:
    """Tell how a process has ended."""
    if exitcode is None:
        return "has hung up"
    if exitcode < 0:
        return f"was ended by {signal.Signals(-exitcode).name}"
    return f"has ended with exit code {exitcode}"
