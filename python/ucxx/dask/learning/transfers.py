# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What this process has fetched from workers, measured by the comm: sums since they were last taken.

A transfer lasts from the request (`get_data`) until the whole answer is in memory: that is what a worker waits for. It has
the time in which the holder packs the object. Comms of several event loops may note at the same time.
"""

from __future__ import annotations

import threading
from typing import Any

from dask.utils import typename

from ucxx.dask.learning.kinds import kind_of

NAME = "ucxx-bandwidths"  # of the part of a heartbeat that has the sums, and of the plugins
LARGE = 65_536  # bytes: smaller transfers tell the latency, larger ones the bandwidth
MOST = 256  # sums of one heartbeat

#: Number of transfers, their bytes, their seconds.
Sums = list[Any]

is_noted = False  # whether a worker of this process tells
has_gpu = False  # of this process, as its plan has it

_lock = threading.Lock()
_tellers = 0
_sums: dict[tuple[str, str, bool], Sums] = {}


def begin() -> None:
    """Note transfers: a worker begins to tell."""
    global is_noted, _tellers
    with _lock:
        _tellers += 1
        is_noted = True


def end() -> None:
    """Have a worker tell no longer; behind the last one nothing is noted, and what was is forgotten."""
    global is_noted, _tellers
    with _lock:
        _tellers -= 1
        is_noted = _tellers > 0
        if not is_noted:
            _sums.clear()


def note(holder: str, answer: Any, nbytes: int, seconds: float) -> None:
    """Add a transfer.

    Args:
        holder: address of the worker that was asked.
        answer: what it has answered; one that has not the data is not counted, nor one with several kinds of objects.
        nbytes: of the message.
        seconds: from the request until the message was there.
    """
    if type(answer) is not dict or answer.get("status") != "OK" or not isinstance(answer.get("data"), dict):
        return
    kinds = {kind_of(typename(type(value)), has_gpu) for value in answer["data"].values()}
    if len(kinds) != 1:
        return
    key = (holder, kinds.pop(), nbytes >= LARGE)
    with _lock:
        if key not in _sums and len(_sums) >= MOST:
            return
        sums = _sums.setdefault(key, [0, 0, 0.0])
        sums[0] += 1
        sums[1] += nbytes
        sums[2] += seconds


def take() -> list[tuple[str, str, int, int, float]]:
    """Return the sums since the last call: address of the holder, kind, number of transfers, bytes, seconds."""
    global _sums
    with _lock:
        taken, _sums = _sums, {}
    return [(holder, kind, *sums) for (holder, kind, _), sums in taken.items()]
