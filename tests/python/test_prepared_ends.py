# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Prepared transfers: wrong arguments, and how they end: by a close, a drop, a peer that ends, the program's end."""

import gc
import re
import time
import weakref

import numpy as np
import pytest
from conditional import DEADLINE, Pair

import ucxx
from ucxx import core
from ucxx.exceptions import UCXInvalidParamError, UCXUnsupportedError
from ucxx.testing import running_peers


@pytest.fixture
def pair(options):
    """Return one, by each channel."""
    return Pair(options)


class Buffer(bytearray):
    """One that can be watched."""


class OnDevice:
    """Memory that says that it is a device's."""

    __cuda_array_interface__ = {"shape": (8,), "typestr": "|u1", "data": (4096, False), "version": 3}


@pytest.mark.parametrize(("partitions", "kind", "text"), [
    (0, UCXInvalidParamError, "8 bytes in 0 partitions; 1 to 65536 of equal size are needed"),
    (3, UCXInvalidParamError, "8 bytes in 3 partitions; 1 to 65536 of equal size are needed"),
    (65537, UCXInvalidParamError, "8 bytes in 65537 partitions; 1 to 65536 of equal size are needed"),
    (-1, ValueError, r"partitions must be an int from 0 to 2\*\*64 - 1, not -1"),
    ("2", TypeError, r"partitions must be an int from 0 to 2\*\*64 - 1, not str"),
    (None, TypeError, r"partitions must be an int from 0 to 2\*\*64 - 1, not NoneType"),
])  # fmt: skip
def test_wrong_partitions(partitions, kind, text):
    pair = Pair({})
    buffer = bytearray(8)
    for prepare in (pair.left.prepare_send, pair.left.prepare_recv):
        with pytest.raises(kind, match=text):
            prepare(buffer, 1, partitions=partitions)
    buffer.clear()  # nothing pins it


@pytest.mark.parametrize(("buffer", "kind", "text"), [
    (5, TypeError, "int"), (None, TypeError, "NoneType"), (np.zeros((4, 4))[:, 1], ValueError, "is not contiguous"),
    (np.array([object()]), TypeError, "has objects"), (OnDevice(), UCXUnsupportedError, "device"),
])  # fmt: skip
def test_wrong_buffers(buffer, kind, text):
    pair = Pair({})
    for prepare in (pair.left.prepare_send, pair.left.prepare_recv):
        with pytest.raises(kind, match=text):
            prepare(buffer, 1)


def test_receives_need_memory_that_can_be_written():
    with pytest.raises(ValueError, match="bytes is read-only: nothing can be received into it"):
        Pair({}).left.prepare_recv(b"hello", 1)


@pytest.mark.parametrize(("tag", "kind"), [(-1, ValueError), (2**64, ValueError), ("a", TypeError)])
def test_wrong_tags(tag, kind):
    with pytest.raises(kind, match="a tag must be an int from 0"):
        Pair({}).left.prepare_send(b"x", tag)


def test_partitions_are_given_by_name():
    with pytest.raises(TypeError):
        Pair({}).left.prepare_send(b"xx", 1, 2)


def test_wrong_calls(pair):
    send = pair.left.prepare_send(bytearray(8), 1, partitions=4)
    receive = pair.right.prepare_recv(bytearray(8), 1, partitions=4)
    for call, kind, text in (
        (lambda: send.ready(0), UCXInvalidParamError, "no iteration is in progress for partition 0"),
        (send.start, None, ""),
        (send.start, UCXInvalidParamError, "start: iteration 1 is in progress, 0 ready, 0 sent"),
        (lambda: send.ready(4), UCXInvalidParamError, "there is no partition 4, only 4"),
        (lambda: send.ready(1, 5), UCXInvalidParamError, "there is no partition 4, only 4"),
        (lambda: send.ready(3, 1), UCXInvalidParamError, "from 3 up to 1; the first partition must not"),
        (lambda: send.ready(2**64 - 1), UCXInvalidParamError, "there is no partition"),
        (lambda: send.ready(-1), ValueError, r"a partition must be an int from 0 to 2\*\*64 - 1, not -1"),
        (lambda: send.ready("0"), TypeError, "a partition must be an int .*, not str"),
        (lambda: send.ready(0, None), TypeError, "a partition must be an int .*, not NoneType"),
        (lambda: send.ready(0, 1, 2), TypeError, r"ready\(\) takes no partition, one, .*, got 3 arguments"),
        (lambda: send.ready(partition=0), TypeError, "keyword"),
        (lambda: send.ready(2, 2), None, ""),
        (lambda: send.ready(np.uint8(1)), None, ""),
        (lambda: send.ready(1), UCXInvalidParamError, "partition 1 was made ready in iteration 1 before"),
        (lambda: send.ready(0, 2), UCXInvalidParamError, "partition 1 was made ready in iteration 1 before"),
        (lambda: receive.arrived(4), UCXInvalidParamError, "arrived: there is no partition 4, only 4"),
        (lambda: receive.arrived(-1), ValueError, "not -1"),
        (lambda: receive.arrived(), TypeError, "argument"),
        (lambda: receive.wait(float("nan")), ValueError, "timeout must be a number of seconds or None, not nan"),
        (lambda: receive.wait("1"), TypeError, "timeout must be a number of seconds or None, not str"),
        (lambda: core.wait_all([receive], "1"), TypeError, "timeout must be a number of seconds or None, not str"),
    ):  # fmt: skip
        if kind is None:
            call()
            continue
        with pytest.raises(kind, match=text):
            call()
    receive.start()
    send.ready(0)
    send.ready(2, 4)
    pair.until(lambda: send.completed and receive.completed)


def test_a_single_partition_is_ready_at_the_start(pair):
    send = pair.left.prepare_send(b"x", 1)
    send.start()
    with pytest.raises(UCXInvalidParamError, match="a single partition is ready at the start"):
        send.ready()


@pytest.mark.parametrize("wrong", [5, None, "plan"])
def test_what_is_no_plan(wrong):
    send = Pair({}).left.prepare_send(b"x", 1)
    for call in (core.start_all, core.wait_all):
        with pytest.raises(TypeError, match=f"number 1 is {type(wrong).__name__}"):
            call([send, wrong])
    assert send.iterations == 0


def test_the_first_that_cannot_be_started_raises(pair):
    sends = [pair.left.prepare_send(b"x", i, partitions=1) for i in range(3)]
    sends[1].start()
    with pytest.raises(UCXInvalidParamError, match="iteration 1 is in progress"):
        core.start_all(sends)
    assert [send.iterations for send in sends] == [1, 1, 0]


def test_they_are_made_by_endpoints_only():
    for kind in (core.PreparedSend, core.PreparedRecv):
        with pytest.raises(TypeError):
            kind()
        unmade = kind.__new__(kind)
        with pytest.raises(TypeError):
            unmade.start()


@pytest.mark.parametrize(("bytes_", "partitions"), [(16, 1), (8, 3), (8, 8)])
def test_ends_that_do_not_fit_fail(pair, bytes_, partitions):
    send = pair.left.prepare_send(bytearray(8 * 6), 1, partitions=2)
    theirs = 48 if bytes_ == 8 else bytes_
    receive = pair.right.prepare_recv(bytearray(theirs), 1, partitions=partitions)
    core.start_all([send, receive])
    if theirs == 48 and (partitions % 2 == 0):
        send.ready()
        pair.until(lambda: send.completed and receive.completed)
        return core.wait_all([send, receive])
    pair.until(lambda: send.completed and receive.completed)
    for plan in (send, receive):
        with pytest.raises(UCXInvalidParamError, match="the sender has 48 bytes in 2 partitions"):
            plan.wait(DEADLINE)
    with pytest.raises(UCXInvalidParamError, match="prepared receive: .* the receiver"):
        core.wait_all([receive, send])


def ended(pair, plan):
    """Let the iteration fail; return the text of its error."""
    request = plan.request()
    pair.until(lambda: request.completed and plan.completed)
    with pytest.raises(core.UCXError) as error:
        request.check_error()
    with pytest.raises(type(error.value)):
        plan.wait(0)
    return type(error.value), str(error.value)


@pytest.mark.parametrize("who", ["sender", "receiver"])
def test_close_ends_an_iteration_at_both_ends(pair, who):
    send = pair.left.prepare_send(bytearray(64), 1, partitions=2)
    receive = pair.right.prepare_recv(bytearray(64), 1)
    core.start_all([send, receive])
    send.ready(1)
    pair.until(lambda: "1 of 2 arrived" in repr(receive))
    mine, theirs = (send, receive) if who == "sender" else (receive, send)
    closing = mine.close()
    assert mine.close() is closing
    pair.finish(closing)
    kind, text = ended(pair, mine)
    assert (kind, "closed at this end" in text) == (core.UCXCanceledError, True)
    kind, text = ended(pair, theirs)
    assert (kind, "the peer has closed its end" in text) == (core.UCXConnectionResetError, True)
    if who == "receiver":
        send.ready(0)  # does nothing
    for plan in (send, receive):
        plan.start()
        assert plan.completed
        assert plan.status < 0
    pair.finish(theirs.close())


def test_the_buffer_is_free_when_the_close_has_ended(pair):
    data, room = Buffer(8), Buffer(8)
    gone = [weakref.ref(data), weakref.ref(room)]
    send, receive = pair.left.prepare_send(data, 1), pair.right.prepare_recv(room, 1)
    core.start_all([send, receive])
    pair.until(lambda: send.completed and receive.completed)
    for buffer in (data, room):
        with pytest.raises(BufferError):
            buffer.clear()
    closing = [send.close(), receive.close()]
    pair.finish(*closing)
    for buffer in (data, room):
        buffer.clear()
    del data, room, buffer
    assert [each() for each in gone] == [None, None]  # though the plans are there


def test_the_buffer_is_free_at_the_end_of_a_close_that_nobody_looks_at(pair):
    data = Buffer(8)
    send = pair.left.prepare_send(data, 1)
    send.close()
    gone = weakref.ref(data)
    del data
    pair.until(lambda: gone() is None)


@pytest.mark.parametrize("is_started", [True, False])
def test_one_that_is_dropped_closes_and_leaves_the_pin_until_then(pair, is_started):
    data, room = Buffer(8), Buffer(8)
    send, receive = pair.left.prepare_send(data, 1), pair.right.prepare_recv(room, 1)
    core.start_all([send, receive])
    pair.until(lambda: send.completed and receive.completed)
    if is_started:
        receive.start()
    gone = [weakref.ref(room), weakref.ref(receive)]
    del room, receive
    assert gone[1]() is None
    pair.until(lambda: gone[0]() is None)
    pair.until(lambda: send.status < 0 or send.start() is not None)
    with pytest.raises(core.UCXConnectionResetError):
        send.wait(0)


def test_cycles_are_collected(pair):
    data = Buffer(8)
    plan = data.plan = pair.left.prepare_send(data, 1)
    closing = data.closing = plan.close()
    closing.add_done_callback  # noqa: B018  it is there
    other = Buffer(8)
    other.plan = pair.left.prepare_send(other, 2)
    gone = [weakref.ref(each) for each in (data, plan, other, other.plan)]
    del data, plan, closing, other
    gc.collect()
    pair.until(lambda: all(each() is None for each in gone))


def test_it_keeps_its_endpoint(pair):
    receive = pair.right.prepare_recv(bytearray(5), 1)
    send = pair.left.prepare_send(b"hello", 1)
    pair.left = pair.right = pair.key = None
    gc.collect()
    core.start_all([send, receive])
    pair.until(lambda: send.completed and receive.completed)
    core.wait_all([send, receive])


@pytest.mark.parametrize("who", ["left", "right"])
def test_the_end_of_an_endpoint_ends_its_plans(pair, who):
    send, receive = pair.left.prepare_send(bytearray(8), 1, partitions=2), pair.right.prepare_recv(bytearray(8), 1)
    core.start_all([send, receive])
    send.ready(0)
    pair.until(lambda: "1 of 2" in repr(receive))
    pair.finish(getattr(pair, who).close())
    pair.until(lambda: send.completed and receive.completed)
    for plan in (send, receive):
        with pytest.raises(core.UCXCanceledError):  # or that of a reset, which is one
            plan.wait(0)
    pair.finish(send.close(), receive.close())
    with pytest.raises(core.UCXError):
        getattr(pair, who).prepare_send(b"x", 1)


def test_a_context_without_tags():
    context = core.UCXContext(feature_flags=[core.Feature.AM, core.Feature.WAKEUP])
    worker = core.UCXWorker(context)
    endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
    with pytest.raises(ValueError, match=re.escape("UCXContext must be created with `Feature.TAG`")):
        endpoint.prepare_send(b"x", 1)


def receive_partly(words, options):
    """Prepare both ends; start, and go on until killed or told."""
    worker = core.UCXWorker(core.UCXContext(options))
    accepted = []
    listener = core.UCXListener.create(worker, 0, accepted.append, deliver_endpoint=True, ip="127.0.0.1")
    words.send(listener.port)
    memory = core.MemoryHandle(core.UCXContext(), 1 << 16)
    deadline = time.monotonic() + 2 * DEADLINE
    while not accepted:
        assert time.monotonic() < deadline
        worker.progress_worker_event(10)
    plans = [accepted[0].prepare_recv(memory, 1, partitions=4), accepted[0].prepare_send(memory, 2, partitions=4)]
    core.start_all(plans)
    plans[1].ready(0)
    while not plans[0].arrived(0):
        assert time.monotonic() < deadline
        worker.progress_worker_event(10)
    words.send("started")
    while not words.poll():
        assert time.monotonic() < deadline
        worker.progress_worker_event(10)


@pytest.fixture(params=["library", "own"])
def halfway(request, options):
    """Return (peer, worker, plans, buffers): a partition has gone each way, and the others are not ready."""
    with running_peers(1, receive_partly, options) as (peer,):
        context = core.UCXContext(options)
        worker = core.UCXWorker(context)
        endpoint = worker.create_endpoint("127.0.0.1", peer.receive(DEADLINE))
        buffers = [core.MemoryHandle(context, 1 << 16) if request.param == "library" else Buffer(1 << 16)
                   for _ in range(2)]  # fmt: skip
        plans = [endpoint.prepare_send(buffers[0], 1, partitions=4), endpoint.prepare_recv(buffers[1], 2, partitions=4)]
        core.start_all(plans)
        plans[0].ready(0)
        deadline = time.monotonic() + DEADLINE
        while not plans[1].arrived(0):
            assert time.monotonic() < deadline
            worker.progress_worker_event(10)
        worker.progress_worker_event(10)
        while not peer._words.poll():
            assert time.monotonic() < deadline
            worker.progress_worker_event(10)
        assert peer.receive() == "started"
        yield peer, worker, plans, buffers


def test_a_peer_that_is_killed(halfway):
    peer, worker, plans, buffers = halfway
    peer.kill()
    for plan in plans:
        with pytest.raises(core.UCXConnectionResetError):
            plan.wait(DEADLINE)
    plans[0].ready(1, 4)
    core.wait_requests(worker, [plan.close() for plan in plans], DEADLINE)
    gone = [weakref.ref(each) for each in buffers]
    buffers.clear()
    assert [each() for each in gone] == [None, None]


def test_a_peer_that_is_stopped_keeps_the_buffer_and_goes_on(halfway):
    peer, _, plans, buffers = halfway
    peer.stop()
    with pytest.raises(TimeoutError):
        plans[1].wait(0.2)
    closing = [plan.close() for plan in plans]
    with pytest.raises(TimeoutError):
        closing[1].wait(0.2)
    for plan in plans:
        with pytest.raises(core.UCXCanceledError, match="closed at this end"):
            plan.wait(0)
    gone = [weakref.ref(each) for each in buffers]
    plans.clear()
    buffers.clear()
    assert gone[1]() is not None
    peer.go_on()
    for each in closing:
        each.wait(DEADLINE)
    assert [each() for each in gone] == [None, None]
