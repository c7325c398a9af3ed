# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A signal that writes what the workers of this process do."""

from __future__ import annotations

import os
import signal

from ucxx import _core


def dump_on_signal(
    signum: int | str = signal.SIGUSR1, file: str | os.PathLike[str] | None = None
) -> None:
    """Have a signal write a dump of all workers, from now on.

    A thread of C++ writes it, without Python: also while the main thread computes or waits. The
    environment asks for the same by UCXX_DUMP_SIGNAL=USR1, from the import of `ucxx.core` on. A forked
    child ignores the signal until it calls this itself.

    Args:
        signum: of the signal.
        file: the path of a file that dumps are appended to; None: standard error.

    Raises:
        RuntimeError: the signal has another handler. ValueError: there is no such signal, or it cannot
        be handled. OSError: the file cannot be opened.
    """
    number = _signal_number(signum)
    descriptor = -1
    if file is not None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
        descriptor = os.open(file, flags, 0o600)
    try:
        _core._dump_on_signal(number, descriptor)
    except BaseException:
        if descriptor >= 0:
            os.close(descriptor)
        raise


def _signal_number(signum: int | str) -> int:
    if isinstance(signum, int):
        if signum in signal.valid_signals():
            return int(signum)
        raise ValueError(f"there is no signal {signum}")
    name = str(signum).upper()
    name = name if name.startswith("SIG") else f"SIG{name}"
    found = getattr(signal, name, None)
    if not isinstance(found, signal.Signals):
        raise ValueError(f"there is no signal {signum!r}; give a name, as USR1, or a number")
    return int(found)


def begin() -> None:
    """Do what the environment asks for."""
    if wanted := os.environ.get("UCXX_DUMP_SIGNAL"):
        dump_on_signal(int(wanted) if wanted.isdecimal() else wanted)
