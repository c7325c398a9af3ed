# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Run a program with a limit, and keep what it had said when it did not end in time."""

import contextlib
import os
import pathlib
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

# The first lets Python and others write where they stand.
SIGNALS = (signal.SIGABRT, signal.SIGKILL)
PATIENCE_S = 3


class Ended(NamedTuple):
    """How a program ended: `ok`, or why not; seconds; standard output and errors."""

    how: str
    seconds: float
    out: str
    err: str


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """To it and to all that it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, number)


def _wait(process: subprocess.Popen[bytes], limit_s: float) -> str:
    """Return how it ended. A process that hangs inside the driver may outlive even SIGKILL."""
    try:
        status = process.wait(limit_s)
    except subprocess.TimeoutExpired:
        for number in SIGNALS:
            _signal(process, number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(PATIENCE_S)
                break
        return f"hung, ended after {limit_s:.0f} s"
    if status < 0:
        return f"killed by {signal.Signals(-status).name}"
    return "ok" if status == 0 else f"exit status {status}"


def run(command: Sequence[str], environment: Mapping[str, str], limit_s: float) -> Ended:
    """Run it to its end, or to the limit; return how it ended."""
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder, name) for name in ("out", "err")]
        with paths[0].open("wb") as out, paths[1].open("wb") as err:
            try:
                process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=out,
                                           stderr=err, start_new_session=True, cwd=folder)  # fmt: skip
            except OSError as error:
                return Ended(f"does not start: {error}", 0.0, "", "")
            try:
                how = _wait(process, limit_s)
            finally:
                _signal(process, signal.SIGKILL)  # what it has left running
        said = [path.read_text(errors="replace") for path in paths]
        return Ended(how, time.monotonic() - begin, said[0], said[1])
