# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Jobs of oshrun that are Python programs.

UCXX_TEST_SHMEM is the folder of oshrun, if it is not that of build/dev.
"""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
OSHRUN = pathlib.Path(os.environ.get("UCXX_TEST_SHMEM", ROOT / "build/dev/src/shmem")) / "oshrun"
LIMIT_S = 40


def run_job(pes, *words):
    """Run a Python program as a job to its end; return its status and all that it said."""
    command = [OSHRUN, "--timeout", str(LIMIT_S), "-n", str(pes), sys.executable, "-B", "-W", "error", *words]
    # What an unbuffered PE prints would be mixed with what others do, in the middle of a line.
    environment = {**os.environ, "PYTHONUNBUFFERED": ""}
    ended = subprocess.run(command, check=False, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, timeout=LIMIT_S + 10, env=environment)
    return ended.returncode, ended.stdout
