# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Files that somebody names: what would wait for ever, as a pipe that nobody writes to, is told instead."""

from __future__ import annotations

import os
import stat
from typing import BinaryIO


class NotAFile(Exception):
    """A device, or a pipe where none may be."""


def opened(path: str, *, may_be_pipe: bool = False) -> BinaryIO:
    """Open a file to read it.

    A pipe that nobody has open at its other end is empty.

    Raises:
        NotAFile: for a device, and a pipe, unless that may be.
        OSError: for what cannot be opened.
    """
    file = open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK | os.O_CLOEXEC))
    mode = os.fstat(file.fileno()).st_mode
    if not (stat.S_ISREG(mode) or (may_be_pipe and stat.S_ISFIFO(mode))):
        file.close()
        raise NotAFile
    os.set_blocking(file.fileno(), True)
    return file
