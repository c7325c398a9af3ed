# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Transfers of the synchronous API that wait for a condition: each kind, by each channel."""

import gc

import pytest
from conditional import Pair

import ucxx
from ucxx import core

ADD = core.AtomicOperation.ADD


@pytest.fixture
def pair(options):
    """Return one, by each channel."""
    return Pair(options)


# Each posts a transfer of the left end with a condition, yields it and what the right end posts, and
# then looks at what has come. Nobody but the transfer has its buffer.


def tag_send(pair, condition):
    room = bytearray(5)
    yield pair.left.tag_send(bytearray(b"hello"), 1, condition=condition), pair.right.tag_recv(room, 1)
    assert room == b"hello"


def large_tag_send(pair, condition):
    data, room = b"0123" * 300_000, bytearray(1_200_000)
    yield pair.left.tag_send(bytearray(data), 1, condition=condition), pair.right.tag_recv(room, 1)
    assert room == data


def tag_recv(pair, condition):
    room = bytearray(5)
    yield pair.left.tag_recv(room, 1, 0xFF, condition=condition), pair.right.tag_send(b"hello", 1)
    assert room == b"hello"


def tag_recv_of_a_worker(pair, condition):
    room = bytearray(5)
    yield (pair.workers[0].tag_recv(room, 1, condition=condition), pair.right.tag_send(b"hello", 1))
    assert room == b"hello"


def tag_send_multi(pair, condition):
    sent = pair.left.tag_send_multi([bytearray(b"one"), bytearray(b"two")], 1, condition=condition)
    received = pair.right.tag_recv_multi(1)
    yield sent, received
    assert [bytes(frame) for frame in received.result()] == [b"one", b"two"]


def tag_recv_multi(pair, condition):
    received = pair.left.tag_recv_multi(1, condition=condition)
    yield received, pair.right.tag_send_multi([b"one", b"two"], 1)
    assert [bytes(frame) for frame in received.result()] == [b"one", b"two"]


def am_send(pair, condition):
    received = pair.right.am_recv()
    yield pair.left.am_send(bytearray(b"hello"), header=b"head", condition=condition), received
    assert (bytes(received.result()), received.recv_header) == (b"hello", b"head")


def am_recv(pair, condition):
    received = pair.left.am_recv(condition=condition)
    yield received, pair.right.am_send(b"hello")
    assert bytes(received.result()) == b"hello"


def stream_send(pair, condition):
    room = bytearray(5)
    yield (pair.left.stream_send(bytearray(b"hello"), condition=condition), pair.right.stream_recv(room))
    assert room == b"hello"


def stream_recv(pair, condition):
    room = bytearray(5)
    yield pair.left.stream_recv(room, condition=condition), pair.right.stream_send(b"hello")
    assert room == b"hello"


def stream_recv_some(pair, condition):
    room = bytearray(50)
    received = pair.left.stream_recv(room, some=True, condition=condition)
    yield received, pair.right.stream_send(b"hello")
    assert room[:5] == b"hello"


def put(pair, condition):
    yield pair.left.put(bytearray(b"abc"), pair.key, 1, condition=condition), None
    pair.finish(pair.left.flush())
    assert bytes(pair.memory) == b"\0abc\0\0\0\0"


def get(pair, condition):
    memoryview(pair.memory)[:] = b"12345678"
    room = bytearray(3)
    yield pair.left.get(room, pair.key, 2, condition=condition), None
    assert room == b"345"


def atomic_post(pair, condition):
    yield pair.left.atomic_post(ADD, 5, pair.key, 0, 8, condition=condition), None
    pair.finish(pair.left.flush())
    assert pair.word == 5


def atomic_fetch(pair, condition):
    memoryview(pair.memory)[:] = (7).to_bytes(8, "little")
    fetched = pair.left.atomic_fetch(ADD, 5, pair.key, 4, 4, condition=condition)
    yield fetched, None
    assert (fetched.result(), pair.word) == (0, 7 + (5 << 32))


def atomic_compare_swap(pair, condition):
    memoryview(pair.memory)[:] = (7).to_bytes(8, "little")
    swapped = pair.left.atomic_compare_swap(7, 9, pair.key, condition=condition)
    yield swapped, None
    assert (swapped.result(), pair.word) == (7, 9)


def flush(pair, condition):
    yield pair.left.flush(condition=condition), None


def flush_of_a_worker(pair, condition):
    yield pair.workers[0].flush(condition=condition), None


BY_ONE_END = [
    put, get, atomic_post, atomic_fetch, atomic_compare_swap, flush, flush_of_a_worker
]  # fmt: skip
TRANSFERS = [
    tag_send, large_tag_send, tag_recv, tag_recv_of_a_worker, tag_send_multi, tag_recv_multi, am_send, am_recv,
    stream_send, stream_recv, stream_recv_some, *BY_ONE_END
]  # fmt: skip


@pytest.mark.parametrize("transfer", TRANSFERS)
def test_it_starts_at_the_trigger(pair, transfer):
    condition = ucxx.cuda.host()
    steps = transfer(pair, condition)
    armed, other = next(steps)
    gc.collect()
    pair.finish(pair.left.flush(), pair.right.flush())  # neither waits for it
    assert not armed.completed
    assert (condition.epoch, condition.error) == (0, None)
    condition.trigger()
    pair.finish(armed, *([other] if other else []))
    assert next(steps, "the end") == "the end"
    pair.until(lambda: condition.epoch == 1)
    condition.wait(timeout=0)
    assert condition.error is None


@pytest.mark.parametrize("transfer", TRANSFERS)
def test_cancelled_or_closed_while_armed_it_ends(pair, transfer):
    with ucxx.cuda.host() as condition:
        armed, _ = next(transfer(pair, condition))
        assert armed.cancel()
        pair.until(lambda: armed.completed)
        assert armed.cancelled()
    with ucxx.cuda.host() as condition:
        armed, _ = next(transfer(pair, condition))
    pair.until(lambda: armed.completed)
    with pytest.raises(ucxx.UCXCanceledError):
        armed.check_error()


@pytest.mark.parametrize("transfer", BY_ONE_END)
def test_it_starts_again_at_each_trigger(pair, transfer):
    condition = ucxx.cuda.host(repeat=True)
    armed, _ = next(transfer(pair, condition))
    for _ in range(3):
        condition.trigger()
    pair.until(lambda: condition.epoch == 3)
    assert not armed.completed
    condition.close()
    pair.finish(armed)
    assert condition.error is None


SENDS = {
    "tag": lambda end, data, condition: end.tag_send(data, 1, condition=condition),
    "multi": lambda end, data, condition: end.tag_send_multi([data], 1, condition=condition),
    "active message": lambda end, data, condition: end.am_send(data, condition=condition),
    "stream": lambda end, data, condition: end.stream_send(data, condition=condition),
}
RECEIVES = {
    "tag": lambda end, room, condition=None: end.tag_recv(room, 1, condition=condition),
    "multi": lambda end, room: end.tag_recv_multi(1),
    "active message": lambda end, room: end.am_recv(),
    "stream": lambda end, room, condition=None: end.stream_recv(room, condition=condition),
}


@pytest.mark.parametrize("kind", SENDS)
def test_a_send_that_repeats_sends_what_is_there_at_each_trigger(pair, kind):
    data, room = bytearray(1), bytearray(1)
    with ucxx.cuda.host(repeat=True) as condition:
        armed = SENDS[kind](pair.left, data, condition)
        for i in range(1, 4):
            data[0] = i
            condition.trigger()
            (result,) = pair.finish(RECEIVES[kind](pair.right, room))
            came = {"multi": result, "active message": [result]}.get(kind, [room])
            assert bytes(came[0]) == bytes([i])
            pair.until(lambda: condition.epoch == i)  # noqa: B023
    assert pair.finish(armed) == [None]


@pytest.mark.parametrize("kind", ["tag", "stream"])
def test_a_receive_that_repeats_takes_one_message_each_time(pair, kind):
    room = bytearray(1)
    with ucxx.cuda.host(repeat=True) as condition:
        armed = RECEIVES[kind](pair.left, room, condition)
        for i in range(1, 4):
            condition.trigger()
            pair.finish(SENDS[kind](pair.right, bytes([i]), None))
            pair.until(lambda: condition.epoch == i)  # noqa: B023
            assert room == bytes([i])
    pair.finish(armed)


@pytest.mark.parametrize("receive", [lambda end, when: end.am_recv(condition=when),
                                     lambda end, when: end.tag_recv_multi(1, condition=when)])  # fmt: skip
def test_what_brings_a_buffer_cannot_repeat(pair, receive):
    with pytest.raises(ucxx.exceptions.UCXUnsupportedError, match="a buffer of its own"):
        receive(pair.left, ucxx.cuda.host(repeat=True))
