# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Messages of scalars and plain NumPy arrays, without Dask's machinery around each array.

What Dask says of an array in its frames (type, shape, strides, which serialiser) is the same bytes for all
arrays of a kind. Dask makes them once, and they are kept: the frames are Dask's, byte for byte. As no
array is touched, none has to go to a helper thread, however large it is. Dask's own measurements of
(de)serialisation do not see these messages.
"""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import msgpack
from distributed.protocol import Serialize, dumps, pickle
from distributed.protocol.serialize import msgpack_decode_default
from distributed.protocol.utils import msgpack_opts

_KINDS = frozenset("?biufc")  # dtypes whose text says all
_MOST_KEPT = 1024
_HEADER_BYTES = 1024  # of a plain array with up to 32 axes; a peer may not have more of them kept

_headers: dict[tuple[Any, ...], bytes] = {}
_plains: dict[bytes, "_Plain | None"] = {}


class _Other(Exception):
    """There is something else than scalars and plain arrays."""


class _Plain(NamedTuple):
    dtype: Any
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    writeable: bool


def is_plain(value: Any) -> bool:
    """Tell whether a value is an array of numbers in C or Fortran order."""
    kind = type(value)
    if kind.__name__ != "ndarray" or kind.__module__ != "numpy":
        return False
    return value.dtype.kind in _KINDS and value.flags.forc and value.size > 0 and value.ndim > 0 and 0 not in value.strides


def dump(msg: Any) -> list[Any] | None:
    """Return the frames of a message, None if it has other things in it.

    The same as `distributed.protocol.dumps` without compression, and without a limit for frames.
    """
    frames: list[Any] = [None]

    def encode(value: Any) -> Any:
        if type(value) is not Serialize or not is_plain(value.data):
            raise _Other
        at = len(frames)
        frames.append(_header_of(value.data))
        frames.append(value.data.ravel(order="K").data)
        return {"__Serialized__": at}

    try:
        frames[0] = msgpack.packb(msg, default=encode, use_bin_type=True)
    except (_Other, TypeError, ValueError, OverflowError):
        return None  # Dask has an answer to what msgpack refuses, too
    return frames


def _header_of(array: Any) -> bytes:
    key = (array.dtype.str, array.shape, array.strides, array.flags.writeable)
    header = _headers.get(key)
    if header is None:
        _, header, _ = dumps([Serialize(array)], context={"compression": None}, frame_split_size=sys.maxsize)
        _keep(_headers, key, header)
    return header


def load(frames: list[Any]) -> tuple[bool, Any]:
    """Return True and the message of frames, or False if they have other things in them."""

    def decode(value: Any) -> Any:
        if (at := value.get("__Serialized__", 0)) > 0:
            return _array(frames, at)
        if "__Pickled__" in value:
            raise _Other
        return msgpack_decode_default(value)

    try:
        return True, msgpack.unpackb(frames[0], object_hook=decode, use_list=False, **msgpack_opts)
    except _Other:
        return False, None


def _array(frames: list[Any], at: int) -> Any:
    header = frames[at]
    if len(header) > _HEADER_BYTES:
        raise _Other
    key = bytes(header)
    try:
        plain = _plains[key]
    except KeyError:
        plain = _plain_of(key)
        _keep(_plains, key, plain)
    if plain is None:  # it may have no frames, as an empty list
        raise _Other
    frame = frames[at + 1]
    if frame.readonly:
        raise _Other
    array = sys.modules["numpy"].ndarray(plain.shape, plain.dtype, frame, 0, plain.strides)
    if not plain.writeable:
        array.flags.writeable = False
    return array


def _plain_of(header: bytes) -> _Plain | None:
    """Return what a header says of a plain array; None for all others, which Dask looks at."""
    try:
        import numpy as np
    except ImportError:
        return None
    said = msgpack.unpackb(header, object_hook=msgpack_decode_default, use_list=False, **msgpack_opts)
    array = said.get("sub-header")
    expected = {
        "sub-header": array, "type": "numpy.ndarray", "type-serialized": pickle.dumps(np.ndarray), "serializer": "dask",
        "split-num-sub-frames": (1,), "split-offsets": (0,), "compression": (None,), "num-sub-frames": 1,
    }  # fmt: skip
    if said != expected or array.keys() != {"dtype", "shape", "strides", "writeable"}:
        return None
    (is_pickled, text), (writeable,) = array["dtype"], array["writeable"]
    if is_pickled or np.dtype(text).kind not in _KINDS:
        return None
    return _Plain(np.dtype(text), array["shape"], array["strides"], writeable)


def _keep(kept: dict[Any, Any], key: Any, value: Any) -> None:
    if len(kept) >= _MOST_KEPT:
        kept.clear()
    kept[key] = value
