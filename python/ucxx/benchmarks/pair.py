# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Two processes that measure something, one of which serves, and what they tell."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from ucxx.benchmarks.measure import BenchmarkError
from ucxx.testing import Peer, running_peers

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Announce = Callable[[int | str], object]

_T = TypeVar("_T")
_Found = TypeVar("_Found")

_SECONDS = 120


def in_turn(
    things: Sequence[_T], runs: int, run: Callable[[_T], _Found], on_run: Callable[[], object]
) -> dict[_T, list[_Found]]:
    """Return what `run(thing)` returns for each of some things, all of them `runs` times in turn."""
    found: dict[_T, list[_Found]] = {thing: [] for thing in things}
    for _ in range(runs):
        for thing in things:
            found[thing].append(run(thing))
            on_run()
    return found


def run_pair(
    name: str,
    serve: Callable[..., object],
    connect: Callable[..., _Found],
    *args: Any,
    pin: tuple[int | None, int | None] | None = None,
) -> _Found:
    """Run `serve(announce, *args)` and `connect(address, *args)`; return what `connect` returns.

    The server announces its address once; it is ended when the other one has ended.

    Args:
        name: what is measured, for errors.
        serve: a function of a module, for the first process.
        connect: one for the second process.
        args: what both get.
        pin: processor numbers of the two, the one that connects first; None: anywhere.

    Raises:
        BenchmarkError: one has failed, in words.
    """
    processors = pin or (None, None)
    try:
        with (
            running_peers(1, _act, _serve, serve, processors[1]) as (server,),
            running_peers(1, _act, _connect, connect, processors[0]) as (client,),
        ):
            server.send(args)
            client.send((_word(server), *args))
            found: _Found = _word(client)
            return found
    except (EOFError, OSError, RuntimeError) as error:
        raise BenchmarkError(f"{name}: {error or 'a process has ended'}") from error


def _word(peer: Peer) -> Any:
    what, word = peer.receive(_SECONDS)
    if what == "failed":
        raise RuntimeError(word)
    return word


def _serve(words: Connection, serve: Callable[..., object], args: Sequence[Any]) -> None:
    serve(lambda address: words.send(("address", address)), *args)


def _connect(words: Connection, connect: Callable[..., object], args: Sequence[Any]) -> None:
    words.send(("end", connect(*args)))


def _act(
    words: Connection,
    part: Callable[..., None],
    function: Callable[..., object],
    processor: int | None,
) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends us without a word
    if processor is not None:
        os.sched_setaffinity(0, {processor})
    args = words.recv()
    try:
        part(words, function, args)
    except Exception as error:
        words.send(("failed", f"{type(error).__name__}: {error}"))
