# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Programs over a driver of CUDA, which test_device_conditions.py runs: each function in its process."""

import threading
import time
import weakref

from cuda_driver import DEADLINE, Graph, Kernel, Stream, Word, calls_of, pinned, until, use_device
from device_ends import RECEIVES, SENDS, Ends, came, raises

import ucxx
from ucxx import cuda

SHORT = 0.01  # how long what must not happen is waited for


def sends_start_when_the_stream_gets_there():
    ends, stream, word = Ends(), Stream(), Word()
    for number, (kind, send) in enumerate(SENDS.items(), 1):
        data, room = pinned(64), pinned(64)
        received = RECEIVES[kind](ends.right, room)
        stream.shut()
        sent = send(ends.left, data, cuda.stream(stream.handle))  # dropped at once
        sent.wait_on(stream.handle)
        stream.write(word, number)
        time.sleep(SHORT)
        assert not sent.completed and word.value == number - 1, kind
        data[:] = number  # as the stream would
        stream.open()
        result, _ = ends.finish(received, sent)
        stream.drain()
        assert word.value == number
        assert (came(kind, room, result) == number).all(), kind


def receives_start_when_the_stream_gets_there():
    ends, stream, word = Ends(), Stream(), Word()
    for number, (kind, receive) in enumerate(RECEIVES.items(), 1):
        data, room = pinned(64), pinned(64)
        data[:] = number
        stream.shut()
        received = receive(ends.left, room, cuda.stream(stream.handle))
        received.wait_on(stream.handle)
        stream.write(word, number)
        sent = SENDS[kind](ends.right, data)
        time.sleep(SHORT)
        assert not received.completed and word.value == number - 1, kind
        stream.open()
        stream.drain()  # nobody has looked at the request
        assert word.value == number
        assert (came(kind, room, received.wait(0)) == number).all(), kind
        ends.finish(sent)


def any_request_is_waited_for():
    ends, stream, other, word = Ends(), Stream(), Stream(), Word()
    room = pinned(8)
    received = ends.right.tag_recv(room, 1)
    for each in (stream, other):
        received.wait_on(each.handle)
    stream.write(word)
    time.sleep(SHORT)
    assert word.value == 0
    ends.finish(ends.left.tag_send(b"12345678", 1))
    stream.drain()
    other.drain()
    assert word.value == 1 and received.completed and bytes(room) == b"12345678"
    before = calls_of("cuStreamBatchMemOp")
    received.wait_on(stream.handle)  # it has ended
    assert calls_of("cuStreamBatchMemOp") == before
    late = ends.right.tag_recv(pinned(8), 1)
    late.wait_on(stream.handle)
    del late  # the stream waits all the same
    assert not stream.is_idle()
    ends.finish(ends.left.tag_send(b"12345678", 1))
    stream.drain()


def the_condition_of_a_stream():
    ends, stream = Ends(), Stream()
    condition = cuda.stream(stream.handle)
    assert repr(condition) == "<ucxx.cuda.Condition of a stream, ended 0 times>"
    requests = [ends.left.tag_send(pinned(8), 1, condition=condition) for _ in range(3)]
    requests += [ends.right.tag_recv(pinned(8), 1) for _ in range(3)]
    ends.finish(*requests)
    condition.wait(3, timeout=DEADLINE)
    assert condition.epoch == 3 and condition.error is None
    with raises(ucxx.UCXInvalidParamError, "trigger"):
        condition.trigger()
    with raises(TypeError, "ucxx.cuda.kernel()"):
        condition.handle  # noqa: B018
    with raises(TypeError, "ucxx.cuda.graph()"):
        condition.node  # noqa: B018
    with raises(ucxx.UCXInvalidParamError, "another one"):
        ends.right.flush(condition=condition)
    with condition:
        pass
    with raises(ucxx.UCXInvalidParamError, "closed"):
        ends.left.flush(condition=condition)


def a_batch_is_one_call():
    ends, stream = Ends(), Stream()
    rooms = [pinned(8) for _ in range(8)]
    data = pinned(8)
    requests = [ends.right.tag_recv(room, 1) for room in rooms]
    before = calls_of("cuStreamBatchMemOp")
    with cuda.batch(stream.handle):
        for _ in rooms:
            requests.append(ends.left.tag_send(data, 1, condition=cuda.stream(stream.handle)))
            requests[-1].wait_on(stream.handle)
        assert calls_of("cuStreamBatchMemOp") == before
        data[:] = 5
    ends.finish(*requests)
    assert calls_of("cuStreamBatchMemOp") == before + 1
    assert all((room == 5).all() for room in rooms)


def batches_that_end_otherwise():
    ends, stream = Ends(), Stream()
    with raises(ZeroDivisionError), cuda.batch(stream.handle):
        sent = ends.left.tag_send(pinned(8), 1, condition=cuda.stream(stream.handle))
        raise ZeroDivisionError
    ends.finish(sent, ends.right.tag_recv(pinned(8), 1))
    batch = cuda.batch(stream.handle)
    with raises(RuntimeError, "not open"):
        batch.submit()
    failed = []

    def submit():
        with raises(RuntimeError, "another thread"):
            batch.submit()
        failed.append("as it should")

    with batch as same:
        assert same is batch
        with raises(RuntimeError, "open already"):
            batch.__enter__()
        thread = threading.Thread(target=submit)
        thread.start()
        thread.join()
        sent = ends.left.tag_send(pinned(8), 1, condition=cuda.stream(stream.handle))
        batch.submit()
        ends.finish(sent, ends.right.tag_recv(pinned(8), 1))
    assert failed == ["as it should"]
    with raises(RuntimeError, "not open"):
        batch.__exit__(None, None, None)


class Buffer(bytearray):
    """One that can be watched."""


def a_graph_by_its_nodes():
    ends, stream, graph = Ends(), Stream(), Graph()
    sending = cuda.graph(graph.handle)
    with raises(ucxx.UCXInvalidParamError, "first post"):
        sending.node  # noqa: B018
    data, room = Buffer(8), Buffer(8)
    sent = ends.left.tag_send(data, 1, condition=sending)
    assert sending.node > 0
    receiving = cuda.graph(graph.handle, after=[sending.node])
    received = ends.right.tag_recv(room, 1, condition=receiving)
    for number in range(1, 21):
        data[:] = number.to_bytes(8, "little")
        graph.launch(stream)
        stream.drain()
        assert room == data
    assert (sending.epoch, receiving.epoch, receiving.error) == (20, 20, None)
    assert repr(sending) == "<ucxx.cuda.Condition of a graph, ended 20 times>"
    with raises(ucxx.UCXInvalidParamError, "graph"):
        sent.wait_on(stream.handle)
    del sending, receiving  # which changes nothing
    data[:] = bytes(8)
    graph.launch(stream)
    stream.drain()
    assert room == bytes(8)
    gone = weakref.ref(data)
    del data
    assert gone() is not None and not sent.completed
    graph.destroy()
    assert ends.finish(sent) == [None]
    ends.finish(received)
    assert gone() is None


def the_node_of_a_graph_that_has_gone():
    ends, stream, graph = Ends(), Stream(), Graph()
    condition = cuda.graph(graph.handle)
    sent = ends.left.tag_send(pinned(8), 1, condition=condition)
    graph.launch(stream)
    ends.finish(ends.right.tag_recv(pinned(8), 1))
    stream.drain()
    assert condition.node > 0
    graph.destroy()
    ends.finish(sent)
    with raises(ucxx.UCXInvalidParamError, "have gone"):
        condition.node  # noqa: B018


def a_captured_graph():
    ends, stream = Ends(), Stream()
    cuda.attach()
    data, room = pinned(8), pinned(8)
    stream.begin_capture()
    sent = ends.left.tag_send(data, 1, condition=cuda.stream(stream.handle))
    received = ends.right.tag_recv(room, 1, condition=cuda.stream(stream.handle))
    received.wait_on(stream.handle)
    graph = stream.end_capture()
    for number in range(1, 21):
        data[:] = number
        graph.launch(stream)
        stream.drain()
        assert (room == number).all()
    graph.destroy()
    ends.finish(sent, received)


def a_kernel_triggers_and_waits():
    ends, stream, word = Ends(), Stream(), Word()
    data, room = pinned(8), pinned(8)
    with cuda.kernel(repeat=True) as condition:
        handle = condition.handle
        assert handle.ptr > 0 and int(handle) == handle.ptr == condition.handle.ptr
        sent = ends.left.tag_send(data, 1, condition=condition)
        kernel = Kernel(handle)
        for number in range(1, 11):
            received = ends.right.tag_recv(room, 1)
            data[:] = number
            kernel.trigger(stream)
            kernel.wait(stream, number)
            stream.write(word, number)
            stream.drain()
            ends.finish(received)
            assert (room == number).all() and word.value == number
        condition.wait(10, timeout=DEADLINE)
        with raises(ucxx.UCXInvalidParamError, "trigger"):
            condition.trigger()
    ends.finish(sent)
    alone = cuda.kernel()
    kept, gone = alone.handle, weakref.ref(alone)
    del alone
    assert gone() is not None  # the handle keeps it
    del kept
    assert gone() is None


def what_ends_before_the_stream_gets_there():
    ends, stream = Ends(), Stream()

    def post(**timeouts):
        stream.shut()
        buffer = Buffer(8)
        condition = cuda.stream(stream.handle, **timeouts)
        request = ends.left.tag_recv(buffer, 1, condition=condition)
        request.wait_on(stream.handle)
        return buffer, condition, request

    buffer, condition, request = post()
    with raises(BufferError):
        buffer.extend(b"more")
    request.cancel()
    with raises(ucxx.UCXCanceledError):
        request.wait(DEADLINE)
    buffer.extend(b"more")
    stream.open()
    stream.drain()
    buffer, condition, request = post()
    condition.close()
    with raises(ucxx.UCXCanceledError):
        request.wait(DEADLINE)
    stream.open()
    stream.drain()
    buffer, condition, request = post(start_timeout=0.02)
    with raises(ucxx.exceptions.UCXTimedOutError):
        request.wait(DEADLINE)
    stream.open()
    stream.drain()
    del buffer


def what_ends_after_the_stream_got_there():
    ends, stream = Ends(), Stream()
    condition = cuda.stream(stream.handle, transfer_timeout=0.02)
    request = ends.left.tag_recv(Buffer(8), 1, condition=condition)
    request.wait_on(stream.handle)
    stream.drain()
    with raises(ucxx.exceptions.UCXTimedOutError):
        request.wait(0)
    short = ends.left.tag_recv(Buffer(1), 1, condition=cuda.stream(stream.handle))
    short.wait_on(stream.handle)
    ends.finish(ends.right.tag_send(b"too long", 1))
    stream.drain()
    with raises(ucxx.exceptions.UCXMessageTruncatedError):
        short.wait(0)
    lost = ends.left.tag_recv(Buffer(8), 1, condition=cuda.stream(stream.handle))
    lost.wait_on(stream.handle)
    ends.finish(ends.left.close())
    stream.drain()
    with raises(ucxx.UCXError):
        lost.wait(0)


def two_threads_and_a_full_stream():
    ends = Ends()
    count = 300  # more than a stream may have on their way
    streams, failed = [Stream(), Stream()], []
    posted = [0, 0]

    def post(number):
        try:
            use_device()
            stream, data = streams[number], pinned(8)
            stream.shut()
            for _ in range(count):
                ends.left.tag_send(data, number, condition=cuda.stream(stream.handle))
                posted[number] += 1
        except BaseException as error:
            failed.append(error)
            raise

    rooms = [[bytearray(8) for _ in range(count)] for _ in streams]
    received = [ends.right.tag_recv(room, tag) for tag, all in enumerate(rooms) for room in all]
    threads = [threading.Thread(target=post, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    until(lambda: failed or posted == [256, 256], "posts until the streams are full")  # without the GIL
    for stream in streams:
        stream.open()
    for thread in threads:
        thread.join(DEADLINE)
    assert not failed and posted == [count, count]
    ends.finish(*received)
