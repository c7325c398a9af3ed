# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Conditions: transfers are posted with one now, and start when it is triggered.

It needs no GPU: a condition of the host is triggered by the program itself, in any thread.
"""

from __future__ import annotations

from ucxx import _core
from ucxx._core import Condition

__all__ = ["Condition", "available", "host"]


def available() -> bool:
    """Tell whether CUDA's driver is here, can be used, and has a device. Initialises the driver."""
    driver = _core._cuda_driver()
    return not driver["missing"] and bool(driver["devices"])


def host(
    *,
    repeat: bool = False,
    start_timeout: float | None = None,
    transfer_timeout: float | None = None,
) -> Condition:
    """Make a condition that `Condition.trigger` triggers.

    Args:
        repeat: its transfers start again at each trigger, with the same buffers. They end when it is
            closed, or when a repetition of theirs fails. Receives that bring a buffer of their own
            (`am_recv`, `recv_multi`) cannot repeat: UCXUnsupportedError.
        start_timeout: seconds; a transfer that has not started so long after its post ends with
            UCXTimedOutError. None: it waits for ever.
        transfer_timeout: seconds; a transfer that has not ended so long after its start is cancelled,
            and ends with UCXTimedOutError. If it does not end within the same time once more, its
            endpoint is closed. None: no limit.

    Raises:
        UCXNoResourceError: the process has 4096 conditions already.
        TypeError, ValueError: a timeout is no number of seconds from 0.001 to 1e9.
        UCXError: in a forked child.
    """
    return _core._host_condition(repeat, start_timeout, transfer_timeout)
