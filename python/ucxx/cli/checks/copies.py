# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Self-test: whether the kernel lets two processes of ours copy from each other (CMA)."""

import ctypes
import os
from multiprocessing.connection import Connection

from ucxx.cli.checks import NOTE, OK, Finding
from ucxx.testing import running_peers

_WORDS = b"what one process has written"


class _Vector(ctypes.Structure):
    _fields_ = (("address", ctypes.c_void_p), ("size", ctypes.c_size_t))


def check() -> Finding:
    """Have one process read the memory of another, neither the parent of the other."""
    with running_peers(1, _hold) as (holder,), running_peers(1, _read) as (reader,):
        reader.send((holder.pid, holder.receive()))
        error = reader.receive()
    if error is None:
        return Finding("kernel copies", OK, "a process may copy from another one (CMA)")
    return Finding(
        "kernel copies",
        NOTE,
        f"refused: {error}",
        "large messages go through the ring of the local channel, on some machines slower",
        "measure first; then ptrace scope, seccomp or CAP_SYS_PTRACE; or buffers of the library's: "
        "docs/how-to/containers.md",
    )


def _hold(words: Connection) -> None:
    buffer = ctypes.create_string_buffer(_WORDS)
    words.send(ctypes.addressof(buffer))
    words.poll(None)  # until nobody needs the memory any more


def _read(words: Connection) -> None:
    pid, address = words.recv()
    buffer = ctypes.create_string_buffer(len(_WORDS))
    here = _Vector(ctypes.addressof(buffer), len(_WORDS))
    there = _Vector(address, len(_WORDS))
    libc = ctypes.CDLL(None, use_errno=True)
    one = ctypes.c_ulong(1)
    count = libc.process_vm_readv(
        pid, ctypes.byref(here), one, ctypes.byref(there), one, ctypes.c_ulong(0)
    )
    if count < 0:
        words.send(os.strerror(ctypes.get_errno()))
    else:
        words.send(None if buffer.raw == _WORDS else "other bytes came")
