# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Programs that use ucxx.shmem, as processes of their own: under oshrun, alone, by MPI."""

import contextlib
import os
import re
import signal
import subprocess
import sys
from typing import NamedTuple

from oshrun import ADAPTER, LAUNCHER

PYTHON = (sys.executable, "-B", "-W", "error")
LIMIT_S = 40
# Where Python writes without a buffer, a line and its end are two writes: PEs mix them.
WHOLE_LINES = {"PYTHONUNBUFFERED": ""}


class Ended(NamedTuple):
    """How a program has ended."""

    status: int
    out: str
    err: str


@contextlib.contextmanager
def started(code, *arguments, pes=0, options=(), **environment):
    """Start a program: of `pes` PEs under oshrun, or 0: alone. At the end nothing of it is left."""
    launcher = (*LAUNCHER, "-n", str(pes), *options) if pes else ()
    with running([*launcher, *PYTHON, "-c", code, *arguments], environment) as process:
        yield process


@contextlib.contextmanager
def running(command, environment):
    """Run a command in a session of its own."""
    process = subprocess.Popen(command, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, start_new_session=True,
                               env={**os.environ, **WHOLE_LINES, **environment})  # fmt: skip
    try:
        yield process
    finally:
        if ADAPTER:  # whose launcher has PEs in groups of their own, and ends them
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=5)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=LIMIT_S)


def ended(process):
    """Wait for the end of a program."""
    out, err = process.communicate(timeout=LIMIT_S)
    return Ended(process.returncode, out, err)


def run(code, *arguments, **options):
    """Run a program to its end; the options are those of `started`."""
    with started(code, *arguments, **options) as process:
        return ended(process)


def prints(code, *arguments, **options):
    """Run a program that must succeed in silence; return its lines, in a fixed order."""
    status, out, err = run(code, *arguments, **options)
    assert (status, err) == (0, ""), out + err
    return sorted(out.splitlines())


def without_pids(text):
    """Return what oshrun says, without the numbers of processes."""
    return re.sub(r"pid \d+", "pid N", text)
