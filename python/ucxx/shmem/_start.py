# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Start and end of the library."""

from __future__ import annotations

import atexit
import io
import operator
import sys
from _thread import RLock
from collections.abc import Callable, Sequence

from ucxx import _shmem
from ucxx.shmem._constants import THREAD
from ucxx.shmem._forked import end_with_process
from ucxx.shmem._rc import rc
from ucxx.shmem._tracebacks import label_tracebacks

Allgather = Callable[[bytes], Sequence[bytes]]

# Held by the thread that initialises or finalises: of several first uses at once one initialises.
_turn = RLock()


def init(*, rank: int | None = None, size: int | None = None,
         allgather: Allgather | None = None) -> None:
    """Initialise the library; the first use of another name does it as well, unless `rc` says no.

    Collective. Under `oshrun` the process becomes a PE of its job; alone it is the only PE. Processes
    that something else has started, by multiprocessing or MPI, say who they are, and how they reach
    each other: with mpi4py `init(rank=comm.rank, size=comm.size, allgather=comm.allgather)`. They run
    on one machine, as one user.

    Each further call wants a further `finalize`.

    Args:
        rank: the number of this process, from 0 on.
        size: how many processes there are.
        allgather: a function that each process calls with bytes, and that returns those of all in the
            order of ranks. It is called once.

    Raises:
        TypeError: not all three, or none of them, are given; or one is of a wrong type.
        ValueError: a rank beyond the size, or an allgather that returns something else.
        RuntimeError: the library could not be initialised, for the reason that the text gives. What
            `allgather` raises is raised.
    """
    init_thread(THREAD.SINGLE, rank=rank, size=size, allgather=allgather)


def init_thread(requested: int = THREAD.MULTIPLE, *, rank: int | None = None, size: int | None = None,
                allgather: Allgather | None = None) -> THREAD:
    """Initialise the library for threads; return the level that it provides.

    Args:
        requested: one of THREAD.
        rank: as of `init`.
        size: as of `init`.
        allgather: as of `init`.
    """
    given = [one is not None for one in (rank, size, allgather)]
    if any(given) and not all(given):
        raise TypeError(f"init: rank = {rank!r}, size = {size!r}, allgather = {allgather!r}: must be "
                        "all given, or none")
    with _turn:
        if allgather is not None and rank is not None and size is not None:
            level = _shmem.init_with(requested, _index("rank", rank), _index("size", size), allgather)
        else:
            level = _shmem.init_thread(requested)
            _write_whole_lines()
        label_tracebacks()
        end_with_process(_end)
    return THREAD(level)


def query_initialized() -> bool:
    """Return whether the library runs: initialised, and not finalised."""
    return _shmem.is_running()


def query_thread() -> THREAD:
    """Return the level of threads that the library provides."""
    return THREAD(_shmem.query_thread())


def finalize() -> None:
    """Undo one initialisation. The last one ends the library; the end of the program does it as well.

    Collective. What arrays hold is gone: they can still be read, as zeros, and written, but calls
    refuse them.
    """
    with _turn:
        _shmem.finalize()
        if not _shmem.is_running():
            _log_what_is_left()


def begin() -> None:
    """Initialise the library at the first use, as `rc` says."""
    with _turn:
        if rc.initialize and not _shmem.is_running() and not _shmem.has_ended():
            init_thread(rc.level)


def _write_whole_lines() -> None:
    """Write each line at once: the PEs of oshrun share one output, and their writes mix.

    A buffer is written when it is full, within a line. Without one (PYTHONUNBUFFERED) each argument
    of print is written by itself.
    """
    out = sys.stdout
    if (_shmem.n_pes() > 1 and out is sys.__stdout__ and isinstance(out, io.TextIOWrapper)
            and not out.isatty()):
        out.reconfigure(line_buffering=True, write_through=False)


def _index(name: str, value: object) -> int:
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"init: {name} = {value!r}: must be an integer") from None


def _log_what_is_left() -> None:
    """Say how much memory nobody has freed."""
    blocks, size = _shmem.left()
    if blocks:
        import logging  # not at the start

        logging.getLogger("ucxx.shmem").info(
            "%d symmetric arrays were not freed, of %d bytes together", blocks, size)


@atexit.register
def _end_program() -> None:
    """Leave the rest to the extension, which knows with what status the program ends."""
    if _shmem.is_running():
        _log_what_is_left()
    _shmem.finalize_at_exit(rc.finalize is not False)


def _end() -> None:
    """Finalise, however often the program has initialised, if it is to be done at the end."""
    while rc.finalize is not False and _shmem.is_running():
        finalize()
