# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Plain arrays get the frames that Dask would make, byte for byte, and come out as by Dask."""

import asyncio
import sys

import numpy as np
import pytest
from distributed.protocol import Serialize, dumps, loads
from distributed.protocol.serialize import ToPickle

from ucxx.dask import arrays, framing

OPTIONS = {"context": {"compression": None}, "frame_split_size": sys.maxsize}
PLAIN = {
    "small": np.arange(10.0),
    "large": np.arange(3_000_000),
    "order of F": np.asfortranarray(np.arange(60.0).reshape(2, 3, 10)),
    "bools": np.ones((4, 4), dtype=bool),
    "complex": np.ones(3, dtype="c16"),
    "another byte order": np.arange(9, dtype=">i4"),
    "half": np.ones(9, dtype="f2"),
    "one": np.ones((1, 1, 1)),
}
FIXED = np.arange(5)
FIXED.flags.writeable = False
OTHERS = {
    "strided": np.arange(100)[::3],
    "broadcast": np.broadcast_to(np.arange(4), (3, 4)),
    "empty": np.zeros((0, 2)),
    "zero-dimensional": np.array(1.0),
    "dates": np.arange(3).astype("M8[s]"),
    "objects": np.array([1, "a"], dtype=object),
    "structured": np.zeros(3, dtype=[("a", "i4")]),
    "masked": np.ma.masked_array([1, 2], [True, False]),
    "text": np.array(["a", "b"]),
    "list": [1, 2],
    "empty list": [],
    "empty lists": {"a": [[], ()], "b": {}},
}


def as_bytes(frames):
    return [bytes(memoryview(frame).cast("B")) for frame in frames]


@pytest.mark.parametrize("array", [*PLAIN.values(), FIXED], ids=[*PLAIN, "fixed"])
def test_frames_are_those_of_dask(array):
    msg = {"op": "x", "data": [Serialize(array), {"again": Serialize(array)}], "n": 3}
    for _ in range(2):  # the second time from what is kept
        frames = arrays.dump(msg)
        assert as_bytes(frames) == as_bytes(dumps(msg, **OPTIONS))
        assert np.shares_memory(np.frombuffer(frames[2], dtype="u1"), array)


@pytest.mark.parametrize("array", [*PLAIN.values(), FIXED], ids=[*PLAIN, "fixed"])
def test_what_comes_out_is_what_dask_makes(array):
    frames = [memoryview(bytearray(frame)) for frame in as_bytes(dumps({"x": Serialize(array)}, **OPTIONS))]
    is_done, msg = arrays.load(frames)
    assert is_done
    expected = loads(frames)["x"]
    assert (msg["x"].dtype, msg["x"].strides) == (expected.dtype, expected.strides)
    assert msg["x"].flags.writeable == expected.flags.writeable == array.flags.writeable
    np.testing.assert_array_equal(msg["x"], array)
    assert np.shares_memory(msg["x"], np.frombuffer(frames[2], dtype="u1"))


@pytest.mark.parametrize("value", OTHERS.values(), ids=OTHERS)
def test_others_are_left_to_dask(value):
    assert arrays.dump({"x": Serialize(value), "y": Serialize(np.arange(3))}) is None
    frames = [memoryview(bytearray(frame)) for frame in as_bytes(dumps({"x": Serialize(value)}, **OPTIONS))]
    is_done, _ = arrays.load(frames)
    assert not is_done or type(value) is np.ndarray


def test_what_msgpack_refuses_is_left_to_dask():
    assert arrays.dump({"x": object()}) is None
    assert arrays.dump({"x": 1 << 70}) is None
    assert arrays.dump({"x": ToPickle(1)}) is None
    assert not arrays.load([memoryview(frame) for frame in dumps({"x": ToPickle(1)}, **OPTIONS)])[0]


def test_a_header_that_lies_is_an_error():
    frames = [memoryview(bytearray(frame)) for frame in as_bytes(dumps({"x": Serialize(np.arange(9.0))}, **OPTIONS))]
    with pytest.raises((ValueError, TypeError)):
        arrays.load([*frames[:2], frames[2][:-8]])


def test_little_is_kept():
    before = dict(arrays._plains)
    long = memoryview(b"x" * 5000)
    head = dumps({"x": Serialize(np.arange(9.0))}, **OPTIONS)[0]
    assert arrays.load([head, long, memoryview(bytearray(72))]) == (False, None)
    assert arrays._plains == before
    for size in range(1, 3000):
        arrays.dump(Serialize(np.empty(size, dtype="u1")))
    assert len(arrays._headers) <= arrays._MOST_KEPT


def test_large_messages_of_other_things_go_the_way_of_dask(monkeypatch):
    asked = []
    original = framing.utils.to_frames

    async def ask(msg, **options):
        asked.append(msg)
        return await original(msg, **options)

    monkeypatch.setattr(framing.utils, "to_frames", ask)

    async def frames(msg, compression=None, serializers=None):
        return await framing.to_frames(msg, True, serializers, "message", {"compression": compression}, None)

    async def main():
        for msg in ({"a": 1}, [{"op": "x", "n": [1, 2.0, None]}] * 3, {"x": Serialize(np.ones(1 << 22))}):
            await frames(msg)
        assert not asked
        for msg in ({"a": "x" * 100_000}, {"a": list(range(1000))}, {"x": Serialize([1])}, {"s": {1, 2}}):
            await frames(msg)
            assert asked.pop() is msg
        await frames({"x": Serialize(np.ones(9))}, serializers=["pickle"])
        await frames({"x": Serialize(np.ones(9))}, compression="zlib")
        assert len(asked) == 2

    asyncio.run(main())
