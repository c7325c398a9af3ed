# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Ways to send messages between two processes, one class and file for each."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ucxx.benchmarks.backends.base import SyncBackend

_MODULES = {
    "ucxx-async": "ucxx_async",
    "ucxx-core": "ucxx_core",
    "ucxx-c++": "perftest",
    "asyncio": "asyncio_streams",
    "uvloop": "uvloop_streams",
    "tornado": "tornado_streams",
    "sockets": "sockets",
    "mpi4py": "mpi",
}
NAMES = tuple(_MODULES)
FIRST = NAMES[0]  # the others are compared with it


def backend(name: str) -> type[SyncBackend]:
    """Return the class of a backend."""
    module = importlib.import_module(f"{__name__}.{_MODULES[name]}")
    way: type[SyncBackend] = module.Backend
    return way
