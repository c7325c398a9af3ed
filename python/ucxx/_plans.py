# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Several prepared transfers of the synchronous API at once."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable
from typing import TypeVar

from ucxx import _core
from ucxx._arguments import require_seconds
from ucxx._core import PreparedRecv, PreparedSend
from ucxx.exceptions import UCXError

_T = TypeVar("_T")


def start_all(plans: Iterable[_core._Prepared]) -> None:
    """Start each of them, in this order, also those of the asynchronous API.

    One that cannot be started raises, and those before it have been.

    Raises:
        TypeError: one is no prepared transfer; nothing has been started.
    """
    for plan in _checked(plans, (_core._Prepared,)):
        plan.start()


def wait_all(plans: Iterable[PreparedSend | PreparedRecv], timeout: float | None = None) -> None:
    """Wait until the iterations of all have ended, for `timeout` seconds at most.

    Then it raises what the first of them that has failed has ended with. Other Python threads run
    meanwhile, Ctrl-C interrupts it.

    Raises:
        TimeoutError: the time was up; the iterations go on.
        TypeError: one is no prepared transfer of `ucxx.core`.
    """
    require_seconds("timeout", timeout)
    deadline = None if timeout is None else time.monotonic() + timeout
    all_of_them = _checked(plans, (PreparedSend, PreparedRecv))
    for plan in all_of_them:
        with contextlib.suppress(UCXError):
            plan.wait(None if deadline is None else max(0.0, deadline - time.monotonic()))
    for plan in all_of_them:
        plan.check_error()


def _checked(plans: Iterable[_T], kinds: tuple[type, ...]) -> list[_T]:
    checked = list(plans)
    for number, plan in enumerate(checked):
        if not isinstance(plan, kinds):
            names = " or ".join(kind.__name__.lstrip("_") for kind in kinds)
            raise TypeError(f"plans must be of {names}; number {number} is {type(plan).__name__}")
    return checked
