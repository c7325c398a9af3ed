# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Asks Linux for foreign fences before the first peer is met.

The local channel needs the system call membarrier, for which a process registers once. Linux answers a process
with several threads after 4 to 20 ms, and Dask's processes have several. UCXX asks when it meets the first peer
of the machine; by then a worker has loaded UCX and listens. Asked before that, Linux answers meanwhile.
"""

from __future__ import annotations

import ctypes
import os
import threading

_NUMBERS = {"x86_64": 324, "aarch64": 283}  # of membarrier
_REGISTER_GLOBAL_EXPEDITED = 1 << 2


def register_soon() -> None:
    """Register, and do not wait for it. UCXX asks again, and falls back if Linux refuses.

    Elsewhere than on the machines that UCXX is built for, nothing is asked here.
    """
    number = _NUMBERS.get(os.uname().machine)
    if number is not None:
        threading.Thread(target=_register, args=(number,), name="ucxx fences").start()


def _register(number: int) -> None:
    """Wait for Linux, without the GIL."""
    ctypes.CDLL(None).syscall(number, _REGISTER_GLOBAL_EXPEDITED, 0, 0)
