# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The bytes of a message: what is joined, what is not, and what a peer may not send."""

import random
import struct

import pytest

from ucxx.dask import frames


def received(buffers):
    """Return buffers as they arrive: writable memory of their own."""
    return [bytearray(buffer) for buffer in buffers]


def as_bytes(many):
    """Return frames as bytes, to be compared."""
    return [bytes(frame) for frame in many]


LISTS = {
    "none": [],
    "one": [b"header"],
    "one empty": [b""],
    "large bytes": [b"h", b"x" * 10_000],
    "arrays": [b"header", memoryview(bytearray(b"a" * 100)), b"more", memoryview(bytearray(b"b" * 5000))],
    "empty ones": [b"", memoryview(bytearray()), b"x", memoryview(b"")],
    "other types": [memoryview(bytearray(64)).cast("d"), memoryview(bytearray(48)).cast("B", (6, 8)), bytearray(9)],
    "all large": [memoryview(bytearray(frames.SMALL_BYTES + 1))] * 3,
}


@pytest.mark.parametrize("many", LISTS.values(), ids=LISTS)
@pytest.mark.parametrize("note", [b"", b"10.0.0.1"])
def test_what_is_packed_is_unpacked(many, note):
    buffers, nbytes = frames.pack(many, note)
    assert nbytes == sum(memoryview(buffer).nbytes for buffer in buffers)
    back, back_note = frames.unpack(received(buffers))
    assert back_note == note
    assert as_bytes(back) == as_bytes(many)


def test_any_mixture_comes_back():
    chance = random.Random(7)
    for _ in range(200):
        many = [
            chance.choice([bytes, lambda content: memoryview(bytearray(content))])(
                chance.randbytes(chance.choice([0, 1, 100, 4096, 4097, 20_000]))
            )
            for _ in range(chance.randrange(12))
        ]
        assert as_bytes(frames.unpack(received(frames.pack(many)[0]))[0]) == as_bytes(many)


@pytest.mark.parametrize("sizes", [(16, 16), (16, 3000), (100, 100, 100), (4096, 16)])
def test_arrays_of_one_message_share_no_memory(sizes):
    many = [b"header", *(memoryview(bytearray(size)) for size in sizes)]
    arrays = frames.unpack(received(frames.pack(many)[0]))[0][1:]
    assert len({id(array.obj) for array in arrays}) == len(sizes)


def test_large_frames_are_not_copied():
    large = memoryview(bytearray(100_000))
    buffers, _ = frames.pack([b"header", large])
    assert buffers[1] is large
    arrived = received(buffers)
    assert frames.unpack(arrived)[0][1].obj is arrived[1]


def test_200_000_arrays_are_few_buffers():
    arrays = [memoryview(bytearray(8)) for _ in range(100_000)]
    buffers, _ = frames.pack([b"header", *arrays, *[b"sub-header"] * 100_000])
    assert len(buffers) == 1
    assert len(frames.unpack(received(buffers))[0]) == 200_001


def test_of_many_large_arrays_the_smallest_are_joined():
    sizes = [frames.SMALL_BYTES + 1 + number % 100 for number in range(frames.MOST_BUFFERS + 5000)]
    memory = bytes(max(sizes))
    many = [memory[:size] for size in sizes]
    buffers, _ = frames.pack(many)
    assert len(buffers) <= frames.MOST_BUFFERS + 1
    assert len(frames.unpack(buffers)[0]) == len(many)


@pytest.mark.parametrize("sizes", [(10,), (3000, 3000), (1, 4000)])
def test_small_arrays_are_not_kept_alive_by_each_other(sizes):
    arrays = [memoryview(bytearray(size)) for size in sizes]
    for array in frames.unpack(received(frames.pack([b"h" * 100, *arrays])[0]))[0][1:]:
        assert memoryview(array.obj).nbytes <= array.nbytes * 1.05 + 2048


def test_what_arrives_can_be_written_to():
    arrays = [memoryview(bytearray(size)) for size in (0, 10, 5000, 3000)]
    for frame in frames.unpack(received(frames.pack([b"h", *arrays])[0]))[0][1:]:
        assert not frame.readonly


GOOD = received(frames.pack([b"header", memoryview(bytearray(100)), memoryview(bytearray(9000))], b"note")[0])
GARBAGE = {
    "nothing": [],
    "an empty buffer": [b""],
    "another version": [b"\x09" + GOOD[0][1:], GOOD[1]],
    "a short table": [GOOD[0][:20], GOOD[1]],
    "a count beyond the table": [struct.pack("<BBxxI", 1, 0, 1 << 30)],
    "a note beyond the end": [b"\x01\xff" + GOOD[0][2:], GOOD[1]],
    "a missing buffer": GOOD[:1],
    "one buffer too many": [*GOOD, b"x"],
    "a buffer of another size": [GOOD[0], b"x"],
    "a cut head": [GOOD[0][:-1], GOOD[1]],
    "sizes that wrap around": [struct.pack("<BBxxIQQ", 1, 0, 2, (2**64 - 4) & ~3, 8)],
}


@pytest.mark.parametrize("buffers", GARBAGE.values(), ids=GARBAGE)
def test_what_is_no_message_is_refused(buffers):
    with pytest.raises(frames.FramesError):
        frames.unpack(buffers)


def test_any_damage_of_the_head_is_refused_or_harmless():
    chance = random.Random(11)
    for _ in range(3000):
        head = bytearray(GOOD[0])
        for _ in range(chance.randrange(1, 4)):
            head[chance.randrange(len(head))] = chance.randrange(256)
        try:
            back, _ = frames.unpack([head, GOOD[1]])
        except frames.FramesError:
            continue
        assert sum(frame.nbytes for frame in back) <= len(head) + len(GOOD[1])
