# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Run tests of GoogleTest in several processes, each test with a limit of its own.

usage: conditions.py PROGRAM FILTER [--processes N] [--limit SECONDS] [--seconds SECONDS]

A process of CUDA takes long to start, so each runs many tests; what hangs or crashes ends one process, and
another one goes on with the next test. What has failed then runs again alone. Each end of a test is a line of
JSON: its name, result and seconds, what it said where that matters, and whether it was alone. Exit status 0:
each test has passed, beside others or alone; 1: not.
"""

import argparse
import concurrent.futures
import contextlib
import json
import os
import re
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import NamedTuple

MOST_SAID = 4000  # characters of a test
NO_TIME = "no time left"
LISTING_S = 20
LAST_WORDS_S = 1.0  # what a handler of SIGABRT may take
PATIENCE_S = 3.0  # what hangs inside the driver may outlive even SIGKILL
MARK = re.compile(r"\[ +(RUN|OK|FAILED|SKIPPED) +\] ([\w./]+)(?:,| \(|$)")


class Ended(NamedTuple):
    """How a test ended: `ok`, or why not."""

    test: str
    result: str
    seconds: float
    said: str = ""


class Lines:
    """The output of a process, line by line, for as long as one likes to wait."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        """Read both of its outputs from one pipe."""
        assert process.stdout is not None
        self._file = process.stdout.fileno()
        self._rest = b""
        self._has_ended = False

    def next(self, deadline: float) -> str | None:
        """Return the next line; None at the end. Throws TimeoutError after the deadline."""
        while b"\n" not in self._rest and not self._has_ended:
            wait_s = deadline - time.monotonic()
            if wait_s <= 0 or not select.select([self._file], [], [], wait_s)[0]:
                raise TimeoutError
            read = os.read(self._file, 1 << 16)
            self._has_ended = not read
            self._rest += read
        line, _, self._rest = self._rest.partition(b"\n")
        return None if self._has_ended and not line and not self._rest else line.decode(errors="replace")


class Group:
    """A process that runs some tests, until one hangs or crashes."""

    def __init__(self, program: str, names: list[str]) -> None:
        """Start it."""
        command = [program, f"--gtest_filter={':'.join(names)}"]
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                         stderr=subprocess.STDOUT)  # fmt: skip
        self._lines = Lines(self._process)
        self._left = list(names)
        self._now = ""  # the test that runs
        self._said: list[str] = []
        self._begin = time.monotonic()

    def results(self, limit_s: float, deadline: float) -> Iterator[Ended]:
        """Give each test that has ended, up to the first one that hangs or crashes."""
        try:
            while (line := self._lines.next(min(self._begin + limit_s, deadline))) is not None:
                yield from self._take(line)
            yield from self._end()
        except TimeoutError:
            how = NO_TIME if time.monotonic() >= deadline else f"hung, ended after {limit_s:.0f} s"
            self._hear_last_words()
            yield self._ended(how)
        finally:
            self._process.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(PATIENCE_S)

    def _take(self, line: str) -> Iterator[Ended]:
        mark = MARK.search(line)
        if mark and mark[1] == "RUN":
            self._now, self._said, self._begin = mark[2], [], time.monotonic()
        elif mark and mark[2] == self._now:
            yield self._ended(mark[1].lower())
        else:
            self._said.append(line)

    def _ended(self, how: str) -> Ended:
        """Return the end of the test that runs, or of the next one; or of the process after all of them."""
        name = self._now or (self._left[0] if self._left else "the end of the program")
        with contextlib.suppress(ValueError):
            self._left.remove(name)
        said = "\n".join(self._said)[:MOST_SAID]
        ended = Ended(name, how, round(time.monotonic() - self._begin, 2), said)
        self._now, self._said, self._begin = "", [], time.monotonic()
        return ended

    def _end(self) -> Iterator[Ended]:
        """Judge the end of the process: 1 says that a test has failed, which is known."""
        try:
            status = self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            raise TimeoutError from None
        how = f"killed by {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"
        if self._now or self._left or status not in (0, 1):
            yield self._ended(how)

    def _hear_last_words(self) -> None:
        """Let the program tell where it is."""
        self._process.send_signal(signal.SIGABRT)
        deadline = time.monotonic() + LAST_WORDS_S
        with contextlib.suppress(TimeoutError):
            while (line := self._lines.next(deadline)) is not None:
                self._said.append(line)


class Runner:
    """All tests."""

    def __init__(self, asked: argparse.Namespace) -> None:
        """Begin the time that there is for all."""
        self._asked = asked
        self._deadline = time.monotonic() + asked.seconds
        self._writing = threading.Lock()
        self._bad: list[str] = []

    def run(self) -> bool:
        """Run them; tell whether each has passed."""
        count = self._asked.processes
        names = names_of(self._asked.program, self._asked.filter)
        if not names:
            sys.exit(f"{self._asked.program} has no test {self._asked.filter}")
        with concurrent.futures.ThreadPoolExecutor(count) as pool:
            list(pool.map(self._run_some, [names[first::count] for first in range(min(count, len(names)))]))
            if time.monotonic() < self._deadline:
                again = [name for name in names if name in self._bad]
                self._bad = [name for name in self._bad if name not in again]
                list(pool.map(lambda name: self._run_some([name], alone=True), again))
        return not self._bad

    def _run_some(self, names: list[str], *, alone: bool = False) -> None:
        while names and time.monotonic() < self._deadline:
            done = set()
            for ended in Group(self._asked.program, names).results(self._asked.limit, self._deadline):
                self._tell(ended, alone)
                done.add(ended.test)
            names = [name for name in names if name not in done]
        for name in names:
            self._tell(Ended(name, NO_TIME, 0.0), alone)

    def _tell(self, ended: Ended, alone: bool) -> None:
        row = {name: value for name, value in ended._asdict().items() if value != ""}
        with self._writing:
            if ended.result != "ok":
                self._bad.append(ended.test)
            if alone and ended.result == NO_TIME:
                return  # its first end says more
            print(json.dumps({**row, "alone": True} if alone else row), flush=True)


def names_of(program: str, names: str) -> list[str]:
    """Return the names of the tests that a filter lets through."""
    done = subprocess.run([program, "--gtest_list_tests", f"--gtest_filter={names}"], check=True,
                          stdout=subprocess.PIPE, text=True, timeout=LISTING_S)  # fmt: skip
    suite, found = "", []
    for line in done.stdout.splitlines():
        name = line.partition("#")[0].strip()
        if line.startswith(" "):
            found.append(suite + name)
        elif name.endswith("."):
            suite = name
    return found


def options() -> argparse.Namespace:
    """Return what the caller asks for."""
    parser = argparse.ArgumentParser(description="Runs tests of GoogleTest in several processes.")
    parser.add_argument("program", metavar="PROGRAM")
    parser.add_argument("filter", metavar="FILTER", help="as of --gtest_filter")
    parser.add_argument("--processes", type=int, default=8, help="at a time (8)")
    parser.add_argument("--limit", type=float, default=10, help="seconds of a test (10)")
    parser.add_argument("--seconds", type=float, default=25, help="for all together (25)")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(0 if Runner(options()).run() else 1)
