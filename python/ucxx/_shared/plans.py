# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Several prepared transfers at once."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, TypeVar, overload

from ucxx import _core
from ucxx._arguments.checks import require_seconds
from ucxx._core import PreparedRecv, PreparedSend, UCXRequest
from ucxx.exceptions import UCXError

if TYPE_CHECKING:
    from ucxx.types import StreamLike

_T = TypeVar("_T")

# How long plans of several workers wait in turn: what one waits for may need another worker to move.
_TURN_SECONDS = 0.001


@overload
def start_all(plans: Iterable[_core._Prepared]) -> None: ...
@overload
def start_all(
    plans: Iterable[_core._Prepared], *, condition: _core.Condition, until: Literal["ended", "begun"] = "ended"
) -> UCXRequest[None]: ...
@overload
def start_all(
    plans: Iterable[_core._Prepared], *, stream: StreamLike, until: Literal["ended", "begun"] = "ended"
) -> UCXRequest[None]: ...
def start_all(
    plans: Iterable[_core._Prepared],
    *,
    condition: _core.Condition | None = None,
    stream: StreamLike | None = None,
    until: Literal["ended", "begun"] = "ended",
) -> UCXRequest[None] | None:
    """Start each of them, in this order, also those of the asynchronous API.

    One that cannot be started raises, and those before it have been.

    With a condition, or a stream of CUDA, all of them are one post, as `start(stream=...)` of a plan
    is: one trigger begins the next iteration of each, it is one place in the stream, or one node of a
    graph in a capture, and one request, which is returned, ends with the last of the iterations, or,
    with `until="begun"`, as soon as all have begun. It raises what the first has failed with that
    did. `request.wait_on(stream)` is one wait for all. The plans are of one worker, and each is
    there once. Cancelling the request takes back all before the trigger, and later those that have
    not begun. If all are of one endpoint, its end ends the request before the trigger; else what
    cannot begin at the trigger fails alone. With a condition that repeats, the first failure ends
    the request, and none of the plans begins again.

    Raises:
        TypeError: one is no prepared transfer, or both a condition and a stream are given; nothing
            has been started.
        ValueError: `until` is another word.
        UCXInvalidParamError: with a condition or stream, there are no plans, one is there twice or
            of another worker, or the worker has no progress thread, which a device needs.
    """
    checked = _checked(plans, (_core._Prepared,), "prepared transfers")
    if condition is not None and stream is not None:
        raise TypeError("start_all() takes a condition or a stream, not both")
    if condition is not None or stream is not None:
        return _core._start_all(checked, condition, stream, until)
    for plan in checked:
        plan.start(until=until)
    return None


def wait_all(plans: Iterable[PreparedSend | PreparedRecv], timeout: float | None = None) -> None:
    """Wait until the iterations of all have ended, for `timeout` seconds at most.

    Then it raises what the first of them that has failed has ended with. It moves the workers of all
    that have no progress thread. Other Python threads run meanwhile, Ctrl-C interrupts it. Not to be
    called in callbacks.

    Raises:
        TimeoutError: the time was up; the iterations go on.
        TypeError: one is no prepared transfer of `ucxx.core`.
    """
    require_seconds("timeout", timeout)
    deadline = None if timeout is None else time.monotonic() + timeout
    checked = _checked(plans, (PreparedSend, PreparedRecv), "prepared transfers of ucxx.core")
    most = None if all(plan._is_of_worker_of(checked[0]) for plan in checked) else _TURN_SECONDS
    while pending := [plan for plan in checked if not plan.completed]:
        for plan in pending:
            _wait(plan, deadline, most)
    for plan in checked:
        plan.check_error()


def wait_all_on(plans: Iterable[_core._Prepared], stream: StreamLike) -> None:
    """Let a stream of CUDA wait until the iterations of all have ended, also those of the asynchronous API.

    It is `wait_on` of each plan: one wait in the stream for plans that were started once, one more for
    those whose condition repeats, in a capture one node. The plans are of one worker, and each is
    there once.

    Raises:
        TypeError: one is no prepared transfer.
        UCXInvalidParamError: there are no plans, one is there twice or of another worker, or the
            worker has no progress thread.
    """
    _core._wait_all_on(_checked(plans, (_core._Prepared,), "prepared transfers"), stream)


def _wait(plan: PreparedSend | PreparedRecv, deadline: float | None, most: float | None) -> None:
    """Until `deadline`, which raises TimeoutError, but for `most` seconds."""
    left = None if deadline is None else max(0.0, deadline - time.monotonic())
    is_turn = most is not None and (left is None or most < left)
    try:
        plan.wait(most if is_turn else left)
    except TimeoutError:
        if not is_turn:
            raise
    except UCXError:
        if not plan.completed:  # the wait has failed, not the iteration
            raise


def _checked(plans: Iterable[_T], kinds: tuple[type, ...], what: str) -> list[_T]:
    checked = list(plans)
    for number, plan in enumerate(checked):
        if not isinstance(plan, kinds):
            hint = " of asyncio: await its wait()" if isinstance(plan, _core._Prepared) else ""
            raise TypeError(f"plans must be {what}; number {number} is {type(plan).__name__}{hint}")
    return checked
