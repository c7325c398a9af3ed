# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Python objects as messages of several frames: what `send_obj` sends, and `recv_obj` makes of it."""

from __future__ import annotations

import pickle
import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from ucxx import _core
from ucxx.exceptions import UCXError

if TYPE_CHECKING:
    from ucxx._core import UCXRequest
    from ucxx.types import BufferLike

_TRUSTED = {"self", "local"}


class _Endpoint(Protocol):
    @property
    def transports(self) -> list[str]: ...
    @property
    def peer_address(self) -> str: ...


def frames_of(obj: Any) -> tuple[BufferLike, ...]:
    """Return the frames of an object: an empty one before bytes, else a pickle and its buffers."""
    if _is_bytes(obj):
        return (b"", _in_order(obj))
    beside: list[pickle.PickleBuffer] = []
    head = pickle.dumps(obj, protocol=5, buffer_callback=beside.append)
    return (head, *beside)


def object_of(
    endpoint: _Endpoint,
    request: UCXRequest[list[Any]],
    frames: list[Any],
    allocator: Callable[[int], Any] | None,
    force_tag: bool,
    allow_pickle: bool,
) -> Any:
    """Return the object that a receive of several frames has got, or give its message back and raise.

    A message that cannot be unpickled is gone: a part of it may have been run.
    """
    try:
        _require_object(endpoint, frames)
        head, *buffers = frames
        if len(head) == 0:
            return _placed(buffers[0], allocator)
        if not allow_pickle:
            _require_trust(endpoint, force_tag)
    except BaseException:
        frames.clear()
        request._give_back()
        raise
    return _unpickled(endpoint, head, buffers)


def _is_bytes(obj: Any) -> bool:
    # The types themselves: a subclass (a masked array, a NumPy scalar of bytes) says more than its bytes.
    kind = type(obj)
    if kind in (bytes, bytearray, memoryview, _core.Array, _core.DeviceBuffer):
        return True
    numpy = sys.modules.get("numpy")  # whoever has an array has imported it
    if numpy is None or kind not in (numpy.ndarray, numpy.memmap):
        return False
    return obj.flags.forc and not obj.dtype.hasobject


def _in_order(obj: Any) -> Any:
    """Return a copy of the bytes of a memoryview that is not contiguous; anything else as it is."""
    view = obj.obj if type(obj) is _core.Array else obj
    if type(view) is memoryview and not view.contiguous and not _has_objects(view):
        return view.tobytes()
    return obj


def _has_objects(view: memoryview) -> bool:
    return "O" in re.sub(":[^:]*:", "", view.format)  # names of fields are no types


def _require_object(endpoint: _Endpoint, frames: list[Any]) -> None:
    if len(frames) == 0 or (len(frames[0]) == 0 and len(frames) != 2):
        raise UCXError(
            f"{endpoint!r}: a message of {len(frames)} frames, which send_obj has not sent"
        )


def _require_trust(endpoint: _Endpoint, force_tag: bool) -> None:
    # A tag of the pair is known to its two ends alone; any other may be any peer's of the worker.
    transports = set(endpoint.transports)
    if force_tag or not transports or not transports <= _TRUSTED:
        sender = "some peer" if force_tag else endpoint.peer_address or "a peer that has gone"
        raise UCXError(
            f"{sender} has sent a pickled object. It may be another machine or user, and "
            "unpickling runs what its sender wants: receive it with allow_pickle=True if you trust it"
        )


def _unpickled(endpoint: _Endpoint, head: Any, buffers: list[Any]) -> Any:
    try:
        return pickle.loads(head, buffers=buffers)
    except (Exception, SystemExit) as error:  # anything: it runs what the sender wants
        raise UCXError(
            f"{endpoint!r}: a pickle of {len(head)} bytes and {len(buffers)} buffers cannot be "
            f"unpickled: {type(error).__name__}: {error}"
        ) from error


def _placed(data: Any, allocator: Callable[..., Any] | None) -> Any:
    if allocator is None:
        return data
    if _core.Array(data).cuda:
        raise ValueError(
            "the bytes come in memory of a device, and `allocator` makes memory of the host: "
            "receive without it"
        )
    return _filled(allocator(len(data)), data)


def _filled(target: Any, data: Any) -> Any:
    array, name = _core.Array(target), type(target).__name__
    if array.cuda:
        raise ValueError(
            f"an allocator has given a {name}, which is memory of a device; that of recv_obj makes "
            "memory of the host"
        )
    with memoryview(array) as memory:
        if len(memory) != len(data):
            raise ValueError(f"an allocator has given {len(memory)} bytes instead of {len(data)}")
        if memory.readonly:
            raise ValueError(f"an allocator has given a {name}, which is read-only")
        memory[:] = data
    return target
