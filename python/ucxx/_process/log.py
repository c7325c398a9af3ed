# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The log lines of C++ in Python's logging: logger `ucxx`, below it one for each component.

Threads of C++ queue their lines and never wait for Python. Event loops, the thread of callbacks, and
whoever progresses or waits for a request give them to the loggers; at exit what is left.
"""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

from ucxx import _core
from ucxx._process.logger import logger

if TYPE_CHECKING:
    import asyncio

# Warnings of settings are for who starts the program, whether it configures logging or not.
_SETTINGS = "context"

_COMPONENTS = ("context", "cuda", "door", "endpoint", "link", "listener", "local", "program", "request",
               "ucp", "ucx", "worker")
_LOGGERS = [logger, *(logging.getLogger(f"ucxx.{name}") for name in _COMPONENTS)]

# ucxx::LogLevel
_OFF, _ERROR, _WARN, _INFO, _DEBUG, _TRACE = range(6)
_LEVELS = {_ERROR: logging.ERROR, _WARN: logging.WARNING, _INFO: logging.INFO,
           _DEBUG: logging.DEBUG, _TRACE: 5}

descriptor: int | None = None  # readable when there are lines; None: C++ writes them to standard error itself


def begin() -> None:
    """Take the lines, unless UCXX_LOG_LEVEL asks for them on standard error."""
    global descriptor
    if not os.environ.get("UCXX_LOG_LEVEL"):
        descriptor = _core._begin_log(_deliver)
        follow_levels()


def end() -> None:
    """Give what is left to the loggers; later lines go nowhere."""
    if descriptor is not None:
        _core._end_log()


def follow_levels() -> None:
    """Have C++ format only what a logger wants.

    Contexts, workers and endpoints call it when they are made: levels that change later reach C++ with
    the next one.
    """
    if descriptor is None:
        return
    wanted = min(one.getEffectiveLevel() for one in _LOGGERS)
    levels = [level for level, number in _LEVELS.items() if number >= wanted]
    _core._set_log_level(max(levels, default=_OFF))


def watch(loop: asyncio.AbstractEventLoop) -> None:
    """Have an event loop deliver lines as they come."""
    if descriptor is not None:
        loop.add_reader(descriptor, _core._deliver_log)


def unwatch(loop: asyncio.AbstractEventLoop) -> None:
    """Have it do so no more."""
    if descriptor is not None and not loop.is_closed():
        loop.remove_reader(descriptor)


def _deliver(lines: list[tuple[int, float, str, str]], lost: int) -> None:
    for level, time, component, text in lines:
        target = logging.getLogger(f"ucxx.{component}")
        if target.isEnabledFor(_LEVELS[level]):
            _handle(target, _LEVELS[level], text, time)
        if component == _SETTINGS and level <= _WARN and _is_unheard(target):
            _say(f"{target.name}: {text}")
    if lost:
        logger.warning("%d lines of the log were lost: they came faster than they were delivered", lost)


def _is_unheard(target: logging.Logger) -> bool:
    heard: logging.Logger | None = target
    while heard is not None:
        if not all(isinstance(handler, logging.NullHandler) for handler in heard.handlers):
            return False
        heard = heard.parent if heard.propagate else None
    return target.isEnabledFor(logging.WARNING)  # else the program wants no warnings


def _say(text: str) -> None:
    if logging.lastResort is not None:  # standard error, if there is one
        logging.lastResort.handle(logging.makeLogRecord({"msg": text, "levelno": logging.WARNING}))


def _handle(target: logging.Logger, level: int, text: str, time: float) -> None:
    record = target.makeRecord(target.name, level, "(C++)", 0, text, (), None)
    record.created = time  # not when it was delivered
    record.msecs = time % 1 * 1000
    target.handle(record)


begin()
