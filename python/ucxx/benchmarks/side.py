# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What each of the two processes does."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
from typing import TYPE_CHECKING, Any

from ucxx.benchmarks.backends import backend
from ucxx.benchmarks.message import Message, ObjectMessage

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from ucxx.benchmarks.backends.base import SyncBackend
    from ucxx.benchmarks.settings import Settings

SERVES, CONNECTS = 0, 1


def run_side(words: Connection, name: str, settings: Settings) -> None:
    """Take a side, send and receive, and tell by `words` what happens.

    It is told (side, address), and tells ("address", it), ("round trips", count), ("times", size,
    seconds of each round trip), ("end",) or ("failed", why).
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends us without a word
    with contextlib.suppress(EOFError, BrokenPipeError):  # nobody listens any more
        words.send(_outcome(words, name, settings))


def _outcome(words: Connection, name: str, settings: Settings) -> tuple[str, ...]:
    side, address = words.recv()
    try:
        processor = settings.pin and settings.pin[SERVES if side == CONNECTS else CONNECTS]
        if processor is not None:
            os.sched_setaffinity(0, {processor})
        _exchange(words, backend(name)(settings), settings, side, address)
        return ("end",)
    except Exception as error:
        return "failed", f"{type(error).__name__}: {error}"


def _exchange(
    words: Connection, way: SyncBackend, settings: Settings, side: int, address: Any
) -> None:
    if side == SERVES:
        way.serve(lambda address: words.send(("address", address)))
    else:
        way.connect(address)
    for size in settings.sizes:
        _one_size(words, way, settings, side, size)
    way.close()


def _message(settings: Settings, side: int, size: int) -> Message | ObjectMessage:
    if settings.content == "dict":
        return ObjectMessage(side)
    reuse = settings.receive_into == "same"
    return Message(size, settings.buffers, side, reuse, settings.object_type)


def _one_size(
    words: Connection, way: SyncBackend, settings: Settings, side: int, size: int
) -> None:
    begins = side == CONNECTS
    message = _message(settings, side, size)
    times: list[float] = []
    if settings.unmeasured(size):
        way.ping_pong(message, settings.unmeasured(size), begins)
    for count in settings.bursts(size):
        message.spoil()
        # The first one waits for the other process to come back from its report.
        instants = way.ping_pong(message, count + 1, begins)[1:]
        message.check()
        if begins:
            times += [
                after - before - 2 * settings.pause_us / 1e6
                for before, after in itertools.pairwise(instants)
            ]
            words.send(("round trips", count))
    if begins:
        words.send(("times", size, times))
