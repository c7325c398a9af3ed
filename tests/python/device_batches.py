# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Programs with batches over a driver of CUDA, which test_device_conditions.py runs."""

import os

from cuda_driver import DEADLINE, Stream, Word, call, calls_of, pinned, use_device
from device_ends import Ends, in_another_thread, raises

import ucxx
from ucxx import cuda


def a_batch_that_is_ended_in_another_thread():
    ends, stream, word = Ends(), Stream(), Word()
    batch = cuda.batch(stream.handle)
    batch.__enter__()
    collected = ends.left.tag_send(pinned(8), 1, condition=cuda.stream(stream.handle))
    error = in_another_thread(lambda: batch.__exit__(None, None, None))
    assert isinstance(error, RuntimeError) and "another thread" in str(error), error
    received = ends.right.tag_recv(pinned(8), 1)
    received.wait_on(stream.handle)  # submits what was collected, and is not collected itself
    stream.write(word)
    stream.drain()
    assert word.value == 1 and received.completed
    ends.finish(collected)
    later = ends.left.tag_send(pinned(8), 1, condition=cuda.stream(stream.handle))
    ends.finish(later, ends.right.tag_recv(pinned(8), 1))


def a_batch_that_is_dropped_in_another_thread():
    ends, stream, other, word = Ends(), Stream(), Stream(), Word()
    box = [cuda.batch(stream.handle)]
    box[0].__enter__()
    collected = ends.left.tag_send(pinned(8), 1, condition=cuda.stream(stream.handle))
    assert in_another_thread(box.clear) is None
    with cuda.batch(other.handle):  # any call of its thread will do
        ends.finish(collected, ends.right.tag_recv(pinned(8), 1))
    stream.write(word)
    stream.drain()
    assert word.value == 1


def a_thread_that_ends_with_an_open_batch():
    ends, stream = Ends(), Stream()
    batch, posted = cuda.batch(stream.handle), []

    def post():
        use_device()
        batch.__enter__()
        posted.append(ends.left.tag_send(pinned(8), 1, condition=cuda.stream(stream.handle)))

    assert in_another_thread(post) is None
    ends.finish(*posted, ends.right.tag_recv(pinned(8), 1))


def waits_inside_a_batch():
    ends, stream = Ends(), Stream()
    condition, rooms = cuda.stream(stream.handle), [pinned(8) for _ in range(3)]
    send, receive = ends.left.prepare_send(pinned(8), 2), ends.right.prepare_recv(pinned(8), 2)
    with cuda.batch(stream.handle):
        first = ends.left.tag_send(pinned(8), 1, condition=condition)
        ends.right.tag_recv(rooms[0], 1).wait(DEADLINE)
        first.wait(DEADLINE)
        second = ends.left.tag_recv(rooms[1], 1, condition=condition)
        sent = ends.right.tag_send(pinned(8), 1)
        condition.wait(2, timeout=DEADLINE)
        receive.start()
        started = send.start(stream=stream.handle)
        receive.wait(DEADLINE)
        ends.finish(second, sent, started)
        calls = calls_of("cuStreamBatchMemOp")
        last = ends.left.tag_send(pinned(8), 1, condition=condition)
        first.wait(DEADLINE)  # which does not block
        assert calls_of("cuStreamBatchMemOp") == calls
    ends.finish(last, ends.right.tag_recv(rooms[2], 1), send.close(), receive.close())


def a_wait_says_that_a_batch_has_failed():
    ends, stream = Ends(), Stream()
    received = ends.right.tag_recv(pinned(8), 1)
    with cuda.batch(stream.handle):
        collected = ends.left.tag_send(pinned(8), 1, condition=cuda.stream(stream.handle))
        call("cuStreamDestroy_v2", stream.handle)
        with raises(ucxx.UCXError):
            received.wait(DEADLINE)
    with raises(ucxx.UCXCanceledError):
        collected.wait(DEADLINE)
    ends.finish(ends.left.tag_send(pinned(8), 1), received)


def a_batch_says_what_it_is():
    Ends()
    stream = Stream()
    batch = cuda.batch(stream.handle)
    name = f"<ucxx.cuda.StreamBatch of stream {stream.handle:#x}, "
    assert repr(batch) == name + "not open>"
    with batch:
        assert repr(batch) == name + "open>"
    assert repr(batch) == name + "not open>"


def a_forked_child_gets_errors():
    Ends()
    stream = Stream()
    batch = cuda.batch(stream.handle)
    with cuda.batch(stream.handle) as open_batch:
        child = os.fork()
        if child == 0:
            for action in (batch.__enter__, open_batch.submit):
                try:
                    action()
                except ucxx.UCXError as error:
                    if "before fork()" not in str(error):
                        os._exit(1)
                else:
                    os._exit(2)
            os._exit(7)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
