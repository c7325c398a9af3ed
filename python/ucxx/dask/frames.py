# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The frames of one Dask message as one multi-buffer message, and back.

    buffer 0    version, length of the note, number of frames   8 bytes
                table: for each frame (bytes << 2 | place)      8 bytes each
                small frames, arrays before bytes
                note
    buffer 1..  one large frame each: memory of the host or of a device

A place says where a frame is: among the small ones (bytes, or an array's memory), or in a buffer of its
own (host or device). Small frames are joined because each buffer of a message costs both sides, and
because a message has at most 65,536 of them; large ones are not copied. The note is text that the comm
sends along with its first message.
"""

from __future__ import annotations

import heapq
import struct
from collections.abc import Sequence
from typing import Any

from distributed.utils import ensure_memoryview, nbytes

VERSION = 1
SMALL_BYTES = 4096  # a frame up to this is joined with others
MOST_BUFFERS = 60_000  # of one message; above, more frames are joined

_BYTES, _ARRAY, _HOST, _DEVICE = range(4)  # places
_HEAD = struct.Struct("<BBxxI")
_HEAD_AND_ENTRY = struct.Struct("<BBxxIQ")
_MOST_NOTE = 255

# An array alone among frames of bytes shares their buffer, and keeps them alive as well: that many, or a part.
_SHARED_BYTES = 2048
_SHARED_PART = 0.05


class FramesError(ValueError):
    """The bytes are no message of this protocol."""


def pack(frames: Sequence[Any], note: bytes = b"") -> tuple[list[Any], int]:
    """Return the buffers that carry the frames, and how many bytes they have in all.

    Frames are bytes, contiguous memoryviews, or arrays of a device; none is copied if it is large.
    """
    if len(frames) == 1 and not note and type(frames[0]) is bytes and len(frames[0]) <= SMALL_BYTES:
        head = _HEAD_AND_ENTRY.pack(VERSION, 0, 1, len(frames[0]) << 2 | _BYTES) + frames[0]
        return [head], len(head)
    if len(note) > _MOST_NOTE:
        raise FramesError(f"a note of {len(note)} bytes; it has at most {_MOST_NOTE}")
    return _pack(frames, note)


def _pack(frames: Sequence[Any], note: bytes) -> tuple[list[Any], int]:
    sizes = [len(frame) if type(frame) is bytes else nbytes(frame) for frame in frames]
    limit = _limit_of_small(sizes)
    entries: list[int] = []
    arrays: list[Any] = []
    texts: list[Any] = []
    buffers: list[Any] = [None]
    for frame, size in zip(frames, sizes, strict=True):
        if hasattr(frame, "__cuda_array_interface__"):
            place = _DEVICE
            buffers.append(frame)
        elif size > limit:
            place = _HOST
            buffers.append(frame)
        elif type(frame) is bytes:
            place = _BYTES
            texts.append(frame)
        else:
            place = _ARRAY
            arrays.append(_in_order(frame))
        entries.append(size << 2 | place)
    table = struct.pack(f"<{len(entries)}Q", *entries)
    buffers[0] = b"".join([_HEAD.pack(VERSION, len(note), len(frames)), table, *arrays, *texts, note])
    large = sum(entry >> 2 for entry in entries if entry & 2)
    return buffers, len(buffers[0]) + large


def _in_order(frame: Any) -> Any:
    """Return a frame such that its bytes, joined, are those of its memory."""
    if type(frame) is memoryview and frame.c_contiguous:
        return frame
    return ensure_memoryview(frame)


def _limit_of_small(sizes: list[int]) -> int:
    """Return up to which size frames are joined, so that the others are few enough."""
    if len(sizes) <= MOST_BUFFERS:
        return SMALL_BYTES
    return max(SMALL_BYTES, heapq.nlargest(MOST_BUFFERS, sizes)[-1])


def unpack(buffers: Sequence[Any]) -> tuple[list[Any], bytes]:
    """Return the frames, as memoryviews or arrays of a device, and the note.

    Raises:
        FramesError: what came is no message of `pack`.
    """
    if not buffers:
        raise FramesError("a message without buffers")
    head = memoryview(buffers[0])
    if head.nbytes < _HEAD.size:
        raise FramesError(f"a head of {head.nbytes} bytes")
    version, note_bytes, count = _HEAD.unpack_from(head)
    if version != VERSION:
        raise FramesError(f"version {version} of the protocol; this process has version {VERSION}")
    small = _HEAD.size + 8 * count
    end = head.nbytes - note_bytes
    if small > end:
        raise FramesError(f"a head of {head.nbytes} bytes for {count} frames")
    entries = struct.unpack_from(f"<{count}Q", head, _HEAD.size)
    if count == 1 and entries[0] & 3 == _BYTES and entries[0] >> 2 == end - small and len(buffers) == 1:
        return [head[small:end]], bytes(head[end:])
    return _Unpacking(head, small, end, buffers).frames(entries), bytes(head[end:])


class _Unpacking:
    """Finds the frames of one message, in the order of its table."""

    def __init__(self, head: memoryview, small: int, end: int, buffers: Sequence[Any]) -> None:
        self._head, self._end, self._buffers = head, end, buffers
        self._array_at = self._bytes_at = small
        self._shares = False

    def frames(self, entries: Sequence[int]) -> list[Any]:
        arrays = [entry >> 2 for entry in entries if entry & 3 == _ARRAY]
        self._shares = len(arrays) == 1  # arrays of one message share no memory
        self._bytes_at += sum(arrays)
        texts = sum(entry >> 2 for entry in entries if entry & 3 == _BYTES)
        large = sum(1 for entry in entries if entry & 2)
        if self._bytes_at + texts != self._end or large != len(self._buffers) - 1:
            raise FramesError(
                f"{len(self._buffers)} buffers, of which the first has {self._head.nbytes} bytes, do "
                f"not agree with a table of {len(entries)} frames"
            )
        buffers = iter(self._buffers[1:])
        return [self._large(next(buffers), entry) if entry & 2 else self._small(entry) for entry in entries]

    def _small(self, entry: int) -> memoryview:
        size = entry >> 2
        if entry & 3 == _BYTES:
            start = self._bytes_at
            self._bytes_at += size
            return self._head[start : start + size]
        start = self._array_at
        self._array_at += size
        view = self._head[start : start + size]
        if self._shares and self._head.nbytes - size <= max(_SHARED_BYTES, size * _SHARED_PART):
            return view
        return memoryview(bytearray(view))

    def _large(self, buffer: Any, entry: int) -> Any:
        size = entry >> 2
        on_device = hasattr(buffer, "__cuda_array_interface__")
        frame = buffer if on_device else memoryview(buffer)
        if on_device != (entry & 3 == _DEVICE) or nbytes(frame) != size:
            raise FramesError(f"a buffer of {nbytes(frame)} bytes, where the table says {size}")
        return frame
