# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The context and the workers that the asynchronous API uses: one worker for each event loop."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
import weakref
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, Unpack

from ucxx import _core
from ucxx._asyncio.handlers import Handlers
from ucxx._process import log
from ucxx._process.logger import logger
from ucxx._process.start import build_info
from ucxx.core import UCXContext, UCXWorker
from ucxx.exceptions import UCXError
from ucxx.types import WorkerOptions

if TYPE_CHECKING:
    from ucxx._core import UCXRequest
    from ucxx.types import BufferLike

MODES = {
    "loop": _core.Mode.Loop,
    "blocking": _core.Mode.Loop,
    "polling": _core.Mode.Polling,
    "thread": _core.Mode.Thread,
    "thread-polling": _core.Mode.Thread,
}


class Member(Protocol):
    """An endpoint or a listener, which a program has to close before `reset`."""

    @property
    def closed(self) -> bool:
        """Whether nothing is left to close."""


class Runtime:
    """A context, and for each event loop a worker that is moved as `mode` says."""

    def __init__(
        self,
        options: Mapping[str, Any],
        mode: str,
        enable_delayed_submission: bool,
        worker_options: WorkerOptions,
    ) -> None:
        """Make the context."""
        self.mode = mode
        self._worker_options = worker_options
        self.context = UCXContext(options)
        self.local = options.get("UCXX_LOCAL") or os.environ.get("UCXX_LOCAL") or "auto"
        self.members: weakref.WeakSet[Member] = weakref.WeakSet()
        # By handle.
        self.endpoints: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
        # Requests of no endpoint.
        self.receives: weakref.WeakSet[UCXRequest[Any]] = weakref.WeakSet()
        self.handlers = Handlers()  # of active messages
        self._delays = enable_delayed_submission
        self._allocators: dict[str, Callable[[int], BufferLike]] = {}
        self._workers: dict[asyncio.AbstractEventLoop, UCXWorker] = {}
        self._early: UCXWorker | None = None  # made outside of any loop; the first loop takes it
        self._lock = threading.Lock()  # loops of several threads

    def worker(self) -> UCXWorker:
        """Return the worker of the running loop; outside of any, one for the next loop."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return self._worker_without_loop()
        worker = self._workers.get(loop)
        if worker is None:
            worker = self._bind(loop)
        return worker

    def _worker_without_loop(self) -> UCXWorker:
        with self._lock:
            self._forget_closed_loops()
            if self._early is None and len(self._workers) == 1:
                return next(iter(self._workers.values()))
            if self._early is None:
                self._early = self._make_worker()
            return self._early

    def _bind(self, loop: asyncio.AbstractEventLoop) -> UCXWorker:
        with self._lock:
            self._forget_closed_loops()
            worker, self._early = self._early or self._make_worker(), None
            if self.mode == "thread-polling":
                _core._Worker.start_progress_thread(worker, True)
            worker._bind(loop, MODES[self.mode], self.mode != "blocking")
            log.watch(loop)
            self._workers[loop] = worker
            return worker

    def _make_worker(self) -> UCXWorker:
        worker = UCXWorker(self.context, self._delays, **self._worker_options)
        for kind, function in self._allocators.items():
            worker.set_allocator(kind, function)
        return worker

    def set_allocator(self, kind: str, function: Callable[[int], BufferLike]) -> None:
        """Set it for the workers of all loops, and those to come."""
        if self.mode.startswith("thread"):
            raise ValueError(
                f"an allocator is Python, and in mode {self.mode!r} a thread of C++ moves the "
                "worker, which never takes the GIL: use another progress_mode; without one, large "
                "messages come in memory of the library, those of a device in a core.DeviceBuffer"
            )
        self.worker().set_allocator(kind, function)
        with self._lock:
            self._allocators[kind] = function
            for worker in self._workers.values():
                worker.set_allocator(kind, function)

    def _forget_closed_loops(self) -> None:
        for loop in [loop for loop in self._workers if loop.is_closed()]:
            _let_go(self._workers.pop(loop))

    def open_members(self) -> list[Member | UCXRequest[Any]]:
        """Return what somebody has and that is open: endpoints, listeners, receives of neither.

        An endpoint that has failed is not: there is nothing that its owner could still close.
        """
        members = [member for member in self.members if not member.closed]
        return [*members, *(request for request in self.receives if not request.done())]

    def whats_open(self) -> str:
        """Name what is open; empty: nothing is. Keeps none of it."""
        return ", ".join(map(repr, self.open_members()))

    def end(self) -> None:
        """Let go of the loops and stop the threads."""
        for loop in self._workers:
            log.unwatch(loop)
        for worker in [*self._workers.values(), *filter(None, [self._early])]:
            _let_go(worker)
        self._workers.clear()
        self._early = None


def _let_go(worker: UCXWorker) -> None:
    worker._unbind()
    worker._end_waiters()
    _core._Worker.stop_progress_thread(worker)


_runtime: Runtime | None = None
_first = threading.Lock()


def init(
    options: Mapping[str, object] | None = None,
    env_takes_precedence: bool = False,
    progress_mode: str | None = None,
    enable_delayed_submission: bool | None = None,
    enable_python_future: bool | None = None,
    **worker_options: Unpack[WorkerOptions],
) -> None:
    """Initialise UCXX; the first call of anything else does it with the defaults.

    Args:
        options: settings of UCX without `UCX_`, and `UCXX_...`; they beat the environment.
        env_takes_precedence: the environment beats `options`.
        progress_mode: "loop" (default), or "blocking", "polling", "thread", "thread-polling"; also by
            UCXPY_PROGRESS_MODE.
        enable_delayed_submission: a thread posts all transfers: without a mode, that is "thread".
            Also by UCXPY_ENABLE_DELAYED_SUBMISSION.
        enable_python_future: accepted in modes with a thread, and has no effect but to choose
            "thread" where none is given. Also by UCXPY_ENABLE_PYTHON_FUTURE.
        worker_options: those of `ucxx.types.WorkerOptions`, by name, for the workers of all loops:
            `connect_timeout=30, stall_report=60`.

    Raises:
        RuntimeError: it is initialised already.
        ValueError: for an unknown mode, or one without a thread where one is needed.
        TypeError, ValueError: a worker option is unknown, or has a value that makes no sense.
    """
    global _runtime
    if _runtime is not None:
        raise RuntimeError("UCXX is initialised already: call ucxx.reset() before ucxx.init()")
    delays = _wanted("enable_delayed_submission", enable_delayed_submission)
    needs_thread = delays or _wanted("enable_python_future", enable_python_future)
    default = "thread" if needs_thread else "loop"
    mode = progress_mode or os.environ.get("UCXPY_PROGRESS_MODE") or default
    if mode not in MODES:
        raise ValueError(f"progress_mode {mode!r} is none of {', '.join(MODES)}")
    if needs_thread and not mode.startswith("thread"):
        what = "enable_delayed_submission" if delays else "enable_python_future"
        raise ValueError(f"{what} needs a progress mode with a thread, not {mode!r}")
    _core._check_worker_options(worker_options)
    options = dict(options or {})
    if env_takes_precedence:
        options = {name: value for name, value in options.items() if not _in_environment(name)}
    _runtime = Runtime(options, mode, delays, worker_options)
    ucx = build_info()
    logger.info("ucxx is initialised, progress mode %s, UCX %s (%s)",
                mode, ".".join(map(str, ucx.version)), ucx.reason)


_WORDS = {"1": True, "true": True, "yes": True, "on": True,
          "": False, "0": False, "false": False, "no": False, "off": False}  # fmt: skip


def _wanted(name: str, value: bool | None) -> bool:
    """Return what an argument says, or where it is None, the environment."""
    if value is not None:
        return bool(value)
    variable = f"UCXPY_{name.upper()}"
    word = os.environ.get(variable, "").strip().lower()
    if word not in _WORDS:
        raise ValueError(f"{variable}={word} is none of {', '.join(filter(None, _WORDS))}")
    return _WORDS[word]


def _in_environment(name: str) -> bool:
    return f"UCX_{name}" in os.environ or name in os.environ


def known_runtime() -> Runtime | None:
    """Return the runtime, None if there is none yet."""
    return _runtime


def runtime() -> Runtime:
    """Return the runtime, made by now."""
    if (known := _runtime) is not None:
        return known
    with _first:
        if _runtime is None:
            init()
        assert _runtime is not None
        return _runtime


def reset() -> None:
    """Let go of everything, so that `init` can be called again.

    Raises:
        UCXError: an endpoint or a listener is referenced and open, or a `ucxx.recv` is pending. What
            has failed, or is in cycles of objects that nobody has any more, does not count.
    """
    global _runtime
    if _runtime is None:
        return
    if _runtime.whats_open():
        gc.collect()
    # As text: whoever keeps the error keeps the variables of this function.
    if still_open := _runtime.whats_open():
        raise UCXError(
            f"Trying to reset UCX but not all Endpoints and/or Listeners are closed: {still_open}"
        )
    ended, _runtime = _runtime, None
    ended.end()


_parents: list[Runtime] = []  # in a forked child: what is not its own


def _forget_parents() -> None:
    # Letting go would take the parent's readers out of the epoll that it shares with this child.
    global _runtime, _first
    if _runtime is not None:
        _parents.append(_runtime)
    _runtime, _first = None, threading.Lock()


os.register_at_fork(after_in_child=_forget_parents)
