# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Programs that tell about the machine: run with a time limit, and ended with their children."""

from __future__ import annotations

import contextlib
import logging
import os
import select
import shutil
import signal
import subprocess
import time

from ucxx.topology import wording

_MOST_BYTES = 16 << 20
_KILL_LIMIT_S = 1.0  # for a program to be gone after it was killed
_logger = logging.getLogger("ucxx.topology")
_said: set[str] = set()
_left: list[subprocess.Popen[bytes]] = []  # killed, and in a call to the kernel that no signal ends


class Failed(Exception):
    """A program that has told nothing, and why."""


def find(program: str) -> str | None:
    """Return the path of a program, None where there is none."""
    return shutil.which(program)


def warn_once(said: str) -> None:
    """Log a warning, the first time that it comes."""
    if said not in _said:
        _said.add(said)
        _logger.warning("%s", said)


def output(program: str, *arguments: str, limit_s: float) -> str:
    """Run a program and return what it printed.

    It has until `limit_s` to end; then it is killed, with its children. One that waits for a broken device and cannot
    be killed is left alone.

    Raises:
        Failed: where it cannot be started, fails, hangs, or prints no text, or too much.
    """
    deadline = time.monotonic() + limit_s
    _left[:] = [process for process in _left if process.poll() is None]
    try:
        process = subprocess.Popen(
            [program, *arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        raise Failed(f"it does not start: {error.strerror}") from None
    try:
        said = _read(process, deadline)
        status = process.wait(max(0.0, deadline - time.monotonic()))
    except (subprocess.TimeoutExpired, TimeoutError):
        raise Failed(f"it has not ended after {limit_s:g} s") from None
    finally:
        _end(process)
    return _checked(said, status)


def _read(process: subprocess.Popen[bytes], deadline: float) -> bytes:
    assert process.stdout is not None
    file = process.stdout.fileno()
    poll = select.poll()
    poll.register(file, select.POLLIN)
    said = bytearray()
    while True:
        if not poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
            raise TimeoutError
        part = os.read(file, 1 << 16)
        if not part:
            return bytes(said)
        said += part
        if len(said) > _MOST_BYTES:
            raise Failed(f"it prints over {_MOST_BYTES >> 20} MiB")


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.returncode is None:  # until the program is waited for, nothing else can have its number
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    try:
        process.wait(_KILL_LIMIT_S)
    except subprocess.TimeoutExpired:
        _left.append(process)  # it is waited for before the next program runs
    if process.stdout is not None:
        process.stdout.close()


def _checked(said: bytes, status: int) -> str:
    if status:
        line = wording.clean(said.decode(errors="replace").strip().partition("\n")[0])[:200]
        raise Failed(f"it ends with status {status}{': ' + line if line else ''}")
    try:
        return said.decode()
    except UnicodeDecodeError:
        raise Failed("it prints no text (UTF-8)") from None
