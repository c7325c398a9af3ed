# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Processes of Dask's command line, and what they use."""

import contextlib
import gc
import os
import re
import signal
import subprocess
import sys
import time
from typing import NamedTuple

from ucxx.testing import DEADLINE

HERE = os.path.dirname(__file__)


class Command:
    """A process of `dask scheduler` or `dask worker`, in a group of its own."""

    def __init__(self, *words, prefix=(), **environment):
        """Start it; `prefix`: a command that starts it, e.g. `ip netns exec x`."""
        path = {"PYTHONPATH": f"{HERE}:{os.environ.get('PYTHONPATH', '')}"}
        self.process = subprocess.Popen(
            [*prefix, sys.executable, "-B", "-m", "dask", *words, "--no-dashboard"], text=True, start_new_session=True,
            env={**os.environ, **path, **environment}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        self.pid = self.process.pid

    def address(self):
        """Return the address that a scheduler says it has."""
        for line in self.process.stdout:
            if found := re.search(r"(?:Scheduler|Start worker) at: +(\S+)", line):
                return found[1]
        raise RuntimeError("it has ended")

    def children(self):
        """Return the numbers of its child processes."""
        with open(f"/proc/{self.pid}/task/{self.pid}/children") as file:
            return [int(number) for number in file.read().split()]

    def end(self):
        """End it and its children, and return what it said since."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        return self.process.communicate(timeout=DEADLINE)[0]


@contextlib.contextmanager
def commands():
    """Give a function that starts commands; all end."""
    with contextlib.ExitStack() as stack:

        def start(*words, **options):
            command = Command(*words, **options)
            stack.callback(command.end)
            return command

        yield start


class Use(NamedTuple):
    """What a process uses; `shared`: mappings of the local channel's memory."""

    descriptors: int
    threads: int
    mebibytes: int
    shared: int

    def is_little_more_than(self, before, mebibytes):
        """Tell whether this is as much as before, but for so much memory."""
        return (
            self.descriptors <= before.descriptors + 3
            and self.threads <= before.threads + 1
            and self.mebibytes <= before.mebibytes + mebibytes
            and self.shared <= before.shared + 3
        )


def in_use(pid=None):
    """Return what a process uses; None: this one."""
    if pid is None:
        pid = os.getpid()
        gc.collect()
    with open(f"/proc/{pid}/statm") as file:
        resident = int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") >> 20
    with open(f"/proc/{pid}/maps") as file:
        shared = sum("/memfd:" in line for line in file)
    return Use(len(os.listdir(f"/proc/{pid}/fd")), len(os.listdir(f"/proc/{pid}/task")), resident, shared)


def assert_back_to(before, pid=None, mebibytes=16):
    """Check that a process uses as much as before, as soon as what ended last is gone."""
    deadline = time.monotonic() + DEADLINE
    while not (use := in_use(pid)).is_little_more_than(before, mebibytes):
        assert time.monotonic() < deadline, (before, use)
        time.sleep(0.05)
