# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Processes that drive clusters: one for each set of transports, whose settings are its environment.

UCX starts once in a process, and the scheduler and the client are in that of the driver; the workers have its
environment from their nannies.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from multiprocessing.connection import Connection
from typing import Any

from distributed import Client

from ucxx.benchmarks.dask import cluster
from ucxx.benchmarks.dask.figures import Found, Outcome, outcome
from ucxx.benchmarks.dask.transports import Transports, named
from ucxx.benchmarks.measure import BenchmarkError
from ucxx.benchmarks.pair import in_turn

_spawn = multiprocessing.get_context("spawn")
_LIMIT_S = 10 * cluster.SECONDS  # of a call, which has several tasks
_END_S = 10

Surroundings = Callable[[Transports], AbstractContextManager[Any]]


class Driver:
    """A process that calls functions with what `surroundings(transports)` gives there."""

    def __init__(self, name: str, surroundings: Surroundings) -> None:
        """Start the process; `name` is that of a set."""
        self._name = name
        self._words, theirs = _spawn.Pipe()
        # No daemon: it has processes of its own.
        self._process = _spawn.Process(target=_drive, args=(theirs, named(name), surroundings))
        self._process.start()
        theirs.close()

    def call(self, function: Callable[[Any], Any]) -> Any:
        """Return what an importable function returns there. Raises BenchmarkError where it fails."""
        with contextlib.suppress(OSError):  # it has ended: its last word tells why
            self._words.send(function)
        return self.answer()

    def answer(self) -> Any:
        """Return the next answer; the first comes when the surroundings are there."""
        try:
            what, word = self._words.recv() if self._words.poll(_LIMIT_S) else ("failed", f"no answer in {_LIMIT_S} s")
        except (EOFError, OSError) as error:
            raise BenchmarkError(f"{self._name}: the process that drives the cluster has ended") from error
        if what == "failed":
            raise BenchmarkError(f"{self._name}: {word}")
        return word

    def end(self) -> None:
        """Hang up: the process leaves its surroundings and ends; it is killed if it does not."""
        self._words.close()
        self._process.join(_END_S)
        if self._process.exitcode is None:
            self._process.kill()
            self._process.join()


@contextlib.contextmanager
def driving(names: Sequence[str], surroundings: Surroundings) -> Iterator[dict[str, Driver]]:
    """Start a driver for each set, all at the same time: those that are not measured wait."""
    with contextlib.ExitStack() as stack:
        drivers = {}
        for name in names:
            drivers[name] = Driver(name, surroundings)
            stack.callback(drivers[name].end)
        for driver in drivers.values():
            driver.answer()
        yield drivers


def measure(
    function: Callable[[Client], Found], names: Sequence[str], object_type: str, runs: int, on_run: Callable[[], object]
) -> Outcome:
    """Call `function(client)` on a cluster of each set, once to warm up and then `runs` times in turn.

    Args:
        function: an importable one, or a partial of one.
        names: of sets of transports; the others are compared with the last.
        object_type: whose memory is sent.
        runs: how often.
        on_run: called after each measurement.

    Raises:
        BenchmarkError: it has failed, or payloads went another way than the set says.
    """
    with driving(names, functools.partial(cluster.running, object_type=object_type)) as drivers:

        def run(name: str) -> Found:
            found: Found = drivers[name].call(functools.partial(_checked, function=function, transports=named(name)))
            return found

        in_turn(names, 1, run, lambda: None)
        return outcome(in_turn(names, runs, run, on_run))


def _checked(client: Client, function: Callable[[Client], Found], transports: Transports) -> Found:
    with client.as_current():
        return checked(function(client), client, transports)


def checked(found: Found, client: Client, transports: Transports) -> Found:
    """Return what was found with the transports that carried it. Raises ValueError where a set has others."""
    used = cluster.used(client)
    transports.require(used)
    return dataclasses.replace(found, transports=used)


def _drive(words: Connection, transports: Transports, surroundings: Surroundings) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends the process without a word
    os.environ.update(transports.environment)
    try:
        with surroundings(transports) as given:
            words.send(("found", None))
            for function in _asked(words):
                words.send(("found", function(given)))
    except Exception as error:
        with contextlib.suppress(OSError):  # the caller has hung up
            words.send(("failed", f"{type(error).__name__}: {error}"))


def _asked(words: Connection) -> Iterator[Callable[[Any], Any]]:
    """Give what comes, until the caller hangs up."""
    while True:
        try:
            function: Callable[[Any], Any] = words.recv()
        except EOFError:
            return
        yield function
