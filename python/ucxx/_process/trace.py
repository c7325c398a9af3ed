# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A trace of all transfers, for Perfetto."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import sys
import threading
from collections.abc import Iterator
from typing import Any, TextIO

from ucxx import _core

_NEVER = -1
_SUCCESS = 0
_numbers = itertools.count()  # of traces

# Track, transfer, bytes, endpoint, begin and end in ns, status.
_Span = tuple[str, str, int, int, int, int, int]


@contextlib.contextmanager
def trace(file: str | os.PathLike[str]) -> Iterator[None]:
    """Write what happens inside a `with` block to a file, which https://ui.perfetto.dev shows.

    Every transfer that Python starts meanwhile, by whatever worker, is a bar from its call to its end,
    on the track of the asyncio task that started it, or of the thread. At most a million; the file
    says how many more there were. Processes of a machine have one clock: their files can be joined.

    Args:
        file: a path. It is written at the end of the block, in the JSON format of trace events.

    Raises:
        OSError: the file cannot be opened. RuntimeError: there is a trace already.
    """
    name = os.getpid(), next(_numbers)
    with open(file, "a", encoding="utf-8") as opened:
        try:  # Ctrl-C may come at any time
            _core._begin_trace(_track, name)
            opened.truncate(0)  # of another trace that goes on it is left alone
            yield
        finally:
            noted = _core._end_trace(name)
            if noted is not None and name[0] == os.getpid():  # else it is the parent's file
                _write(opened, *noted)


def _track() -> str:
    """Return the name of the task that runs, or of the thread."""
    try:
        task = asyncio.current_task()
    except RuntimeError:  # no loop runs here
        task = None
    return threading.current_thread().name if task is None else task.get_name()


def _write(file: TextIO, spans: list[_Span], lost: int) -> None:
    import json  # rarely wanted

    events = _events(spans)
    file.write('{"displayTimeUnit": "ns", "traceEvents": [\n')
    file.write(",\n".join(json.dumps(event) for event in events))
    file.write(f'\n], "otherData": {{"lost": {lost}}}}}\n')


def _events(spans: list[_Span]) -> Iterator[dict[str, Any]]:
    """Give a bar for each transfer, and the names of the tracks."""
    process = os.getpid()
    program = os.path.basename(sys.argv[0]) or "python"
    yield {"ph": "M", "name": "process_name", "pid": process, "args": {"name": program}}
    lanes = _Lanes()
    for track, what, length, endpoint, start, end, status in sorted(spans, key=_start):
        lane, is_new = lanes.take(track, start, end)
        if is_new:
            yield {"ph": "M", "name": "thread_name", "pid": process, "tid": lane,
                   "args": {"name": track}}
        event = {"ph": "X" if end != _NEVER else "B", "cat": "ucxx", "pid": process, "tid": lane,
                 "name": what.partition(",")[0], "ts": start / 1000,
                 "args": {"transfer": what, "bytes": length, "endpoint": f"{endpoint:#x}",
                          "status": _status(end, status)}}
        if end != _NEVER:
            event["dur"] = (end - start) / 1000
        yield event


def _start(span: _Span) -> int:
    return span[4]


def _status(end: int, status: int) -> str:
    if end == _NEVER:
        return "has not ended"
    return "success" if status == _SUCCESS else _core._status_text(status)


class _Lanes:
    """Bars of one track that overlap lie below each other: in lanes, which are threads to Perfetto."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._lanes: dict[str, list[list[Any]]] = {}  # track -> [[end of the last bar, number]]

    def take(self, track: str, start: int, end: float) -> tuple[int, bool]:
        """Return the number of a lane that is free from `start` on, and whether it is new."""
        lanes = self._lanes.setdefault(track, [])
        end = float("inf") if end == _NEVER else end
        for lane in lanes:
            if lane[0] <= start:
                lane[0] = end
                return lane[1], False
        lanes.append([end, next(self._numbers)])
        return lanes[-1][1], True
