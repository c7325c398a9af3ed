# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What a step of a program costs on an event loop: of asyncio, uvloop, and trio.

coroutine   a coroutine that returns at once is awaited
task        a task that returns at once is made and awaited
thread      another thread ends what a task waits for
ended       a transfer on the own worker that has ended when it is awaited
later       a transfer that suspends its task: two tasks wake each other by turns
"""

from __future__ import annotations

import asyncio
import importlib.util
import queue
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any

import ucxx
from ucxx.benchmarks.pair import in_turn

LOOPS = ("asyncio", "uvloop", "trio")
KINDS = ("coroutine", "task", "thread", "ended", "later")
STEPS = 20_000

_Transfer = Callable[[], Awaitable[object]]
_Step = Callable[[int], Coroutine[Any, Any, float]]


def missing(name: str) -> str | None:
    """Return why a loop cannot be measured, None if it can."""
    found = name == "asyncio" or importlib.util.find_spec(name) is not None
    return None if found else f"{name} is not installed"


def measure(
    loops: Sequence[str], steps: int, runs: int, on_run: Callable[[], object] = lambda: None
) -> list[dict[str, Any]]:
    """Return a row for each loop and kind of step: microseconds for each step, of all runs.

    Args:
        loops: of LOOPS.
        steps: how many are measured.
        runs: how often each is measured, in turn.
        on_run: called after each measurement.
    """

    def run(which: tuple[str, str]) -> float:
        loop, kind = which
        return _in_trio(kind, steps) if loop == "trio" else _in_asyncio(loop, kind, steps)

    found = in_turn([(loop, kind) for loop in loops for kind in KINDS], runs, run, on_run)
    return [{"step": f"{loop}: {kind}", "us": us} for (loop, kind), us in found.items()]


async def _nothing() -> None:
    pass


async def _timed(steps: int, step: _Transfer) -> float:
    begin = time.perf_counter()
    for _ in range(steps):
        await step()
    return (time.perf_counter() - begin) / steps * 1e6


async def _coroutine(steps: int) -> float:
    return await _timed(steps, _nothing)


class _Answers:
    """A thread that calls what it is given, one after the other."""

    def __enter__(self) -> queue.SimpleQueue[Callable[[], object] | None]:
        self._asked: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        return self._asked

    def __exit__(self, *_: object) -> None:
        self._asked.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (call := self._asked.get()) is not None:
            call()


class _Pair:
    """Transfers of 8 bytes between two endpoints of one worker."""

    def __init__(self, here: Any, there: Any) -> None:
        self._here, self._there = here, there
        self._buffers = [bytearray(8), bytearray(8)]

    def send(self, tag: int) -> Awaitable[object]:
        sent: Awaitable[object] = self._here.send(bytes(8), tag, True)
        return sent

    def recv(self, tag: int) -> Awaitable[object]:
        received: Awaitable[object] = self._there.recv(self._buffers[tag], tag, True)
        return received

    async def ended(self, steps: int) -> float:
        async def step() -> None:
            await self.send(0)
            await self.recv(0)

        return await _timed(steps // 2, step) / 2

    async def ping(self, steps: int) -> float:
        """Be woken by the other task, and wake it."""

        async def step() -> None:
            await self.send(0)
            await self.recv(1)

        return await _timed(steps // 2, step) / 2

    async def pong(self, steps: int) -> None:
        for _ in range(steps // 2):
            await self.recv(0)
            await self.send(1)


def _in_asyncio(loop: str, kind: str, steps: int) -> float:
    async def task(steps: int) -> float:
        return await _timed(steps, lambda: asyncio.create_task(_nothing()))

    async def thread(steps: int) -> float:
        running = asyncio.get_running_loop()
        with _Answers() as asked:

            def step() -> Awaitable[None]:
                future = running.create_future()
                asked.put(lambda: running.call_soon_threadsafe(future.set_result, None))
                return future

            return await _timed(steps, step)

    async def pair() -> _Pair:
        address = ucxx.get_worker_address()
        return _Pair(*[await ucxx.create_endpoint_from_worker_address(address) for _ in range(2)])

    async def ended(steps: int) -> float:
        return await (await pair()).ended(steps)

    async def later(steps: int) -> float:
        both = await pair()
        other = asyncio.create_task(both.pong(steps))
        await asyncio.sleep(0)  # it waits
        us = await both.ping(steps)
        await other
        return us

    steps_of: dict[str, _Step] = {
        "coroutine": _coroutine, "task": task, "thread": thread, "ended": ended, "later": later,
    }  # fmt: skip
    with asyncio.Runner(loop_factory=_factory(loop)) as runner:
        return runner.run(steps_of[kind](steps))


def _factory(loop: str) -> Callable[[], asyncio.AbstractEventLoop] | None:
    if loop == "asyncio":
        return None
    import uvloop

    return uvloop.new_event_loop


def _in_trio(kind: str, steps: int) -> float:
    import trio
    import trio.testing

    import ucxx.trio

    async def task(steps: int) -> float:
        async def step() -> None:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_nothing)

        return await _timed(steps, step)

    async def thread(steps: int) -> float:
        token = trio.lowlevel.current_trio_token()
        with _Answers() as asked:

            def step() -> Awaitable[None]:
                event = trio.Event()
                asked.put(lambda: token.run_sync_soon(event.set))
                return event.wait()

            return await _timed(steps, step)

    async def transfers(steps: int) -> float:
        async with ucxx.trio.open_worker() as worker, trio.open_nursery() as nursery:
            ends = [await worker.create_endpoint_from_worker_address(worker.address) for _ in range(2)]
            both = _Pair(*ends)
            if kind == "ended":
                return await both.ended(steps)
            nursery.start_soon(both.pong, steps)
            await trio.testing.wait_all_tasks_blocked()
            return await both.ping(steps)

    steps_of: dict[str, _Step] = {"coroutine": _coroutine, "task": task, "thread": thread}
    us: float = trio.run(steps_of.get(kind, transfers), steps)
    return us
