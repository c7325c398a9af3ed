# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Reads what workers tell with their heartbeats; nothing of it is trusted."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping

from ucxx.dask.learning.estimate import QUICKEST, SHORTEST
from ucxx.dask.learning.kinds import KINDS
from ucxx.dask.learning.places import shown
from ucxx.dask.learning.transfers import MOST

_MOST_TRANSFERS = 1_000_000
_MOST_BYTES = 1 << 50
_MOST_SECONDS = 86_400.0

#: Address of the holder, kind, and the number of transfers, their bytes and their seconds.
Told = tuple[str, str, tuple[int, int, float]]


def transfers(told: object, workers: Collection[str]) -> Iterator[Told]:
    """Give the transfers that a heartbeat tells; those from workers that are not there (any more) are left out.

    Raises:
        ValueError: that is none, before any is given.
    """
    if not isinstance(told, (list, tuple)) or len(told) > MOST:
        raise ValueError(f"transfers are a list of at most {MOST}, not {shown(told)}")
    return iter([one for one in map(_read, told) if one[0] in workers])


def _read(one: object) -> Told:
    if not isinstance(one, (list, tuple)) or len(one) != 5:
        raise ValueError(f"transfers of a holder and a kind have five values, not {shown(one)}")
    holder, kind, count, nbytes, seconds = one
    if not isinstance(holder, str) or not isinstance(kind, str) or kind not in KINDS:
        raise ValueError(f"no address and kind: {shown((holder, kind))}")
    if not _is_int(count, 1, _MOST_TRANSFERS) or not _is_int(nbytes, 0, _MOST_BYTES):
        raise ValueError(f"no number of transfers and bytes: {shown((count, nbytes))}")
    if not isinstance(seconds, float) or not math.isfinite(seconds) or not seconds <= _MOST_SECONDS * count:
        raise ValueError(f"no time of {count} transfers: {shown(seconds)}")
    if seconds < max(count * SHORTEST, nbytes * QUICKEST):
        raise ValueError(f"{shown(seconds)} s are too short for {count} transfers of {nbytes} bytes")
    return holder, kind, (count, nbytes, seconds)


def _is_int(value: object, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def parts(told: object) -> tuple[object, object]:
    """Return place and transfers of a heartbeat.

    Raises:
        ValueError: it has not both.
    """
    if not isinstance(told, Mapping) or not {"place", "transfers"} <= set(told):
        raise ValueError(f"a place and transfers are expected, not {shown(told)}")
    return told["place"], told["transfers"]
