# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Conditions from their first post to their end: order, pins, failures, threads, timeouts."""

import gc
import threading
import weakref

import pytest
from conditional import DEADLINE, Pair

import ucxx
from ucxx import core


@pytest.fixture
def pair(options):
    """Return one, by each channel."""
    return Pair(options)


def test_a_failed_repetition_is_the_error(pair):
    condition = ucxx.cuda.host(repeat=True)
    armed = pair.left.tag_recv(bytearray(1), 1, condition=condition)
    pair.finish(pair.right.tag_send(b"too long", 1))
    condition.trigger()
    pair.until(lambda: armed.completed)
    with pytest.raises(ucxx.exceptions.UCXMessageTruncatedError):
        armed.check_error()
    assert isinstance(condition.error, ucxx.exceptions.UCXMessageTruncatedError)
    condition.trigger()  # of nothing
    pair.until(lambda: condition.epoch == 2)
    assert condition.error is None


def test_all_start_in_the_order_of_their_posts(pair):
    condition = ucxx.cuda.host()
    sends = [pair.left.tag_send(bytes([i]), 1, condition=condition) for i in range(100)]
    pair.finish(pair.left.tag_send(b"\xff", 1))  # before them all
    condition.trigger()
    rooms = [bytearray(1) for _ in range(101)]
    pair.finish(*sends, *(pair.right.tag_recv(room, 1) for room in rooms))
    assert b"".join(rooms) == b"\xff" + bytes(range(100))


class Buffer(bytearray):
    """One that can be watched."""


def test_the_buffer_is_pinned_while_armed_and_free_behind_the_end(pair):
    condition = ucxx.cuda.host()
    data, room = Buffer(b"hello"), bytearray(5)
    alive = weakref.ref(data)
    request = pair.left.tag_send(data, 1, condition=condition)
    with pytest.raises(BufferError):
        data.extend(b"more")
    del data, request  # the request, too
    gc.collect()
    assert alive() is not None
    condition.trigger()
    pair.finish(pair.right.tag_recv(room, 1))
    pair.until(lambda: alive() is None)
    assert room == b"hello"


def test_a_condition_that_is_dropped_ends_them(pair):
    data = Buffer(b"hello")
    alive = weakref.ref(data)
    request = pair.left.tag_send(data, 1, condition=ucxx.cuda.host())
    del data
    pair.until(lambda: request.completed)
    assert alive() is None
    with pytest.raises(ucxx.UCXCanceledError):
        request.wait(0)


@pytest.mark.parametrize("end", ["close", "close_blocking", "peer"])
def test_its_endpoint_ends_while_armed(pair, end):
    condition = ucxx.cuda.host()
    request = pair.left.tag_recv(bytearray(5), 1, condition=condition)
    if end == "peer":
        pair.right.close_blocking()
    else:
        getattr(pair.left, end)()
    pair.until(lambda: request.completed)
    with pytest.raises(ucxx.UCXError):
        request.check_error()
    condition.trigger()
    pair.until(lambda: condition.epoch == 1)
    assert isinstance(condition.error, ucxx.UCXError)


@pytest.mark.parametrize("has_thread", [False, True])
def test_the_worker_goes_before_the_condition(has_thread):
    worker = core.UCXWorker(core.UCXContext())
    if has_thread:
        worker.start_progress_thread()
    endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
    condition = ucxx.cuda.host()
    data = Buffer(b"hello")
    alive = weakref.ref(data)
    endpoint.tag_send(data, 1, condition=condition)
    gone = weakref.ref(worker)
    del worker, endpoint, data
    gc.collect()
    assert (gone(), alive()) == (None, None)
    with pytest.raises(ucxx.UCXError):
        condition.trigger()
    with pytest.raises(ucxx.UCXCanceledError):
        condition.wait(timeout=DEADLINE)
    condition.close()


@pytest.mark.parametrize("has_thread", [False, True])
def test_triggered_and_waited_for_in_several_threads(has_thread):
    worker = core.UCXWorker(core.UCXContext())
    if has_thread:
        worker.start_progress_thread()
    endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
    condition = ucxx.cuda.host(repeat=True)
    sends, room = 200, bytearray(8)
    endpoint.tag_send(b"12345678", 1, condition=condition)
    endpoint.tag_recv(room, 1, condition=condition)
    failed = []

    def trigger():
        for _ in range(sends):
            condition.trigger()

    def wait():
        try:
            condition.wait(4 * sends, timeout=DEADLINE)
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=work) for work in (trigger, wait, trigger, trigger, trigger, wait)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(DEADLINE)
    assert (failed, condition.epoch, condition.error) == ([], 4 * sends, None)
    assert room == b"12345678"
    condition.close()


def test_timeouts(pair):
    condition = ucxx.cuda.host(start_timeout=0.01)
    late = pair.left.tag_recv(bytearray(1), 1, condition=condition)
    pair.until(lambda: late.completed)
    with pytest.raises(ucxx.exceptions.UCXTimedOutError):
        late.check_error()
    condition = ucxx.cuda.host(transfer_timeout=0.01)
    long = pair.left.tag_recv(bytearray(1), 1, condition=condition)
    condition.trigger()
    pair.until(lambda: long.completed)
    assert isinstance(condition.error, ucxx.exceptions.UCXTimedOutError)
