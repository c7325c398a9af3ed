# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What a process of `Pes` does: become a PE, and call the functions that it is sent."""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection


class Failure:
    """What a PE has raised, as it comes to the caller."""

    def __init__(self, error: BaseException) -> None:
        self.trace = "".join(traceback.format_exception(error))
        self.pickled: bytes | None = None
        if isinstance(error, (KeyboardInterrupt, SystemExit)):  # not the caller's
            return
        with contextlib.suppress(Exception):
            pickled = pickle.dumps(error)
            if type(pickle.loads(pickled)) is type(error):
                self.pickled = pickled

    def as_exception(self, label: str) -> BaseException:
        """Return the exception to raise."""
        error: BaseException | None = None
        if self.pickled is not None:
            with contextlib.suppress(Exception):
                error = pickle.loads(self.pickled)
        if error is None:
            error = RuntimeError(f"{label}:\n{self.trace}")
        error.add_note(f"On {label}:\n{self.trace}")
        return error


def be_spawned(words: Connection, rank: int, size: int, parent: int) -> None:
    """Become PE `rank` of `size`; call functions until the other end hangs up."""

    def allgather(part: bytes) -> Sequence[bytes]:
        words.send(part)
        parts: list[bytes] = words.recv()
        return parts

    def start() -> None:
        from ucxx import shmem

        shmem.init(rank=rank, size=size, allgather=allgather)

    _be_a_pe(words, parent, start)


def be_launched(address: str, parent: int) -> None:
    """Become the PE that a launcher has made of this process; call functions of who listens there."""
    to_parent = socket.socket(socket.AF_UNIX)
    to_parent.connect(address)
    words = Connection(to_parent.detach())

    def start() -> None:
        from ucxx import shmem

        shmem.init()
        words.send((shmem.my_pe(), os.getpid()))

    _be_a_pe(words, parent, start)


def _be_a_pe(words: Connection, parent: int, start: Callable[[], None]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the caller's, who ends this process
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    try:
        start()
    except BaseException as error:
        words.send(Failure(error))
        raise
    words.send(None)
    with contextlib.suppress(EOFError, OSError):
        while True:
            _serve(words, *words.recv())


def _serve(words: Connection, path: list[str], call: bytes) -> None:
    """Call one function; send its result, and whether it has left the library as it was."""
    sys.path[:] = path
    try:
        function, args = pickle.loads(call)
        answer: object = (pickle.dumps(function(*args)), _is_clean())
    except BaseException as error:
        answer = Failure(error)
    words.send(answer)


def _is_clean() -> bool:
    """Return whether the library runs, with all memory freed: else the next call gets fresh PEs."""
    from ucxx import _shmem, shmem

    return shmem.query_initialized() and _shmem.left() == (0, 0)


def _end_with(parent: int) -> None:
    """End this process when the one that has asked for it has ended, wherever this one waits."""
    with contextlib.suppress(ProcessLookupError):  # it has ended
        select.select([os.pidfd_open(parent)], [], [])
    os.kill(os.getpid(), signal.SIGKILL)
