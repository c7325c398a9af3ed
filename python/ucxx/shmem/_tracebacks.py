# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What an exception prints that nobody catches says which PE it is."""

from __future__ import annotations

import sys
import threading
from types import TracebackType

from ucxx import _shmem

_label: str | None = None


def label_tracebacks() -> None:
    """Have the traceback of an uncaught exception begin with the PE, where there are several."""
    global _label
    if _shmem.n_pes() == 1:
        return
    if _label is None:
        _wrap_hooks()
    _label = f"PE {_shmem.my_pe()} of {_shmem.n_pes()}:\n"


def _wrap_hooks() -> None:
    show, show_in_thread = sys.excepthook, threading.excepthook

    def show_with_pe(kind: type[BaseException], error: BaseException,
                     trace: TracebackType | None) -> None:
        if show is sys.__excepthook__:
            _print(_text(kind, error, trace))
        else:
            _print("")
            show(kind, error, trace)

    def show_with_pe_in_thread(failed: threading.ExceptHookArgs) -> None:
        if failed.exc_type is SystemExit:
            return
        if show_in_thread is threading.__excepthook__ and failed.exc_value is not None:
            name = failed.thread.name if failed.thread else "?"
            text = _text(failed.exc_type, failed.exc_value, failed.exc_traceback)
            _print(f"Exception in thread {name}:\n{text}")
        else:
            _print("")
            show_in_thread(failed)

    sys.excepthook = show_with_pe
    threading.excepthook = show_with_pe_in_thread


def _text(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> str:
    import traceback  # not at the start

    return "".join(traceback.format_exception(kind, error, trace))


def _print(text: str) -> None:
    """Print the PE and a text at once: other PEs may print at the same time."""
    print(f"{_label}{text}", end="", file=sys.stderr, flush=True)
