# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Programs with prepared transfers over a driver of CUDA, which test_device_conditions.py runs."""

import asyncio
import gc
import weakref

from cuda_driver import DEADLINE, Stream, Word, calls_of, pinned, use_device
from device_ends import Ends, ends_of_loop, raises

import ucxx
from ucxx import core


def a_stream_starts_makes_ready_and_waits():
    ends, stream, word = Ends(), Stream(), Word()
    data, room = pinned(64), pinned(64)
    send = ends.left.prepare_send(data, 1, partitions=4)
    receive = ends.right.prepare_recv(room, 1)
    for number in range(1, 11):
        stream.shut()
        receive.start(stream=stream.handle)
        send.start(stream=stream.handle)
        send.ready(0, stream=stream.handle)
        send.ready(1, 4, stream=stream.handle)
        for plan in (send, receive):
            plan.wait_on(stream.handle)
        stream.write(word, number)
        assert word.value == number - 1
        data[:] = number  # as the stream would
        stream.open()
        stream.drain()
        assert word.value == number and (room == number).all()
    for plan in (send, receive):
        plan.check_error()
        assert plan.iterations == 10
    ends.finish(send.close(), receive.close())


def a_stream_waits_for_what_python_has_started():
    ends, stream, word = Ends(), Stream(), Word()
    data, room = pinned(64), pinned(64)
    send, receive = ends.left.prepare_send(data, 1), ends.right.prepare_recv(room, 1)
    receive.start()
    receive.wait_on(stream.handle)
    stream.write(word)
    data[:] = 9
    assert word.value == 0
    send.start(stream=None)
    stream.drain()
    assert word.value == 1 and (room == 9).all()
    ends.finish(send.close(), receive.close())


def a_posted_start_is_told_by_its_request():
    ends, stream = Ends(), Stream()
    data, room = pinned(8), pinned(8)
    send, receive = ends.left.prepare_send(data, 1, partitions=2), ends.right.prepare_recv(room, 1)
    assert send.start(stream=None) is None and send.ready(stream=None) is None and receive.start() is None
    ends.finish(send.request(), receive.request())
    stream.shut()
    posted = [receive.start(stream=stream.handle), send.start(stream=stream.handle)]
    posted += [send.ready(0, stream=stream.handle), send.ready(1, 2, stream=stream.handle)]
    assert send.completed and receive.completed  # neither has begun
    assert (send.iterations, receive.iterations) == (1, 1)
    receive.wait(timeout=0)
    assert not any(request.completed for request in posted)
    data[:] = 7
    stream.open()
    assert ends.finish(*posted) == [None] * 4
    assert (room == 7).all() and (send.iterations, receive.iterations) == (2, 2)
    again = send.start(stream=stream.handle)
    twice = [send.ready(0, stream=stream.handle), send.ready(0, stream=stream.handle)]
    ends.finish(twice[0])
    for request in (twice[1], again):  # a mistake at its turn ends the plan
        with raises(ucxx.UCXInvalidParamError):
            request.wait(DEADLINE)
    with raises(ucxx.UCXInvalidParamError):
        send.check_error()
    ends.finish(send.close(), receive.close())


def a_start_ends_when_the_iteration_has_begun():
    ends, stream, word = Ends(), Stream(), Word()
    data, room = pinned(64), pinned(64)
    send, receive = ends.left.prepare_send(data, 1, partitions=4), ends.right.prepare_recv(room, 1)
    for number in range(1, 11):
        posted = [send.start(stream=stream.handle, until="begun"), receive.start(stream=stream.handle, until="begun")]
        for plan in (send, receive):
            plan.wait_on(stream.handle)
        stream.write(word, number)
        assert ends.finish(*posted) == [None, None]
        assert word.value == number - 1 and not send.completed
        data[:] = number
        send.ready()
        stream.drain()
        assert word.value == number and (room == number).all()
    with raises(ValueError, '"ended" or "begun"', "'begin'"):
        send.start(stream=stream.handle, until="begin")
    ends.finish(send.close(), receive.close())


def one_place_of_a_stream_starts_several():
    ends, stream, other, word = Ends(), Stream(), Stream(), Word()
    data, rooms = pinned(8), [pinned(8) for _ in range(4)]
    sends = [ends.left.prepare_send(data, i) for i in range(4)]
    receives = [ends.right.prepare_recv(room, i) for i, room in enumerate(rooms)]
    for number in range(1, 6):
        before = calls_of("cuStreamBatchMemOp")
        started = core.start_all(receives, stream=stream.handle)
        started.wait_on(stream.handle)
        assert calls_of("cuStreamBatchMemOp") - before == 2  # a write and a wait
        stream.write(word, number)
        data[:] = number
        begun = core.start_all(sends, stream=other.handle, until="begun")
        ends.finish(begun, started)
        stream.drain()
        core.wait_all(sends, timeout=10)
        assert word.value == number and all((room == number).all() for room in rooms)
    core.start_all(receives)
    before = calls_of("cuStreamBatchMemOp")
    core.wait_all_on(receives, other.handle)
    assert calls_of("cuStreamBatchMemOp") - before == 1
    other.write(word, 7)
    assert word.value == 5
    core.start_all(sends)
    other.drain()
    assert word.value == 7
    condition = ucxx.cuda.stream(stream.handle)
    stream.shut()
    last = core.start_all(sends, condition=condition)
    core.start_all(receives)
    assert not last.completed
    stream.open()
    ends.finish(last)
    ends.finish(*(plan.close() for plan in (*sends, *receives)))


def the_handle_of_a_plan():
    ends = Ends()
    send = ends.left.prepare_send(bytearray(64), 1, partitions=4, contributors=2)
    handle = send.handle
    assert handle.ptr > 0 and int(handle) == handle.ptr == send.handle.ptr
    gone = weakref.ref(send)
    del send
    gc.collect()
    assert gone() is not None  # the handle keeps it
    del handle
    gc.collect()
    assert gone() is None


def wrong_arguments_of_plans():
    ends, stream = Ends(), Stream()
    send, receive = ends.left.prepare_send(bytearray(8), 1), ends.right.prepare_recv(bytearray(8), 1)
    with raises(TypeError, "start() takes at most 0 arguments by position, got 1"):
        send.start(stream.handle)
    for plans in ([], [send, send]):
        with raises(ucxx.UCXInvalidParamError, "plan"):
            core.start_all(plans, stream=stream.handle)
        with raises(ucxx.UCXInvalidParamError, "plan"):
            core.wait_all_on(plans, stream.handle)
    with raises(TypeError, "unexpected keyword argument 'partition'"):
        send.ready(partition=0)
    uses = [lambda given: core.start_all([send], stream=given),
            lambda given: core.wait_all_on([send], given),
            lambda given: send.start(stream=given), lambda given: send.ready(stream=given), send.wait_on,
            lambda given: receive.start(stream=given), receive.wait_on]  # fmt: skip
    for use in uses:
        with raises(TypeError, "a stream must be an int", "not str"):
            use("stream")
        with raises(ucxx.UCXInvalidParamError, "stream 1 is CUDA's legacy default stream"):
            use(1)
    for wrong, kind in ((-1, ValueError), ("2", TypeError)):
        with raises(kind, "contributors must be an int"):
            ends.left.prepare_send(bytearray(8), 1, contributors=wrong)
    ends.finish(send.close(), receive.close())


def plans_of_a_worker_without_a_thread():
    ends, stream = Ends(has_threads=False), Stream()
    send, receive = ends.left.prepare_send(bytearray(8), 1), ends.right.prepare_recv(bytearray(8), 1)
    receive.start()
    for use in (lambda: core.start_all([send], stream=stream.handle),
                lambda: send.start(stream=stream.handle), lambda: send.ready(stream=stream.handle),
                lambda: receive.wait_on(stream.handle), lambda: send.handle):  # fmt: skip
        with raises(ucxx.UCXInvalidParamError, "progress thread", 'progress_mode="thread"'):
            use()
    assert stream.is_idle()


def plans_in_an_event_loop():
    use_device()
    stream = Stream()

    async def main():
        async with ends_of_loop("thread") as (here, there):
            data, room = pinned(64), pinned(64)
            async with (
                here.prepare_send(data, partitions=2, contributors=1) as send,
                there.prepare_recv(room) as receive,
            ):
                for number in range(1, 6):
                    data[:] = number
                    posted = [receive.start(stream=stream.handle), send.start(stream=stream.handle)]
                    posted.append(send.ready(stream=stream.handle))
                    receive.wait_on(stream.handle)
                    send.wait_on(stream.handle)
                    assert await asyncio.gather(*posted) == [None] * 3
                    assert (room == number).all()
                    stream.drain()

    asyncio.run(asyncio.wait_for(main(), 20))
    gc.collect()
    ucxx.reset()
