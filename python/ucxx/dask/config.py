# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""TODO."""
from __future__ import annotations

import threading

import ucxx
from ucxx._runtime import known_runtime

_lock = threading.Lock()


def start(host: str | None = None) -> None:
    """Initialise UCXX."""
    with _lock:
        if known_runtime() is None:
            ucxx.init()
