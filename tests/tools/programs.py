# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Programs that are installed, started by tests: the first argument is their folder."""

import contextlib
import os
import pathlib
import subprocess
import sys
import time

FOLDER = pathlib.Path(sys.argv.pop(1)).resolve()
# A process starts in 3 ms and not in 0.4 s; UCX's own malloc, which comes with it, crashes.
ENVIRONMENT = {"UCX_MEM_MMAP_HOOK_MODE": "reloc", "UCX_MEM_MALLOC_RELOC": "n", **os.environ}
LIMIT_S = 100


def run(program, *arguments, **environment):
    """Run to the end, perhaps with more in the environment; return status, output and errors."""
    done = subprocess.run([FOLDER / program, *arguments], capture_output=True, text=True, check=False,
                          timeout=LIMIT_S, env={**ENVIRONMENT, **environment})
    return done.returncode, done.stdout, done.stderr


def start(program, *arguments, pass_fds=()):
    """Start; the caller ends it."""
    return subprocess.Popen([FOLDER / program, *arguments], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, env=ENVIRONMENT, pass_fds=pass_fds)


def children(pid):
    """Return the process ids of what the process started."""
    return [int(word) for word in
            pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@contextlib.contextmanager
def ended(process):
    """Give the process, and end it in any case."""
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def wait_for(condition):
    """Wait until the condition holds, a while at most; return what it gave."""
    deadline = time.monotonic() + 20
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise AssertionError("waited in vain")
        time.sleep(0.01)
    return value


def busy_ticks(pid):
    """Return the processor time of a process, in ticks (10 ms)."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def state(pid):
    """Return the state of a process: R, S, Z ..."""
    return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]


def is_running(pid):
    """Tell whether the process is there and no zombie."""
    try:
        return state(pid) != "Z"
    except FileNotFoundError:
        return False
