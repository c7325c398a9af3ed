# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The one thread that runs Python callbacks, and log lines, of workers which threads of C++ move.

It starts with the first such worker, sleeps until one has something to tell, and ends at exit.
"""

from __future__ import annotations

import contextlib
import os
import select
import threading
import weakref
from typing import Any

from ucxx import _core
from ucxx._process import log

_lock = threading.Lock()
_workers: dict[int, weakref.ref[_core._Worker]] = {}  # descriptor -> weak reference
_thread: threading.Thread | None = None
_poller: Any = None  # a select.epoll, with the thread
_stop: Any = None  # the writing end of a pipe


def add(worker: _core._Worker) -> None:
    """Run the callbacks of `worker` from now on, unless an event loop does."""
    if worker._is_bound:
        return
    descriptor = worker._completions_fd
    with _lock:
        _start()
        _workers[descriptor] = weakref.ref(worker, lambda _: _forget(descriptor))
        _poller.register(descriptor, select.EPOLLIN)
    worker._ring(True)


def remove(worker: _core._Worker) -> None:
    """Leave the callbacks of `worker` to whoever moves it."""
    _forget(worker._completions_fd)


def _forget(descriptor: int) -> None:
    if _workers.pop(descriptor, None) is not None:
        with contextlib.suppress(OSError):  # it has been closed with its worker
            _poller.unregister(descriptor)


def _start() -> None:
    global _thread, _poller, _stop
    if _thread is not None:
        return
    _poller = select.epoll()  # takes changes while it waits
    ending, _stop = os.pipe()
    _poller.register(ending, select.EPOLLIN)
    if log.descriptor is not None:
        _poller.register(log.descriptor, select.EPOLLIN)
    _thread = threading.Thread(target=_run, args=(ending,), name="ucxx-callbacks", daemon=True)
    _thread.start()


def _run(ending: int) -> None:
    while True:
        for descriptor, _ in _poller.poll():
            if descriptor == ending:
                os.close(ending)
                return
            if descriptor == log.descriptor:
                _core._deliver_log()
                continue
            reference = _workers.get(descriptor)
            worker = reference() if reference is not None else None
            if worker is not None and worker._is_bound:
                _forget(descriptor)  # an event loop has taken over
            elif worker is not None:
                worker._drain()
            del worker


def _forget_parents() -> None:
    # In a forked child: the thread is not there, and the epoll is the parent's, too.
    global _lock, _thread, _poller, _stop
    _workers.clear()
    _lock, _thread, _poller, _stop = threading.Lock(), None, None, None


os.register_at_fork(after_in_child=_forget_parents)


def end() -> None:
    """End the thread, if it runs."""
    global _thread
    if _thread is not None:
        os.close(_stop)
        _thread.join(timeout=1)
        _thread = None
