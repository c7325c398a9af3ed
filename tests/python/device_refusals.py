# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Programs over a driver of CUDA with what is refused in a post, and with streams that arrays name."""

import asyncio
import ctypes
import gc
import threading
import time

import numpy as np
from buffers import Lie
from cuda_driver import Graph, Stream, Word, call, calls_of, made_by, pinned, use_device
from device_ends import Ends, ends_of_loop, raises

import ucxx
from ucxx import cuda

SHORT = 0.01


def a_worker_without_a_thread():
    ends, stream, graph = Ends(has_threads=False), Stream(), Graph()
    words = ("progress thread", 'progress_mode="thread"', "thread-polling", "start_progress_thread()")
    buffer = bytearray(8)
    for condition in (cuda.stream(stream.handle), cuda.graph(graph.handle), cuda.kernel()):
        with raises(ucxx.UCXInvalidParamError, *words):
            ends.left.tag_recv(buffer, 1, condition=condition)
    pending = ends.left.tag_recv(buffer, 1)
    with raises(ucxx.UCXInvalidParamError, "wait_on", *words):
        pending.wait_on(stream.handle)
    assert stream.is_idle()
    pending.cancel()
    graph.destroy()


def managed_memory_is_refused():
    ends, stream = Ends(), Stream()
    address = made_by("cuMemAllocManaged", 4096, ctypes.c_uint(1))
    managed = Interface(np.zeros(1, "u1"), stream=None, data=(address, False), shape=(8,))
    with raises(ucxx.UCXInvalidParamError, "managed memory"):
        ends.left.tag_send(managed, 1, condition=cuda.stream(stream.handle))
    assert stream.is_idle()


def no_context_in_this_thread():
    ends, stream = Ends(), Stream()
    said = []

    def use():
        with raises(ucxx.UCXInvalidParamError, "no context of CUDA is current", "torch.cuda.set_device(i)"):
            cuda.stream(stream.handle)
        with raises(ucxx.UCXInvalidParamError, "no context of CUDA is current"):
            cuda.attach()
        said.append("both")

    thread = threading.Thread(target=use)
    thread.start()
    thread.join()
    assert said == ["both"] and ends


class Interface:
    """Memory behind __cuda_array_interface__, which names a stream."""

    def __init__(self, owner, stream, **fields):
        """Take the fields over."""
        self.owner = owner
        described = {**owner.__array_interface__, "version": 3, "stream": stream}
        self.__cuda_array_interface__ = {**described, **fields}


def a_stream_condition_waits_for_the_stream_of_an_array():
    ends, stream, producer = Ends(), Stream(), Stream()
    data, room = pinned(8), pinned(8)
    producer.shut()
    received = ends.right.tag_recv(room, 1)
    sent = ends.left.tag_send(Interface(data, producer.handle), 1, condition=cuda.stream(stream.handle))
    time.sleep(SHORT)
    assert not sent.completed
    data[:] = 3
    producer.open()
    ends.finish(received, sent)
    assert (room == 3).all()
    before = calls_of("cuStreamWaitEvent")
    received = ends.right.tag_recv(room, 1)
    sent = ends.left.tag_send(Interface(data, stream.handle), 1, condition=cuda.stream(stream.handle))
    ends.finish(received, sent)
    assert calls_of("cuStreamWaitEvent") == before  # the same stream


def without_a_condition_the_stream_of_an_array_is_synchronised():
    ends, producer, other = Ends(), Stream(), Word()
    data, room = pinned(8), pinned(8)
    received = ends.right.tag_recv(room, 1)
    producer.shut()
    producer.write(other)

    def open_it():
        data[:] = 4
        producer.open()

    timer = threading.Timer(0.05, open_it)  # the call lets it run
    timer.start()
    sent = ends.left.tag_send(Interface(data, producer.handle), 1)
    assert other.value == 1
    ends.finish(received, sent)
    assert (room == 4).all()
    before = calls_of("cuStreamSynchronize")
    with cuda.host() as condition:  # who triggers has waited
        ends.left.tag_send(Interface(data, producer.handle), 1, condition=condition)
    assert calls_of("cuStreamSynchronize") == before
    with raises(ValueError, "the legacy default stream is 1"):
        ends.left.tag_send(Interface(data, 0), 1)
    with raises(TypeError, "the stream of an array interface"):
        ends.left.tag_send(Interface(data, "stream"), 1)
    with raises(TypeError, "has True as stream", "a stream is an int"):
        ends.left.tag_send(Interface(data, True), 1)


def a_refused_post_leaves_the_stream_alone():
    ends, unmoved = Ends(), Ends(has_threads=False)
    stream, destroyed, producer = Stream(), Stream(), Stream()
    array, condition = Interface(pinned(8), producer.handle), cuda.stream(stream.handle)
    gone = cuda.stream(destroyed.handle)
    call("cuStreamDestroy_v2", destroyed.handle)
    closed = cuda.stream(stream.handle)
    closed.close()
    producer.shut()
    for end, given, words in (
        (unmoved.left, condition, "progress thread"), (ends.left, closed, "closed"),
        (ends.left, gone, "the stream of a condition"),
    ):  # fmt: skip
        for post in (lambda: end.tag_send(array, 1, condition=given),  # noqa: B023
                     lambda: end.tag_recv(array, 1, condition=given),  # noqa: B023
                     lambda: end.tag_send_multi([array], 1, condition=given),  # noqa: B023
                     lambda: end.am_send(array, condition=given)):  # noqa: B023  # fmt: skip
            with raises(ucxx.UCXInvalidParamError, words):
                post()
    assert stream.is_idle() and calls_of("cuStreamWaitEvent") == 0
    producer.open()


def the_stream_of_a_thread_is_of_a_context():
    ends, data, room = Ends(), pinned(8), pinned(8)
    data[:] = 5
    before = calls_of("cuStreamWaitEvent")
    received = ends.right.tag_recv(room, 1)
    sent = ends.left.tag_send(Interface(data, 2), 1, condition=cuda.stream(2))
    ends.finish(received, sent)
    assert (room == 5).all()
    assert calls_of("cuStreamWaitEvent") == before + 1  # 2 is another stream in each context


def arrays_whose_stream_is_captured_are_refused():
    ends, stream, producer = Ends(), Stream(), Stream()
    condition, array = cuda.stream(stream.handle), Interface(pinned(8), producer.handle)
    events = calls_of("cuEventRecord")
    producer.begin_capture()
    with raises(ucxx.UCXInvalidParamError, "is being captured", "not there before a launch"):
        ends.left.tag_send(array, 1)
    with raises(ucxx.UCXInvalidParamError, "is being captured", "that of the condition is not"):
        ends.left.tag_send(array, 1, condition=condition)
    producer.end_capture().destroy()  # which goes on
    stream.begin_capture()
    for captured in (condition, cuda.stream(stream.handle)):
        with raises(ucxx.UCXInvalidParamError, "that of the condition is being captured"):
            ends.left.tag_send(array, 1, condition=captured)
    stream.end_capture().destroy()
    assert calls_of("cuEventRecord") == events and stream.is_idle()


def the_stream_of_an_array_that_cannot_be_awaited():
    ends, blocking, destroyed = Ends(), Stream(flags=0), Stream()
    data = pinned(8)
    call("cuStreamDestroy_v2", destroyed.handle)
    with raises(ucxx.UCXInvalidParamError, "the stream of an array", "error 400"):
        ends.left.tag_send(Interface(data, destroyed.handle), 1)
    blocking.begin_capture()
    with raises(ucxx.UCXInvalidParamError, "the stream of an array", "error 906"):
        ends.left.tag_send(Interface(data, 1), 1)
    call("cuStreamDestroy_v2", blocking.handle)


def a_captured_array_is_sent_in_the_same_capture():
    ends, stream, producer, word = Ends(), Stream(), Stream(), Word()
    cuda.attach()
    data, room = pinned(8), pinned(8)
    fork = made_by("cuEventCreate", ctypes.c_uint(2))
    stream.begin_capture()
    call("cuEventRecord", fork, stream.handle)
    call("cuStreamWaitEvent", producer.handle, fork, ctypes.c_uint(0))
    producer.write(word)
    sent = ends.left.tag_send(Interface(data, producer.handle), 1, condition=cuda.stream(stream.handle))
    graph = stream.end_capture()  # fails if the producer was not awaited
    received = ends.right.tag_recv(room, 1)
    data[:] = 6
    graph.launch(stream)
    stream.drain()
    ends.finish(received)
    assert (room == 6).all() and word.value == 1
    graph.destroy()
    ends.finish(sent)
    call("cuEventDestroy_v2", fork)


class Tensor:
    """What DLPack asks of memory of a device; it has none."""

    def __init__(self, device):
        """Nobody has asked yet."""
        self.device, self.asked = device, []

    def __dlpack_device__(self):
        """Tell its kind, and 0."""
        return self.device, 0

    def __dlpack__(self, **given):
        """Note what is wanted."""
        self.asked.append(given.get("stream", "none given"))
        raise BufferError("enough")


def dlpack_is_asked_with_the_stream():
    ends, stream = Ends(), Stream()
    host, graph, handle = cuda.host(), Graph(), stream.handle
    for device, condition, asked in (
        (2, None, [2, 1]), (2, cuda.stream(handle), [handle]), (2, cuda.graph(graph.handle), [-1]),
        (2, host, [-1]), (13, cuda.stream(2), [2, 1]),  # the legacy stream where the thread's is refused
        (1, cuda.stream(handle), ["none given"]), (3, None, ["none given"]),
    ):  # fmt: skip
        tensor = Tensor(device)
        with raises(BufferError, "enough"):
            ends.left.tag_send(tensor, 1, condition=condition)
        with raises(BufferError, "enough"):
            ends.left.tag_send_multi([tensor], 1, condition=condition)
        assert tensor.asked == asked * 2, (device, tensor.asked)
    stream.begin_capture()
    tensor = Tensor(2)
    with raises(BufferError, "enough"):
        ends.left.tag_send(tensor, 1, condition=cuda.stream(handle))
    assert tensor.asked == [-1]  # an event from outside the capture would end it
    stream.end_capture().destroy()
    graph.destroy()


class OfTorch(Lie):
    """A tensor that knows no stream of a thread, as PyTorch's."""

    def __init__(self, memory, producer):
        """Take the memory, which a stream writes."""
        super().__init__(len(memory), memory=memory, device=2)
        self.asked, self._producer = [], producer

    def __dlpack_device__(self):
        """Tell that it is CUDA's."""
        return 2, 0

    def __dlpack__(self, *, stream):
        """Return a capsule; the stream comes after what is in the producer's."""
        self.asked.append(stream)
        if stream == 2:
            raise BufferError("per-thread default stream is not supported")
        written = made_by("cuEventCreate", ctypes.c_uint(2))
        call("cuEventRecord", written, self._producer.handle)
        call("cuStreamWaitEvent", stream, written, ctypes.c_uint(0))
        return super().__dlpack__()


def a_tensor_that_knows_no_stream_of_a_thread():
    ends, producer, word = Ends(), Stream(), Word()
    data, room = pinned(8), pinned(8)
    tensor = OfTorch(data, producer)
    received = ends.right.tag_recv(room, 1)
    producer.shut()
    producer.write(word)

    def open_it():
        data[:] = 8
        producer.open()

    threading.Timer(0.05, open_it).start()  # the call lets it run
    sent = ends.left.tag_send(tensor, 1)
    assert tensor.asked == [2, 1] and word.value == 1
    ends.finish(received, sent)
    assert (room == 8).all()
    received = ends.right.tag_recv(room, 1)
    producer.shut()
    sent = ends.left.tag_send(tensor, 1, condition=cuda.stream(2))
    assert tensor.asked == [2, 1] * 2
    time.sleep(SHORT)
    assert not sent.completed
    data[:] = 9
    producer.open()
    ends.finish(received, sent)
    assert (room == 9).all()


def in_an_event_loop():
    use_device()
    stream, word = Stream(), Word()

    async def transfers(mode):
        async with ends_of_loop(mode) as (here, there):
            data, room = pinned(8), pinned(8)
            for post, answer in (
                (lambda c: here.send(data, condition=c), lambda: there.recv(room)),
                (lambda c: here.recv(room, condition=c), lambda: there.send(data)),
                (lambda c: here.send_multi([data], condition=c), lambda: there.recv_multi()),
                (lambda c: here.am_send(data, condition=c), lambda: there.am_recv()),
                (lambda c: here.am_recv(condition=c), lambda: there.am_send(data)),
            ):
                word.value = 0
                stream.shut()
                armed = post(cuda.stream(stream.handle))
                armed.wait_on(stream.handle)
                stream.write(word)
                await asyncio.sleep(SHORT)
                assert not armed.done() and word.value == 0
                stream.open()
                await asyncio.gather(armed, answer())
                stream.drain()
                assert word.value == 1

    for mode in ("thread", "thread-polling"):
        asyncio.run(asyncio.wait_for(transfers(mode), 20))
        gc.collect()
        ucxx.reset()


def in_an_event_loop_without_a_thread():
    use_device()
    stream = Stream()

    async def refused(mode):
        ucxx.init(progress_mode=mode)
        here = await ucxx.create_endpoint_from_worker_address(ucxx.get_worker_address())
        with raises(ucxx.UCXInvalidParamError, 'progress_mode="thread"'):
            here.send(b"12345678", 1, True, condition=cuda.stream(stream.handle))
        pending = here.recv(bytearray(8), 1, True)
        with raises(ucxx.UCXInvalidParamError, 'progress_mode="thread"'):
            pending.wait_on(stream.handle)
        await asyncio.gather(pending, here.send(b"12345678", 1, True))
        pending.wait_on(stream.handle)  # it has ended
        assert stream.is_idle()

    for mode in ("loop", "blocking", "polling"):
        asyncio.run(asyncio.wait_for(refused(mode), 20))
        gc.collect()
        ucxx.reset()
