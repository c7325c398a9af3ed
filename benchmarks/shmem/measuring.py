# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Runs the jobs with each library in turn, round by round."""

import sys
import time

from libraries import Absent
from measured import Middle

# One run that took so long is not repeated, and so many figures may fail before a library is given up.
LONG_S = 4
MOST_FAILURES = 4


def say(text):
    """Show what happens now, where somebody looks."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


class Measured:
    """All values of one library, by figure; one of each round."""

    def __init__(self, library):
        self.library, self.values, self.failed, self.done = library, {}, {}, set()

    def take(self, job):
        """Measure the figures of a job. The first that a failed run did not print has failed; the others
        are measured without it."""
        if self.library.measured_in not in (None, job.kind):
            return
        wanted = [figure for figure in job.figures if figure not in self.failed]
        while wanted and job not in self.done and len(self.failed) < MOST_FAILURES:
            begin = time.monotonic()
            try:
                found, wrong = job.take(self.library, wanted)
            except Absent:
                self.done.add(job)
                return
            for figure, value in found.items():
                self.values.setdefault(figure, []).append(value)
            missing = [figure for figure in wanted if figure not in found]
            if time.monotonic() - begin > LONG_S:
                self.done.add(job)
            if not wrong or not missing:
                return
            self.failed[missing[0]] = wrong
            self.values.pop(missing[0], None)
            wanted = missing[1:]

    def middle(self, figure):
        """Return the median of a figure with the least and the most, or None."""
        return Middle.of(self.values[figure]) if figure in self.values else None

    def ratio(self, figure, other):
        """Return what the figure is of another library's, round by round, or None.

        A run that is not repeated, since it takes long, stands for each round.
        """
        own, others = self.values.get(figure, []), other.values.get(figure, [])
        if not own or not others:
            return None
        rounds = max(len(own), len(others))
        pairs = zip(_repeated(own, rounds), _repeated(others, rounds))
        return Middle.of([one / two for one, two in pairs if two > 0])


def _repeated(values, count):
    return values + values[-1:] * (count - len(values))


def measure(libraries, jobs, rounds):
    """Return what was measured, by the title of the library."""
    found = {library.title: Measured(library) for library in libraries}
    for number in range(1, rounds + 1):
        for job in jobs:
            for one in found.values():
                say(f"round {number} of {rounds}: {job.figures[0]}, {one.library.title}")
                one.take(job)
    say("")
    return found
