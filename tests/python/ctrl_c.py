# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Ctrl-C while a program waits, for those of `run_with_helpers`."""

import os
import signal
import threading
import time


def interrupted(wait):
    """Call `wait`, which Ctrl-C interrupts; return how many seconds after that it has ended."""
    at = 0.0

    def interrupt():
        nonlocal at
        time.sleep(0.2)
        at = time.monotonic()
        os.kill(os.getpid(), signal.SIGINT)

    # Who is started in the background of a shell ignores it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=interrupt).start()
    try:
        wait()
    except KeyboardInterrupt:
        return time.monotonic() - at
    raise AssertionError("it ended before Ctrl-C")
