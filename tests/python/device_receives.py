# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Programs of the synchronous API over a driver of CUDA that receive into memory of a device, and send from it."""

import ctypes
import gc
import threading
import time

from cuda_driver import Stream, Word, call, calls_of, copies_in_flight, held_copies, until, use_device
from device_arrays import KINDS, Plain, ReadOnly, Streamed, Tensor, bytes_of, made, pattern
from device_ends import Ends, in_another_thread, raises

import ucxx
from ucxx import core, cuda

SIZES = (0, 1, 8, 100_000, 5_000_000)
SHORT = 0.01


class Itself(Ends):
    """A worker that talks to itself."""

    def __init__(self, has_threads=True):
        use_device()
        self.workers = [core.UCXWorker(core.UCXContext())]
        if has_threads:
            self.workers[0].start_progress_thread()
        self.left = self.workers[0].create_endpoint_from_worker_address(self.workers[0].address)
        self.right = self.left


def probed(ends, room, tag):
    """Receive the message of a tag by the handle of a probe."""
    found = []

    def look():
        for worker in ends.workers:
            worker.progress()
        probe = ends.right.worker.tag_probe(tag, remove=True)
        found.extend([probe] if probe else [])
        return found

    until(look, "no message comes")
    return ends.right.worker.tag_recv_with_handle(room, found[0])


def streamed_by_parts(ends, room, nbytes):
    """Receive what is there of the stream, until all is."""
    came = bytearray()
    while len(came) < nbytes:
        count = ends.right.stream_recv(room, True).wait(20)
        came += bytes_of(room)[:count]
    return bytes(came)


def each_pair(ends):
    """Every receive, from and into memory of every kind."""
    seed = 0
    for nbytes in SIZES:
        for source in KINDS:
            seed += 1
            content = pattern(nbytes, seed)
            sent = made(source, content)
            for target in KINDS:
                room = made(target, nbytes + 3)
                what = (nbytes, source, target)
                send, receive = ends.left.tag_send(sent, 1), ends.right.tag_recv(room, 1)
                assert ends.finish(receive, send)[0] == nbytes
                assert bytes_of(room)[:nbytes] == content, what

                room = made(target, nbytes)
                receive, send = ends.right.worker.tag_recv(room, 2), ends.left.tag_send(sent, 2)
                ends.finish(receive, send)
                assert bytes_of(room) == content, what

                room = made(target, nbytes)
                send = ends.left.tag_send(sent, 3)
                ends.finish(probed(ends, room, 3), send)
                assert bytes_of(room) == content, what

                if nbytes:
                    room = made(target, nbytes)
                    receive, send = ends.right.stream_recv(room), ends.left.stream_send(sent)
                    assert ends.finish(receive, send)[0] == nbytes
                    assert bytes_of(room) == content, what

                    send = ends.left.stream_send(sent)
                    assert streamed_by_parts(ends, room, nbytes) == content, what
                    ends.finish(send)
            frames = ends.finish(ends.right.tag_recv_multi(4), ends.left.tag_send_multi([b"head", sent], 4))[0]
            message = ends.finish(ends.right.am_recv(), ends.left.am_send(sent))[0]
            assert bytes_of(frames[0]) == b"head"
            assert bytes_of(frames[1]) == bytes_of(message) == content, (nbytes, source)
            assert (type(frames[1]) is core.DeviceBuffer) == (source != "host")
            assert (type(message) is core.DeviceBuffer) == (source != "host" and nbytes != 0)


def the_own_worker_by_a_thread():
    each_pair(Itself())


def the_own_worker_by_waits():
    each_pair(Itself(has_threads=False))


def another_worker_by_threads():
    each_pair(Ends())


def another_worker_by_waits():
    ends = Ends(has_threads=False)
    ends.workers[0].start_progress_thread()  # whoever waits moves one worker
    each_pair(ends)


def held_back(kind, ends, stream, can_look):
    """Each receive into an array returns at once, and comes behind what its stream has to do."""
    last = Word()
    for number, receive in enumerate((
        lambda room: ends.right.tag_recv(room, 1),
        lambda room: ends.right.worker.tag_recv(room, 1),
        lambda room: probed(ends, room, 1),
        lambda room: ends.right.stream_recv(room),
        lambda room: ends.right.stream_recv(room, True),
    ), 1):  # fmt: skip
        for nbytes in (8, 100_000, 5_000_000):
            room, content = kind(pattern(nbytes, 9), stream), pattern(nbytes, number)
            is_tag = number < 4
            sent = ends.left.tag_send(content, 1) if is_tag else ends.left.stream_send(content)
            stream.shut()
            stream.write(last, number)
            received = receive(room)
            time.sleep(SHORT)
            assert not received.completed
            assert not can_look or bytes_of(room) == pattern(nbytes, 9)
            stream.open()
            (count,) = ends.finish(received)
            assert last.value == number
            assert bytes_of(room)[:count] == content[:count]
            while count < nbytes:
                rest = bytearray(nbytes - count)
                more = ends.right.stream_recv(rest, True).wait(20)
                assert rest[:more] == content[count : count + more]
                count += more
            ends.finish(sent)


def a_receive_comes_behind_the_stream_of_its_array():
    for ends in (Itself(), Ends()):
        before = calls_of("cuStreamSynchronize")
        held_back(Streamed, ends, Stream(), can_look=True)
        assert calls_of("cuStreamSynchronize") == before


def a_receive_comes_behind_the_stream_of_a_tensor():
    for ends in (Itself(), Ends()):
        before = calls_of("cuStreamSynchronize")
        # The legacy stream, which would look, waits for that of the thread.
        held_back(Tensor, ends, Stream(), can_look=False)
        assert calls_of("cuStreamSynchronize") == before


def a_tensor_is_asked_for_the_stream_of_the_thread():
    ends = Itself()
    room = Tensor(8)
    ends.finish(ends.right.tag_recv(room, 1), ends.left.tag_send(Tensor(bytes(8)), 1))
    assert room.asked == [2]


def a_send_waits_for_the_stream_of_its_array():
    for ends in (Itself(), Ends()):
        producer, room = Stream(), bytearray(8)
        sent = Streamed(8, producer)
        received = ends.right.tag_recv(room, 1)
        producer.shut()
        threading.Timer(SHORT, lambda sent=sent, producer=producer: (write(sent), producer.open())).start()
        ends.finish(ends.left.tag_send(sent, 1), received)
        assert room == b"produced"


def write(array):
    """Write as a kernel of its producer would, in another thread."""
    use_device()
    array.content = b"produced"


def the_legacy_stream_and_that_of_a_thread_can_be_named():
    ends = Itself()
    for handle in (1, 2):
        stream = Stream.of_thread()
        stream.handle = handle
        room = Streamed(8, stream)
        ends.finish(ends.right.tag_recv(room, 1), ends.left.tag_send(b"12345678", 1))
        assert room.content == b"12345678"


def a_stream_that_is_captured_is_an_error():
    ends, stream = Itself(), Stream()
    room = Streamed(pattern(8), stream)
    stream.begin_capture()
    for receive in (
        lambda: ends.right.tag_recv(room, 1),
        lambda: ends.right.stream_recv(room),
        lambda: ends.right.worker.tag_recv(room, 1),
    ):
        with raises(ucxx.UCXInvalidParamError, "being captured", "not done before a launch", "receive before the capture or after it"):
            receive()
    stream.end_capture().destroy()
    ends.finish(ends.right.tag_recv(room, 1), ends.left.tag_send(b"12345678", 1))
    assert room.content == b"12345678"  # and nothing of the refused ones has taken it


def what_is_wrong_with_a_stream_is_said():
    ends = Itself()
    stream = Stream.of_thread()
    room = Streamed(8, stream)
    for handle, error, words in (
        (0, ValueError, "the legacy default stream is 1"),
        ("7", TypeError, "the stream of an array interface"),
        (True, TypeError, "a stream is an int"),
    ):
        stream.handle = handle
        with raises(error, words):
            ends.right.tag_recv(room, 1)


def an_array_that_is_read_only_can_be_sent_and_not_received_into():
    for ends in (Itself(), Ends()):
        array, room = ReadOnly(pattern(8)), Plain(8)
        ends.finish(ends.left.tag_send(array, 1), ends.right.tag_recv(room, 1))
        assert room.content == pattern(8)
        sent = ends.left.tag_send(bytes(8), 1)
        for receive in (
            lambda ends=ends, array=array: ends.right.tag_recv(array, 1),
            lambda ends=ends, array=array: ends.right.stream_recv(array),
            lambda ends=ends, array=array: ends.right.worker.tag_recv(array, 1),
        ):
            with raises(ValueError, "ReadOnly", "read-only", "core.DeviceBuffer", "__dlpack__"):
                receive()
        ends.finish(sent, ends.right.tag_recv(room, 1))
        assert array.content == pattern(8) and room.content == bytes(8)


def a_read_only_array_of_the_interface_is_refused_too():
    class Constant(Plain):
        @property
        def __cuda_array_interface__(self):
            interface = super().__cuda_array_interface__
            return {**interface, "data": (self.ptr, True)}

    ends = Itself()
    with raises(ValueError, "Constant", "read-only", "core.DeviceBuffer"):
        ends.right.tag_recv(Constant(8), 1)
    with raises(ValueError, "bytes is read-only: nothing can be received into it"):
        ends.right.tag_recv(b"host", 1)


def a_message_that_is_too_long_writes_nothing():
    for ends in (Itself(), Ends()):
        for source in ("host", "no stream"):
            for nbytes in SIZES[1:]:
                room = Plain(pattern(nbytes - 1))
                received, sent = ends.right.tag_recv(room, 1), ends.left.tag_send(made(source, nbytes), 1)
                with raises(ucxx.UCXMessageTruncatedError):
                    received.wait(20)
                ends.finish(sent)
                assert room.content == pattern(nbytes - 1)


def a_condition_starts_no_receive_into_a_device():
    ends = Ends()
    for kind in (Plain, Streamed, Tensor):
        with cuda.host() as condition:
            for receive in (ends.right.tag_recv, ends.right.stream_recv):
                given = (kind(8), 1) if receive == ends.right.tag_recv else (kind(8),)
                with raises(ucxx.UCXUnsupportedError, "memory of a device", "with a condition", "host"):
                    receive(*given, condition=condition)
    for prepare in (ends.right.prepare_recv, ends.right.prepare_send):
        with raises(ucxx.UCXUnsupportedError, "memory of a device"):
            prepare(Plain(8), 1)


def a_condition_starts_a_send_from_a_device():
    for ends in (Itself(), Ends()):
        room = Plain(8)
        with cuda.host() as condition:
            sent = ends.left.tag_send(Plain(pattern(8)), 1, condition=condition)
            received = ends.right.tag_recv(room, 1)
            time.sleep(SHORT)
            assert not received.completed
            condition.trigger()
            ends.finish(sent, received)
        assert room.content == pattern(8)


def a_request_keeps_its_array():
    ends = Itself()
    received = ends.right.tag_recv(made("library", 1 << 20), 1)
    gc.collect()
    assert core.pool_stats()["device_idle_bytes"] == 0
    ends.finish(ends.left.tag_send(bytes(1 << 20), 1), received)
    del received
    until(lambda: gc.collect() or core.pool_stats()["device_idle_bytes"], "the array is kept for ever")


def a_cancel_waits_for_the_device_once_it_copies():
    """A large message is copied out of the memory of its sender, and stays; a short one goes back."""
    for ends in (Itself(), Ends()):
        for nbytes in (8, 100_000, 5_000_000):
            room, content = Plain(nbytes), pattern(nbytes, 5)
            received = ends.right.tag_recv(room, 1)
            received.cancel()
            with raises(ucxx.UCXCanceledError):
                received.wait(20)
            with held_copies():
                received, sent = ends.right.tag_recv(room, 1), ends.left.tag_send(content, 1)
                until(copies_in_flight, "no copy begins")
                received.cancel()
                time.sleep(SHORT)
                assert not received.completed
            if nbytes == 5_000_000:
                ends.finish(received)
            else:
                with raises(ucxx.UCXCanceledError):
                    received.wait(20)
                ends.finish(ends.right.tag_recv(room := Plain(nbytes), 1))
            ends.finish(sent)
            assert room.content == content


def a_receive_that_is_kept_keeps_no_memory():
    """That from which its bytes have landed goes when its result is taken."""
    ends, nbytes = Ends(), 500_000
    kept, used = [], []
    for number in range(20):
        kept.append((ends.right.tag_recv(Plain(nbytes), number), ends.left.tag_send(bytes(nbytes), number)))
        ends.finish(*kept[-1])
        used.append(core.pool_stats()["used_bytes"])
    assert used[-1] == used[4]


def a_thread_without_a_context_posts_too():
    ends = Ends()
    rooms = [Streamed(8), Tensor(8), Plain(8)]
    sent = Streamed(b"12345678")

    def post():
        for room in rooms:
            ends.finish(ends.right.tag_recv(room, 1), ends.left.tag_send(sent, 1))

    assert in_another_thread(post) is None
    assert [room.content for room in rooms] == 3 * [b"12345678"]


def memory_of_pools():
    """It is of no context, and has no handle."""
    ends = Ends()
    stream = Stream()
    for nbytes in (8, 5_000_000):
        address = ctypes.c_uint64()
        call("cuMemAllocAsync", ctypes.byref(address), nbytes, stream.handle)
        stream.drain()
        room = Plain(1)
        room.nbytes, room.ptr = nbytes, address.value
        ends.finish(ends.right.tag_recv(room, 1), ends.left.tag_send(pattern(nbytes), 1))
        back = Plain(nbytes)
        ends.finish(ends.left.tag_recv(back, 1), ends.right.tag_send(room, 1))
        assert back.content == pattern(nbytes)


def each_device_copies_in_its_context():
    """UCXX_CUDA_STAND_IN=devices=2"""
    arrays = []
    for ordinal in (1, 0):
        use_device(ordinal)
        arrays.append(Streamed(pattern(100_000, ordinal)))
        assert arrays[-1].memory.__dlpack_device__() == (2, ordinal)
    of_second, of_first = arrays
    for ends in (Itself(), Ends()):
        for sent, room in ((of_first, of_second), (of_second, of_first)):
            sent.content = pattern(100_000, 3)
            room.content = bytes(100_000)
            room.stream.shut()
            received, sending = ends.right.tag_recv(room, 1), ends.left.tag_send(sent, 1)
            time.sleep(SHORT)
            assert not received.completed
            room.stream.open()
            ends.finish(received, sending)
            assert room.content == pattern(100_000, 3)


def an_allocator_wins_where_no_thread_moves_the_worker():
    taken = []

    def allocate(nbytes):
        taken.append(Plain(nbytes))
        return taken[-1]

    for ends in (Itself(has_threads=False), Ends(has_threads=False)):
        if ends.right is not ends.left:
            ends.workers[0].start_progress_thread()
        taken.clear()
        ends.right.worker.set_allocator("cuda", allocate)
        for nbytes in SIZES[1:]:
            sent = Plain(pattern(nbytes))
            message = ends.finish(ends.right.am_recv(), ends.left.am_send(sent))[0]
            (frame,) = ends.finish(ends.right.tag_recv_multi(1), ends.left.tag_send_multi([sent], 1))[0]
            assert message is taken[-2] and frame is taken[-1]
            assert message.content == frame.content == pattern(nbytes)
        assert len(taken) == 2 * len(SIZES[1:])
