# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The event loop that a worker is bound to: two tasks of the program's, and a list of calls."""

from __future__ import annotations

import functools
import os
import threading
import weakref
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ucxx.exceptions import UCXCloseError, UCXError

if TYPE_CHECKING:
    from ucxx._core import UCXRequest
    from ucxx._structured.library import Event, Library

# Trio runs the tasks of a turn in random order: in two turns one that goes on has run once at least.
_TURNS = 2


class WorkerLoop:
    """As much of asyncio's event loop as a worker asks of one.

    The worker wants calls: of its reader, when its descriptor is readable; soon, of those that wait for a
    transfer; and before the loop sleeps, of what arms its descriptor. One task waits for each descriptor,
    one makes the other calls. What a callback of the program's raises ends the program's block.
    """

    def __init__(self, library: Library, progress: Callable[[], object]) -> None:
        """Begin without tasks; call it in the thread of the program's loop."""
        self.library = library
        self._busy_turns = 0  # in which a task probably goes on: its transfer has ended at once
        self.waits: set[Event] = set()  # of tasks that are suspended in a transfer
        self._thread = threading.get_ident()
        self._process = os.getpid()
        self._call_from_thread = library.thread_caller()
        self._readers: dict[int, Callable[[], object]] = {}  # by a descriptor of this loop's own
        self._calls: deque[tuple[Callable[..., object], tuple[Any, ...]]] = deque()
        self._progress = progress
        self._arm: Callable[[], object] | None = None
        self._wanted = library.event()
        self._is_in_turn = False
        self._is_over = False
        self._error: BaseException | None = None
        self._failed = library.event()
        self._moving = library.cancel_scope(shield=True)
        self._watching = library.cancel_scope(shield=True)  # a cancel of the block's is the block's alone
        _loops.add(self)

    def require_here(self, what: object) -> None:
        """Raise where a call would be of the wrong thread or process, or too late."""
        if self._is_over or threading.get_ident() != self._thread:
            raise self._refusal(what)

    def _refusal(self, what: object) -> Exception:
        if os.getpid() != self._process:
            return UCXError(
                f"{what!r} is the parent process's: a child of fork opens a worker of its own"
            )
        if self._is_over:
            return UCXCloseError(
                f"{what!r}: its worker has ended, with the block of `async with open_worker()`"
            )
        return RuntimeError(
            f"{what!r} may be used in the thread of its worker only: call from another one by "
            f"{self.library.name}.from_thread.run"
        )

    # What the worker asks for

    def call_soon(
        self, callback: Callable[..., object], *arguments: Any, context: object = None
    ) -> None:
        """Call it in the next turn. No callback here has a context."""
        del context
        self._take(callback, arguments)
        if not self._is_in_turn:
            self._wanted.set()

    def call_soon_threadsafe(
        self, callback: Callable[..., object], *arguments: Any, context: object = None
    ) -> None:
        """Do the same from another thread: one that collects garbage, for example."""
        del context
        self._take(callback, arguments)
        self._call_from_thread(self._wake)

    def _take(self, callback: Callable[..., object], arguments: tuple[Any, ...]) -> None:
        if arguments:
            self._calls.append((callback, arguments))
        else:  # the worker's arm: the one call without arguments
            self._arm = callback

    def _wake(self) -> None:
        self._wanted.set()

    def add_reader(self, descriptor: int, callback: Callable[[], object]) -> None:
        """Call it when the descriptor is readable. The first is the worker's."""
        is_first = not self._readers
        reader = functools.partial(self._move, callback) if is_first else callback
        self._readers[os.dup(descriptor)] = reader  # others may wait for the same one

    def _move(self, on_readable: Callable[[], object]) -> None:
        if self._busy_turns:
            self._progress()  # and no more: on_readable arms
        else:
            on_readable()

    def remove_reader(self, descriptor: int) -> None:
        """Do nothing: all end together."""

    def is_closed(self) -> bool:
        """Tell whether it is over."""
        return self._is_over

    def is_running(self) -> bool:
        """Tell whether a call that blocks would hold it up."""
        return not self._is_over

    def get_debug(self) -> bool:
        """Return False."""
        return False

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Take what a callback has raised."""
        self._fail(context["exception"])

    # The tasks

    async def move(self) -> None:
        """Move the worker until `stop`, shielded from cancels: what is cancelled waits for it."""
        with self._moving:
            async with self.library.open_nursery() as nursery:
                for descriptor in self._readers:
                    nursery.start_soon(self.library.protected, self._read, descriptor)
                await self.library.protected(self._answer)

    async def watch(self) -> None:
        """Raise what a callback raises, in a nursery that then cancels the program's block."""
        with self._watching:
            await self._failed.wait()
            assert self._error is not None
            raise self._error

    async def _read(self, descriptor: int) -> None:
        while True:
            await self.library.wait_readable(descriptor)
            self._turn(self._readers[descriptor])  # kept by no frame: the worker goes when this ends

    async def _answer(self) -> None:
        while True:
            await self._wanted.wait()
            self._turn(_nothing)
            while self._busy_turns:
                self._busy_turns -= 1
                await self.library.checkpoint()
                self._turn(self._progress)
            self._wanted = self.library.event()
            self._turn(_nothing)

    def look_for(self, request: UCXRequest[Any]) -> bool:
        """Look for the end of a transfer for a while, before its task suspends; tell whether it has ended.

        A look disarms the descriptor. It is armed again at once for a task that suspends; after one that
        goes on in some turns, since an armed worker wakes the loop for each message, and for what it sends
        to itself, which nobody needs then.
        """
        self._is_in_turn = True
        try:
            ended = request._look()
        finally:
            self._is_in_turn = False
        self._busy_turns = _TURNS if ended else 0
        self._turn(_nothing)
        return ended

    def goes_on(self) -> None:
        """Hear that a task goes on, whose transfer had ended before it was awaited."""
        self._busy_turns = _TURNS

    def _turn(self, what: Callable[[], object]) -> None:
        """Do it, make the calls that are due then, and arm."""
        self._is_in_turn = True
        try:
            what()
            self._call()
            if self._arm is not None and not self._busy_turns:
                arm, self._arm = self._arm, None
                arm()
        except BaseException as error:  # the tasks go on: others wait for their transfers
            self._fail(error)
        self._is_in_turn = False
        if self._calls or self._arm is not None:
            self._wanted.set()

    def _call(self) -> None:
        """Make the calls that are due; what comes meanwhile waits until other tasks have had their turn."""
        for _ in range(len(self._calls)):
            function, arguments = self._calls.popleft()
            function(*arguments)

    def _fail(self, error: BaseException) -> None:
        if self._error is None:
            self._error = error
            self._failed.set()

    def stop(self) -> None:
        """End the tasks; wake who still waits for a transfer, which goes on without being looked at."""
        self._is_over = True
        self._moving.cancel()
        self._watching.cancel()
        for event in self.waits:
            event.set()

    def close(self) -> None:
        """Let go of the descriptors and of the worker, when the tasks have ended."""
        for descriptor in self._readers:
            os.close(descriptor)
        self._readers.clear()
        self._calls.clear()
        self._arm = None
        self._progress = _nothing


def _nothing() -> None:
    pass


_loops: weakref.WeakSet[WorkerLoop] = weakref.WeakSet()


def _forget_parents() -> None:
    # Threads of a child have the numbers of the parent's.
    for loop in _loops:
        loop._thread = 0


os.register_at_fork(after_in_child=_forget_parents)
