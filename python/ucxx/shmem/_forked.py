# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The end of a PE that multiprocessing has forked: no handlers of atexit run there."""

from __future__ import annotations

import sys
from collections.abc import Callable

_LAST = -1000  # after what others let multiprocessing call


def end_with_process(function: Callable[[], None]) -> None:
    """Call a function where this process ends well, if it is one that multiprocessing has forked."""
    if not _is_forked():
        return
    from multiprocessing.util import Finalize

    def end() -> None:
        error = sys.exc_info()[1]
        if error is None or (isinstance(error, SystemExit) and not error.code):
            function()

    Finalize(None, end, exitpriority=_LAST)


def _is_forked() -> bool:
    if "multiprocessing.process" not in sys.modules:
        return False
    from multiprocessing import get_start_method, parent_process

    return parent_process() is not None and get_start_method() != "spawn"
