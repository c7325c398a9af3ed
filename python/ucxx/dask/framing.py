# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Messages to frames and back, by Dask; small ones without what Dask does for the sake of large ones.

Dask measures each message, to (de)serialise it in a helper thread if it is large. That takes several times
as long as serialising a small one, so what is plainly small is not measured.
"""

from __future__ import annotations

from typing import Any

from distributed.comm import utils
from distributed.protocol import Serialize, dumps, loads

_SMALL_BYTES = 65_536  # of one value
_MOST_VALUES = 64

_threshold: int = utils.OFFLOAD_THRESHOLD or 1 << 63
_SKIPS_MEASURING = _threshold >= _MOST_VALUES * _SMALL_BYTES
_SCALARS = frozenset({int, float, bool, type(None)})
_TEXTS = frozenset({str, bytes})
_LISTS = frozenset({list, tuple, set})


async def to_frames(msg: Any, allow_offload: bool, **options: Any) -> list[Any]:
    """Return the frames of a message; `options` are those of `distributed.protocol.dumps`."""
    if not allow_offload or (_SKIPS_MEASURING and _values_left(msg, _MOST_VALUES) >= 0):
        return dumps(msg, **options)
    return await utils.to_frames(msg, allow_offload=True, **options)


async def from_frames(frames: list[Any], nbytes: int, allow_offload: bool, **options: Any) -> Any:
    """Return the message of frames that have so many bytes in all; `options` as of `loads`."""
    if not allow_offload or nbytes <= _threshold:
        return loads(frames, **options)
    return await utils.from_frames(frames, allow_offload=True, **options)


def _values_left(value: Any, left: int) -> int:
    """Return how many values may follow one, for a message to be small; negative: it may be large."""
    kind = type(value)
    if kind in _SCALARS:
        return left - 1
    if kind in _TEXTS:
        return left - 1 if len(value) <= _SMALL_BYTES else -1
    if kind is Serialize:
        data = value.data
        if type(data).__name__ == "ndarray" and type(data).__module__ == "numpy" and data.nbytes <= _SMALL_BYTES:
            return left - 1
        return -1
    if kind is dict:
        value = value.values()
    elif kind not in _LISTS:
        return -1
    for item in value:
        left = _values_left(item, left)
        if left < 0:
            break
    return left
