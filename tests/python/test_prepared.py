# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Prepared transfers of the synchronous API: iterations, partitions, buffers, threads."""

import contextlib
import os
import threading
import time

import numpy as np
import pytest
from buffers import WRITABLE
from conditional import DEADLINE, Pair

import ucxx
from ucxx import core
from ucxx.testing import running_peers


@pytest.fixture
def pair(options):
    """Return one, by each channel."""
    return Pair(options)


def prepare(pair, data, room, tag=9, partitions=1, theirs=None):
    """Return both ends of a plan from left to right."""
    return (pair.left.prepare_send(data, tag, partitions=partitions),
            pair.right.prepare_recv(room, tag, partitions=theirs or partitions))  # fmt: skip


def have_ended(*plans):
    return lambda: all(plan.completed for plan in plans)


def bytes_of(buffer):
    """Return the bytes of a buffer of any kind."""
    return bytes(memoryview(core.Array(buffer)))


# Memory that a peer of this machine maps, and memory that it does not.
MEMORY = {
    "library": lambda size: core.MemoryHandle(core.UCXContext(), size),
    "NumPy": lambda size: np.zeros(size, dtype="u1"),
}


@pytest.mark.parametrize("memory", MEMORY)
@pytest.mark.parametrize("size", [0, 8, 4096, 1 << 16, 1 << 20])
def test_iterations_between_the_same_buffers(pair, memory, size):
    data, room = MEMORY[memory](size), MEMORY[memory](size)
    send, receive = prepare(pair, data, room)
    for i in range(1, 6):
        memoryview(data).cast("B")[:] = bytes([i]) * size
        core.start_all([receive, send] if i % 2 else [send, receive])
        pair.until(have_ended(send, receive))
        core.wait_all([send, receive], timeout=0)
        assert bytes_of(room) == bytes([i]) * size
        assert (send.iterations, receive.iterations) == (i, i)
    pair.finish(send.close(), receive.close())


@pytest.mark.parametrize("memory", MEMORY)
@pytest.mark.parametrize(("ours", "theirs"), [(16, 16), (16, 4), (4, 16), (1, 16), (16, 1)])
def test_partitions_arrive_when_they_are_ready(pair, memory, ours, theirs):
    size = 1 << 15
    data, room = MEMORY[memory](size), MEMORY[memory](size)
    memoryview(data).cast("B")[:] = np.arange(size, dtype="u1")
    send, receive = prepare(pair, data, room, partitions=ours, theirs=theirs)
    for _ in range(3):
        core.start_all([send, receive])
        if ours > 1:
            send.ready(ours - 1)
            if ours <= theirs:
                pair.until(lambda: receive.arrived(theirs - 1))
            assert not receive.arrived(0)
            assert not send.completed
            send.ready(0, ours - 1)
        pair.until(have_ended(send, receive))
        assert all(receive.arrived(i) for i in range(theirs))
        assert bytes_of(room) == bytes_of(data)


@pytest.mark.parametrize("kind", WRITABLE)
def test_buffers_of_every_kind(kind):
    pair = Pair({})
    data, room = WRITABLE[kind](64), WRITABLE[kind](64)
    memoryview(core.Array(data))[:] = bytes(range(64))
    send, receive = prepare(pair, data, room, partitions=4)
    assert (send.nbytes, send.partitions) == (receive.nbytes, receive.partitions) == (64, 4)
    core.start_all([send, receive])
    send.ready()
    pair.until(have_ended(send, receive))
    assert bytes_of(room) == bytes(range(64))
    pair.finish(send.close(), receive.close())


def test_a_sender_may_be_read_only(pair):
    room = bytearray(5)
    send, receive = prepare(pair, b"hello", room)
    core.start_all([send, receive])
    pair.until(have_ended(send, receive))
    assert room == b"hello"


def test_what_it_tells(pair):
    send, receive = prepare(pair, bytearray(8), bytearray(8), tag=7, partitions=2)
    assert (send.completed, send.status, send.iterations) == (True, 0, 0)
    assert send.check_error() is None
    assert repr(send) == ("<ucxx.core.PreparedSend: prepared send, 8 bytes, tag 0x7 in 2 partitions, "
                          "iteration 0: not started>")
    send.start()
    assert (send.completed, send.status, send.iterations) == (False, 1, 1)
    assert "iteration 1" in repr(send)
    assert repr(receive).startswith("<ucxx.core.PreparedRecv: prepared receive, 8 bytes, tag 0x7")
    assert "way: " in send.explain()
    assert receive.explain().startswith("channel: ")


def test_plans_of_a_tag_meet_in_the_order_they_were_prepared(pair):
    rooms = [bytearray(1) for _ in range(100)]
    sends = [pair.left.prepare_send(bytes([i]), 3) for i in range(100)]
    receives = [pair.right.prepare_recv(room, 3) for room in rooms]
    core.start_all([*sends, *receives])
    pair.until(have_ended(*sends, *receives))
    assert b"".join(rooms) == bytes(range(100))


def test_messages_of_the_tag_have_nothing_to_do_with_it(pair):
    room, other = bytearray(5), bytearray(5)
    send, receive = prepare(pair, b"plans", room, tag=3)
    core.start_all([send, receive])
    pair.finish(pair.left.tag_send(b"other", 3), pair.right.tag_recv(other, 3))
    pair.until(have_ended(send, receive))
    assert (room, other) == (b"plans", b"other")


def test_many_plans_at_once(pair):
    data, room = np.arange(4000, dtype="u4"), np.zeros(4000, dtype="u4")
    sends = [pair.left.prepare_send(data[i : i + 4], i % 7) for i in range(0, 4000, 4)]
    receives = [pair.right.prepare_recv(room[i : i + 4], i % 7) for i in range(0, 4000, 4)]
    for i in range(3):
        data += i
        core.start_all(receives)
        core.start_all(sends)
        pair.until(have_ended(*sends, *receives))
        core.wait_all([*sends, *receives], timeout=0)
        assert (room == data).all()
    pair.finish(*(plan.close() for plan in sends))


def test_a_request_ends_with_the_iteration(pair):
    send, receive = prepare(pair, b"hello", bytearray(5))
    receive.start()
    first, cancelled = receive.request(), receive.request()
    cancelled.cancel()
    pair.until(lambda: cancelled.completed)
    assert cancelled.cancelled()
    assert not receive.completed
    assert not first.completed
    send.start()
    pair.finish(first)
    receive.start()
    assert first.completed
    send.start()
    pair.finish(receive.request(), send.request())


def test_an_await_in_a_loop_of_asyncio(pair):
    import asyncio

    async def main():
        send, receive = prepare(pair, b"hello", bytearray(5))
        for _ in range(3):
            core.start_all([send, receive])
            await asyncio.wait_for(asyncio.gather(send.request(), receive.request()), DEADLINE)

    pair.workers[0] = pair.workers[1]  # one loop has one worker
    pair.left = core.UCXEndpoint.create_from_worker_address(pair.workers[1], pair.workers[1].address)
    pair.right = pair.left
    asyncio.run(main())


@contextlib.contextmanager
def moved_by_threads(pair):
    """Have threads of C++ move both workers."""
    for worker in pair.workers:
        worker.start_progress_thread()
    yield
    for worker in pair.workers:
        worker.stop_progress_thread()


@pytest.mark.parametrize("memory", MEMORY)
@pytest.mark.parametrize("size", [16 * 8, 16 << 16])
def test_threads_that_make_partitions_ready(pair, memory, size):
    data, room = MEMORY[memory](size), MEMORY[memory](size)
    send, receive = prepare(pair, data, room, partitions=16)
    filled = memoryview(data).cast("B")
    each = size // 16
    barrier = threading.Barrier(5)

    def fill(first):
        for i in range(1, 11):
            barrier.wait(DEADLINE)
            for part in range(first, 16, 4):
                filled[part * each : (part + 1) * each] = bytes([i + part]) * each
                send.ready(part)

    threads = [threading.Thread(target=fill, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    with moved_by_threads(pair):
        for i in range(1, 11):
            core.start_all([send, receive])
            barrier.wait(DEADLINE)
            core.wait_all([send, receive], DEADLINE)
            assert bytes_of(room) == b"".join(bytes([i + part]) * each for part in range(16))
    for thread in threads:
        thread.join(DEADLINE)


def test_one_of_two_threads_is_refused(pair):
    send, _ = prepare(pair, bytearray(64), bytearray(64), partitions=64)
    refused = []

    def make_ready():
        for part in range(64):
            try:
                send.ready(part)
            except core.UCXInvalidParamError as error:
                refused.append(str(error))

    threads = [threading.Thread(target=make_ready) for _ in range(2)]
    send.start()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(DEADLINE)
    assert len(refused) == 64
    assert all("was made ready in iteration 1 before" in text for text in refused)


def test_waits_let_other_threads_run(pair):
    send, receive = prepare(pair, b"hello", bytearray(5))
    receive.start()
    with moved_by_threads(pair):
        thread = threading.Thread(target=lambda: (time.sleep(0.05), send.start()))
        thread.start()
        receive.wait(DEADLINE)
        thread.join(DEADLINE)


def test_waits_with_a_limit(pair):
    send, receive = prepare(pair, b"hello", bytearray(5))
    receive.start()
    began = time.monotonic()
    with pytest.raises(TimeoutError, match="the iteration has not ended in time"):
        receive.wait(0.05)
    with pytest.raises(TimeoutError, match="the iteration has not ended in time"):
        core.wait_all([send, receive], 0.05)
    assert time.monotonic() - began >= 0.1
    send.start()  # it goes on
    pair.until(have_ended(send, receive))
    assert receive.wait(0) is None


ROUNDS = 200


def answer(words, options):
    """Send back what comes, with one added."""
    worker = core.UCXWorker(core.UCXContext(options))
    accepted = []
    listener = core.UCXListener.create(worker, 0, accepted.append, deliver_endpoint=True, ip="127.0.0.1")
    words.send(listener.port)
    deadline = time.monotonic() + DEADLINE
    while not accepted:
        assert time.monotonic() < deadline
        worker.progress_worker_event(100)
    room = core.MemoryHandle(core.UCXContext(), 64)
    numbers = np.frombuffer(room, dtype="i8")
    receive = accepted[0].prepare_recv(room, 1, partitions=2)
    send = accepted[0].prepare_send(room, 2, partitions=4)
    for _ in range(ROUNDS):
        receive.start()
        receive.wait(DEADLINE)
        numbers += 1
        send.start()
        send.ready()
        send.wait(DEADLINE)
    core.wait_requests(worker, [receive.close(), send.close()], DEADLINE)


def test_two_processes(options):
    with running_peers(1, answer, options) as (peer,):
        worker = core.UCXWorker(core.UCXContext(options))
        endpoint = worker.create_endpoint("127.0.0.1", peer.receive(DEADLINE))
        numbers = np.zeros(8, dtype="i8")
        send = endpoint.prepare_send(numbers, 1, partitions=8)
        receive = endpoint.prepare_recv(numbers, 2)
        for i in range(1, ROUNDS + 1):
            send.start()
            for part in range(8):
                send.ready(part)
            send.wait(DEADLINE)
            receive.start()
            receive.wait(DEADLINE)
            assert (numbers == i).all()
        core.wait_requests(worker, [send.close(), receive.close()], DEADLINE)
        assert peer.join(DEADLINE) == 0


@pytest.mark.parametrize("kind", [core.PreparedSend, core.PreparedRecv, ucxx.PreparedSend, ucxx.PreparedRecv])
def test_one_that_was_not_prepared_can_be_shown(kind):
    home = "ucxx.core" if kind.__module__ == "ucxx._core" else "ucxx"
    assert repr(kind.__new__(kind)) == f"<{home}.{kind.__name__}, not prepared>"


def test_requests_of_an_iteration_cost_the_same_however_many_there_are(pair):
    _, receive = prepare(pair, bytearray(8), bytearray(8))
    receive.start()
    requests = [receive.request() for _ in range(20_000)]  # some 40 s, if each looked at all before it
    assert not any(request.completed for request in requests[::1000])
    pair.finish(receive.close())
    assert all(request.completed for request in requests)


def test_wait_all_moves_all_workers_and_tells_what_a_wait_fails_with(pair):
    room = bytearray(5)
    plans = prepare(pair, b"hello", room)
    core.start_all(plans)
    core.wait_all(plans, 30)
    assert room == b"hello"
    plans[1].start()
    with pytest.raises(TimeoutError):
        core.wait_all(plans, 0.05)
    child = os.fork()
    if child == 0:
        try:
            core.wait_all(plans, 0.05)
        except core.UCXUnsupportedError:
            os._exit(7)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
