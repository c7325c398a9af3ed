# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The primitives of an asynchronous library: all that the modules for trio and anyio need of theirs."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol, Self


class Event(Protocol):
    """Set once; tasks wait for it. A wait for one that is set is a checkpoint."""

    def set(self) -> object:
        """Wake all that wait."""

    async def wait(self) -> object:
        """Wait until it is set."""


class CancelScope(Protocol):
    """A part of a task that can be cancelled, or is shielded from cancels of what is around it."""

    def cancel(self) -> object:
        """Cancel what runs in it, now or later."""

    def __enter__(self) -> Self:
        """Begin it."""

    def __exit__(self, *error: Any) -> bool | None:
        """End it."""

    @property
    def cancelled_caught(self) -> bool:
        """Whether it has been cancelled, and has ended by that."""


class Nursery(Protocol):
    """Where tasks are started: a trio.Nursery, an anyio TaskGroup."""

    @property
    def start_soon(self) -> Callable[..., object]:
        """Start a task: `start_soon(function, *arguments)`."""

    @property
    def cancel_scope(self) -> Any:
        """The scope of all its tasks."""


class TaskStatus(Protocol):
    """What `nursery.start` gives to a task, to say that it has begun."""

    def started(self, value: Any) -> object:
        """Have `start` return a value."""


class _Ignored:
    def started(self, value: Any) -> None:
        """Tell nobody."""


IGNORED: TaskStatus = _Ignored()


@dataclass(frozen=True)
class Library:
    """The primitives, by the names of trio.

    Attributes:
        name: for messages.
        event: makes an Event.
        checkpoint: lets others run, and raises if the task is cancelled.
        checkpoint_if_cancelled: raises if the task is cancelled, and lets no other run otherwise.
        cancel_shielded_checkpoint: lets others run, and raises no cancel.
        wait_readable: waits for a descriptor, which nobody else may do meanwhile.
        open_nursery: an asynchronous context manager of a Nursery.
        cancel_scope: `cancel_scope(shield=True)`; the argument is optional.
        move_on_after: a cancel scope with a limit in seconds.
        cancelled: what a cancelled await raises.
        run_in_thread: calls a blocking function in a thread, and goes on without it when cancelled.
        protected: awaits `function(*arguments)` so that Ctrl-C raises nothing within.
        thread_caller: returns a function that another thread has the loop call a function with.
    """

    name: str
    event: Callable[[], Event]
    checkpoint: Callable[[], Awaitable[None]]
    checkpoint_if_cancelled: Callable[[], Awaitable[None]]
    cancel_shielded_checkpoint: Callable[[], Awaitable[None]]
    wait_readable: Callable[[int], Awaitable[None]]
    open_nursery: Callable[[], contextlib.AbstractAsyncContextManager[Nursery]]
    cancel_scope: Callable[..., CancelScope]
    move_on_after: Callable[[float], CancelScope]
    cancelled: type[BaseException]
    run_in_thread: Callable[[Callable[[], Any]], Awaitable[Any]]
    protected: Callable[..., Awaitable[None]]
    thread_caller: Callable[[], Callable[[Callable[[], object]], object]]
