# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The context and the workers that the asynchronous API uses: one worker for each event loop."""

from __future__ import annotations

import asyncio
import atexit
import logging
import os
import threading
import weakref

from ucxx import _core
from ucxx.core import UCXContext, UCXWorker
from ucxx.exceptions import UCXError

logger = logging.getLogger("ucxx")
logger.addHandler(logging.NullHandler())  # silent, until the program wants to know

MODES = {
    "loop": _core.Mode.Loop,
    "blocking": _core.Mode.Loop,
    "polling": _core.Mode.Polling,
    "thread": _core.Mode.Thread,
    "thread-polling": _core.Mode.Thread,
}


class Runtime:
    """A context, and for each event loop a worker that is moved as `mode` says."""

    def __init__(self, options, mode):
        """Make the context."""
        self.mode = mode
        self.context = UCXContext(options)
        self.members = weakref.WeakSet()  # endpoints and listeners
        self._workers = {}  # event loop -> worker
        self._early = None  # made outside of any loop; the first loop takes it
        self._lock = threading.Lock()  # loops of several threads

    def worker(self):
        """Return the worker of the running loop; outside of any, one for the next loop."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return self._worker_without_loop()
        worker = self._workers.get(loop)
        if worker is None:
            worker = self._bind(loop)
        return worker

    def _worker_without_loop(self):
        with self._lock:
            self._forget_closed_loops()
            if self._early is None and len(self._workers) == 1:
                return next(iter(self._workers.values()))
            if self._early is None:
                self._early = UCXWorker(self.context)
            return self._early

    def _bind(self, loop):
        with self._lock:
            self._forget_closed_loops()
            worker, self._early = self._early or UCXWorker(self.context), None
            if self.mode == "thread-polling":
                _core._Worker.start_progress_thread(worker, True)
            worker._bind(loop, MODES[self.mode])
            self._workers[loop] = worker
            return worker

    def _forget_closed_loops(self):
        for loop in [loop for loop in self._workers if loop.is_closed()]:
            _let_go(self._workers.pop(loop))

    def open_members(self):
        """Return endpoints and listeners that somebody has, and that are open."""
        return [member for member in self.members if not member.closed]

    def end(self):
        """Let go of the loops and stop the threads."""
        for worker in [*self._workers.values(), *filter(None, [self._early])]:
            _let_go(worker)
        self._workers.clear()
        self._early = None


def _let_go(worker):
    worker._unbind()
    worker._end_waiters()
    _core._Worker.stop_progress_thread(worker)


_runtime = None
_first = threading.Lock()


def init(
    options=None,
    env_takes_precedence=False,
    progress_mode=None,
    enable_delayed_submission=None,
    enable_python_future=None,
):
    """Initialise UCXX; the first call of anything else does it with the defaults.

    Args:
        options: settings of UCX without `UCX_`, and `UCXX_...`; they beat the environment.
        env_takes_precedence: the environment beats `options`.
        progress_mode: "loop" (default), or "blocking", "polling", "thread", "thread-polling"; also by
            UCXPY_PROGRESS_MODE.
        enable_delayed_submission: accepted where the mode has a thread.
        enable_python_future: accepted where the mode has a thread.

    Raises:
        RuntimeError: it is initialised already. ValueError: for an unknown mode.
    """
    global _runtime
    if _runtime is not None:
        raise RuntimeError("UCXX is initialised already: call ucxx.reset() before ucxx.init()")
    mode = progress_mode or os.environ.get("UCXPY_PROGRESS_MODE") or "loop"
    if mode not in MODES:
        raise ValueError(f"progress_mode {mode!r} is none of {', '.join(MODES)}")
    for name, value in (
        ("enable_delayed_submission", enable_delayed_submission),
        ("enable_python_future", enable_python_future),
    ):
        if value and not mode.startswith("thread"):
            raise ValueError(f"{name}=True needs a progress mode with a thread, not {mode!r}")
    options = dict(options or {})
    if env_takes_precedence:
        options = {name: value for name, value in options.items() if not _in_environment(name)}
    _runtime = Runtime(options, mode)
    logger.info("ucxx is initialised, progress mode %s", mode)


def _in_environment(name):
    return f"UCX_{name}" in os.environ or name in os.environ


def runtime():
    """Return the runtime, made by now."""
    if _runtime is None:
        with _first:
            if _runtime is None:
                init()
    return _runtime


def reset():
    """Let go of everything, so that `init` can be called again.

    Raises:
        UCXError: an endpoint or a listener is referenced and open.
    """
    global _runtime
    if _runtime is None:
        return
    still_open = _runtime.open_members()
    if still_open:
        raise UCXError(
            "Trying to reset UCX but not all Endpoints and/or Listeners are closed: "
            + ", ".join(repr(member) for member in still_open)
        )
    ended, _runtime = _runtime, None
    ended.end()


_parents = []  # in a forked child: what is not its own


def _forget_parents():
    # Letting go would take the parent's readers out of the epoll that it shares with this child.
    global _runtime, _first
    if _runtime is not None:
        _parents.append(_runtime)
    _runtime, _first = None, threading.Lock()


os.register_at_fork(after_in_child=_forget_parents)


@atexit.register
def _end():
    _core._end_all()
