# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What starts jobs of OpenSHMEM, and jobs that are Python programs.

UCXX_TEST_SHMEM is the folder of oshrun, if it is not that of the library. Over another library
(UCXX_SHMEM) it is that library's launcher.
"""

import os
import pathlib
import subprocess
import sys

from ucxx._shmem_adapters.chosen import chosen

ADAPTER = chosen()
LIMIT_S = 40


def _launcher():
    if ADAPTER:
        return ADAPTER.launcher
    from ucxx import _shmem

    folder = os.environ.get("UCXX_TEST_SHMEM") or pathlib.Path(_shmem.library()).parent
    return [str(pathlib.Path(folder) / "oshrun")]


LAUNCHER = _launcher()


def run_job(pes, *words):
    """Run a Python program as a job to its end; return its status and all that it said."""
    limit = [] if ADAPTER else ["--timeout", str(LIMIT_S)]
    command = [*LAUNCHER, *limit, "-n", str(pes), sys.executable, "-B", "-W", "error", *words]
    # What an unbuffered PE prints would be mixed with what others do, in the middle of a line.
    environment = {**os.environ, "PYTHONUNBUFFERED": ""}
    ended = subprocess.run(command, check=False, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, timeout=LIMIT_S + 10, env=environment)
    return ended.returncode, ended.stdout
