# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Messages to frames and back, by Dask, but for messages of few scalars and plain arrays.

Dask measures each message, to (de)serialise it in a helper thread if it is large. That takes several times
as long as a small message itself, and plain arrays need no other thread at any size (`arrays.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from distributed.comm import utils
from distributed.protocol import Serialize, loads

from ucxx.dask import arrays, serialize

_SMALL_BYTES = 65_536  # of a text, and of what msgpack reads
_MOST_VALUES = 256

_SCALARS = frozenset({int, float, bool, type(None)})
_TEXTS = frozenset({str, bytes})
_LISTS = frozenset({list, tuple})


async def to_frames(
    msg: Any,
    allow_offload: bool,
    serializers: Any,
    on_error: str,
    context: Mapping[str, Any],
    frame_split_size: int | None,
) -> list[Any]:
    """Return the frames of a message; the arguments are those of Dask's `to_frames`."""
    if (serializers is None or serializers in serialize.FAMILIES) and not context["compression"] and _values_left(msg, _MOST_VALUES) >= 0:
        frames = arrays.dump(msg)
        if frames is not None:
            return frames
    return await utils.to_frames(
        msg,
        allow_offload=allow_offload,
        serializers=serializers,
        on_error=on_error,
        context=context,
        frame_split_size=frame_split_size,
    )


async def from_frames(
    frames: list[Any], nbytes: int, deserialize: bool, deserializers: Any, allow_offload: bool
) -> Any:
    """Return the message of frames, which have so many bytes in all."""
    if frames and deserialize and deserializers is None and len(frames[0]) <= _SMALL_BYTES:
        is_done, msg = arrays.load(frames)
        if is_done:
            return msg
    threshold = utils.OFFLOAD_THRESHOLD  # false: nothing goes to a helper thread
    if not threshold or nbytes <= threshold:
        return loads(frames, deserialize=deserialize, deserializers=deserializers)
    return await utils.from_frames(
        frames, deserialize=deserialize, deserializers=deserializers, allow_offload=allow_offload
    )


def _values_left(value: Any, left: int) -> int:
    """Return how many values may follow one, for a message to be small; negative: it may be large."""
    kind = type(value)
    if kind in _SCALARS:
        return left - 1
    if kind in _TEXTS:
        return left - 1 if len(value) <= _SMALL_BYTES else -1
    if kind is Serialize:
        return left - 1 if arrays.is_plain(value.data) else -1
    if kind is dict:
        value = value.values()
    elif kind not in _LISTS:
        return -1
    for item in value:
        left = _values_left(item, left)
        if left < 0:
            break
    return left
