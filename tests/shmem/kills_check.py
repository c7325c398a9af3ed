#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""End a PE, or oshrun, in the middle of everything, and check that its job ends at once and leaves nothing.

usage: kills_check.py OSHRUN PROGRAM PHASES_H [RUNS [SEED]]

PROGRAM is kills.cpp with the library that has hooks at its steps. In half of the runs the PE ends at such a step, in the
others at a random instant; there it is sometimes one of the two processes of oshrun. All of it comes from the seed and
the number of the run; a run that fails is printed.
"""

import contextlib
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time
import unittest

OSHRUN, PROGRAM, PHASES = sys.argv[1:4]
RUNS = int(sys.argv[4]) if len(sys.argv) > 4 else 300
SEED = int(sys.argv[5]) if len(sys.argv) > 5 else 1

SIGNALS = [signal.SIGKILL, signal.SIGKILL, signal.SIGKILL, signal.SIGABRT, signal.SIGTERM]
MOST_SECONDS = 2  # from the message to the end of the job


def steps():
    """The names of the library's steps, as the enumeration has them."""
    text = pathlib.Path(PHASES).read_text(encoding="utf-8")
    text = re.sub(r"//.*", "", text[text.index("PeAttached"):])
    names = [name.strip() for name in text.split("}")[0].split(",")]
    return names[:names.index("PeCount")]


def children_of(pid):
    """The children of a process, oldest first, as the kernel lists them."""
    children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return [int(child) for child in children.split()]


def pids_of_job(launcher):
    """The PEs, in their order: children of the launcher's child."""
    runner = children_of(launcher)
    return children_of(runner[0]) if runner else []


def leftovers():
    """What a job may leave: shared memory, sockets with its names, processes of the program."""
    sockets = re.findall(r"\S*ucxx-shmem\S*", pathlib.Path("/proc/net/unix").read_text(encoding="utf-8"))
    programs = []
    for exe in pathlib.Path("/proc").glob("[0-9]*/exe"):
        with contextlib.suppress(OSError):
            if os.readlink(exe).removesuffix(" (deleted)") == PROGRAM:
                programs.append(exe.parent.name)
    files = [name for name in os.listdir("/dev/shm") if "ucxx" in name]
    return {*files, *sockets, *programs}


def lasting(new, seconds=10):
    """Of what is new, what does not go away: tests beside this one have jobs, too."""
    end = time.monotonic() + seconds
    while new and time.monotonic() < end:
        time.sleep(0.05)
        new &= leftovers()
    return new


# Processes of a job that are no PEs, by the number that stands for one.
LAUNCHERS = {-1: "the process of oshrun that was started", -2: "the process of oshrun that ran the job"}


class Run:
    """One job, and how one of its processes ends."""

    def __init__(self, number):
        self.random = random.Random(SEED * 1_000_003 + number)
        self.pes = self.random.choice([2, 3, 4])
        self.victim = self.random.randrange(self.pes)
        self.signal = self.random.choice(SIGNALS)
        self.step = self.random.randrange(len(steps())) if number % 2 == 0 else None
        self.passes = self.random.choice([1, 1, 2, 7])
        if self.step is None and self.random.random() < 0.2:
            self.victim, self.signal = self.random.choice(list(LAUNCHERS)), signal.SIGKILL
        self.said = f"run {number} of seed {SEED}: {self.name()} of {self.pes} PEs, signal {self.signal}, " + (
            "at a random instant" if self.step is None
            else f"pass {self.passes} of {steps()[self.step]}")

    def name(self):
        """Who ends."""
        return LAUNCHERS.get(self.victim, f"PE {self.victim}")

    def environment(self):
        """What the hooks read."""
        if self.step is None:
            return dict(os.environ)
        return os.environ | {"UCXX_TEST_SHMEM_STEP": str(self.step),
                             "UCXX_TEST_SHMEM_PASSES": str(self.passes),
                             "UCXX_TEST_SHMEM_VICTIM": str(self.victim),
                             "UCXX_TEST_SHMEM_SIGNAL": str(int(self.signal))}

    def kill(self, job):
        """At a random instant, from the one on when all PEs have begun."""
        end = time.monotonic() + 5
        while len(pids_of_job(job.pid)) < self.pes and time.monotonic() < end:
            pass
        time.sleep(self.random.random() ** 2 * 0.05)
        pids = {-1: job.pid, -2: children_of(job.pid)[0], **dict(enumerate(pids_of_job(job.pid)))}
        os.kill(pids[self.victim], self.signal)

    def check(self, case, status, output):
        """Compare with what must be said of such an end."""
        if self.victim in LAUNCHERS:
            case.assertIn(f"oshrun: {LAUNCHERS[self.victim]}", output)
            case.assertEqual(status, -self.signal if self.victim == -1 else 128 + self.signal)
            return
        case.assertRegex(output, rf"oshrun: PE {self.victim} \(pid \d+\) was killed by signal {self.signal:d} ")
        case.assertEqual(status, 128 + self.signal)

    def do(self):
        """Return the exit status, what was said, and the seconds from the first line to the end."""
        with subprocess.Popen([OSHRUN, "-n", str(self.pes), "--timeout", "3", PROGRAM], text=True,
                              env=self.environment(), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT) as job:
            if self.step is None:
                self.kill(job)
            first = job.stdout.readline()
            begin = time.monotonic()
            rest, _ = job.communicate(timeout=20)
        return job.returncode, first + rest, time.monotonic() - begin


class KillsTest(unittest.TestCase):
    """Whatever a PE was doing when it ended."""

    def test_kills(self):
        before = leftovers()
        reached = set()
        for number in range(RUNS):
            run = Run(number)
            status, output, seconds = run.do()
            with self.subTest(run=run.said, output=output):
                self.assertNotEqual(status, 0)
                # Rare steps are not reached by each victim: then the job goes on until its timeout.
                if status == 124 and run.step is not None:
                    continue
                self.assertLess(seconds, MOST_SECONDS)
                run.check(self, status, output)
                reached.add(run.step)
        self.assertEqual(lasting(leftovers() - before), set())
        if RUNS >= 300:
            self.assertEqual({steps()[step] for step in set(range(len(steps()))) - reached}, set())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
