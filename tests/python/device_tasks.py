# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Programs of the asynchronous API over a driver of CUDA that receive into memory of a device, and send from it."""

import asyncio
import contextlib
import gc
import logging
import pathlib
import sys

from cuda_driver import Stream, calls_of, copies_in_flight, held_copies, until, use_device
from device_arrays import KINDS, Plain, ReadOnly, Streamed, Tensor, bytes_of, made, pattern
from device_ends import raises

import ucxx
from ucxx import core

SIZES = (0, 1, 8, 100_000, 5_000_000)
SHORT = 0.01
PATIENCE = 40
STAYED = "a message stays in its array"
PEER = """
import sys
sys.path.insert(0, {folder!r})
import device_tasks
device_tasks.run(lambda: device_tasks.answer({port}), {mode!r})
"""


def run(program, mode):
    """Run a program in an event loop, whose worker moves as that progress mode says."""
    use_device()
    logging.basicConfig()
    ucxx.init(progress_mode=mode)
    program.mode = mode
    asyncio.run(asyncio.wait_for(program(), PATIENCE))
    gc.collect()
    ucxx.reset()


async def _to_itself():
    """Return an endpoint to the own worker."""
    return await ucxx.create_endpoint_from_worker_address(ucxx.get_worker_address())


@contextlib.asynccontextmanager
async def another_process(mode):
    """An endpoint to a process of the same user that runs `answer`."""
    accepted = asyncio.get_running_loop().create_future()
    listener = ucxx.create_listener(accepted.set_result)
    code = PEER.format(folder=str(pathlib.Path(__file__).parent), port=listener.port, mode=mode)
    process = await asyncio.create_subprocess_exec(sys.executable, "-B", "-c", code)
    yield await accepted
    assert await process.wait() == 0
    listener.close()


def _pairs():
    """Give number, size, and kinds of either end."""
    number = 0
    for nbytes in SIZES:
        for one in KINDS:
            for other in KINDS:
                number += 1
                yield number, nbytes, one, other


def is_of_library(came):
    """Whether it is the library's memory of a device."""
    return type(came) is core.DeviceBuffer


async def asks(endpoint):
    """Send all pairs, and take all back."""
    for number, nbytes, own, other in _pairs():
        content, what = pattern(nbytes, number), (nbytes, own, other)
        sent, room = made(own, content), made(own, nbytes)
        received = endpoint.recv(room)
        await endpoint.send(sent)
        assert await received == nbytes
        assert bytes_of(room) == content, what
        if other != "host":
            continue
        await endpoint.send_multi([b"head", sent])
        head, frame = await endpoint.recv_multi()
        await endpoint.am_send(sent)
        message = await endpoint.am_recv()
        assert bytes_of(head) == b"head"
        assert bytes_of(frame) == bytes_of(message) == content, what
        assert is_of_library(frame) == (own != "host") and is_of_library(message) == (own != "host" and nbytes != 0)
        # UCX is not beside the local channel, which proves the user: no allow_pickle.
        await endpoint.send_obj({"number": number, "size": nbytes})
        assert await endpoint.recv_obj() == {"number": number, "size": nbytes}


async def answers(endpoint):
    """Take all pairs, and send all back."""
    for number, nbytes, own, other in _pairs():
        content = pattern(nbytes, number)
        room = made(other, nbytes)
        assert await endpoint.recv(room) == nbytes
        assert bytes_of(room) == content, (nbytes, own, other)
        await endpoint.send(room)
        if other == "host":
            await endpoint.send_multi(await endpoint.recv_multi())
            await endpoint.am_send(await endpoint.am_recv())
            await endpoint.send_obj(await endpoint.recv_obj())


async def answer(port):
    """Be the other process."""
    async with await ucxx.create_endpoint("127.0.0.1", port) as endpoint:
        await answers(endpoint)


async def each_pair_with_another_process():
    async with another_process(each_pair_with_another_process.mode) as endpoint:
        await asks(endpoint)
        assert "UCX" not in ucxx.describe().partition("peer ")[2], ucxx.describe()
        await endpoint.close()


async def each_pair_with_the_own_worker():
    endpoint = await _to_itself()
    for number, nbytes, own, other in _pairs():
        content, what = pattern(nbytes, number), (nbytes, own, other)
        sent, room = made(own, content), made(other, nbytes)
        for is_late in (False, True):
            received = None if is_late else endpoint.recv(room, 1, True)
            sending = endpoint.send(sent, 1, True)
            received = received or endpoint.recv(room, 1, True)
            assert (await asyncio.gather(received, sending))[0] == nbytes
            assert bytes_of(room) == content, what
        if other != "host":
            continue
        frames, _ = await asyncio.gather(endpoint.recv_multi(2, True), endpoint.send_multi([b"head", sent], 2, True))
        message, _ = await asyncio.gather(endpoint.am_recv(), endpoint.am_send(sent))
        assert bytes_of(frames[0]) == b"head" and bytes_of(frames[1]) == bytes_of(message) == content
        number_of, _ = await asyncio.gather(endpoint.recv_obj(3, force_tag=True, allow_pickle=True),
                                            endpoint.send_obj(number, 3, True))  # fmt: skip
        assert number_of == number
        if own == "library":  # its bytes as they are
            thing, _ = await asyncio.gather(endpoint.recv_obj(4, force_tag=True), endpoint.send_obj(sent, 4, True))
            assert bytes_of(thing) == content and is_of_library(thing)
    await endpoint.close()


async def a_stream_that_waits_holds_a_receive_back():
    endpoint, stream = await _to_itself(), Stream()
    before = calls_of("cuStreamSynchronize")
    for kind in (Streamed, Tensor):
        for nbytes in (8, 100_000, 5_000_000):
            room, content = kind(bytes(nbytes), stream), pattern(nbytes, 4)
            sending = asyncio.ensure_future(send(endpoint, content))
            stream.shut()
            received = asyncio.ensure_future(receive(endpoint, room))
            await asyncio.sleep(SHORT)
            assert not received.done()
            # For a tensor the stream of the thread waits, and the legacy one, which would look, for that.
            assert kind is Tensor or room.content == bytes(nbytes)
            stream.open()
            assert await received == nbytes
            assert bytes_of(room) == content
            await sending
    assert calls_of("cuStreamSynchronize") == before
    await endpoint.close()


async def send(endpoint, content):
    """As a coroutine."""
    await endpoint.send(content, 1, True)


async def receive(endpoint, room):
    """As a coroutine."""
    return await endpoint.recv(room, 1, True)


async def a_captured_stream_is_an_error():
    endpoint, stream = await _to_itself(), Stream()
    room = Streamed(8, stream)
    stream.begin_capture()
    with raises(ucxx.UCXInvalidParamError, "being captured"):
        await endpoint.recv(room, 1, True)
    stream.end_capture().destroy()
    await asyncio.gather(endpoint.recv(room, 1, True), endpoint.send(b"12345678", 1, True))
    assert room.content == b"12345678"
    await endpoint.close()


async def a_read_only_array_is_refused():
    endpoint = await _to_itself()
    array, room = ReadOnly(pattern(8)), Plain(8)
    with raises(ValueError, "ReadOnly is read-only", "core.DeviceBuffer"):
        await endpoint.recv(array, 1, True)
    await asyncio.gather(endpoint.recv(room, 1, True), endpoint.send(array, 1, True))
    assert room.content == pattern(8)
    await endpoint.close()


async def a_cancelled_task_loses_no_message():
    endpoint, room = await _to_itself(), Plain(pattern(8, 2))
    task = asyncio.ensure_future(receive(endpoint, room))
    await asyncio.sleep(SHORT)
    task.cancel()
    with raises(asyncio.CancelledError):
        await task
    await asyncio.gather(send(endpoint, b"12345678"), receive(endpoint, later := Plain(8)))
    assert (room.content, later.content) == (pattern(8, 2), b"12345678")
    await endpoint.close()


async def a_task_that_is_cancelled_while_the_device_copies_waits_for_it():
    """What came straight from its sender stays in the array, which the log says; what was here before goes back."""
    endpoint = await _to_itself()
    for nbytes in (8, 100_000, 5_000_000):
        room = Plain(nbytes)
        with held_copies():
            task = asyncio.ensure_future(receive(endpoint, room))
            sending = asyncio.ensure_future(send(endpoint, pattern(nbytes)))
            while not copies_in_flight():
                await asyncio.sleep(0.001)
            task.cancel()
            await asyncio.sleep(SHORT)
            assert not task.done()
        with raises(asyncio.CancelledError):
            await task
        await sending
        await _take_again(endpoint, room)
    await endpoint.close()


async def a_task_that_is_cancelled_before_it_goes_on_gives_its_message_back():
    """The receive has ended, and the task that awaits it does not know yet."""
    endpoint = await _to_itself()
    for nbytes in (8, 100_000, 5_000_000):
        request = endpoint.recv(room := Plain(nbytes), 1, True)
        task = asyncio.ensure_future(_wait_for(request))
        await asyncio.sleep(0)
        sending = endpoint.send(pattern(nbytes), 1, True)
        until(lambda: (ucxx.progress(), request.done())[1], "the receive does not end")  # noqa: B023
        task.cancel()
        with raises(asyncio.CancelledError):
            await task
        await sending
        await _take_again(endpoint, room)
    await endpoint.close()


async def a_stream_receive_that_is_cancelled_gives_its_bytes_back():
    endpoint, content = await _to_itself(), pattern(5_000_000)
    with held_copies():
        task = asyncio.ensure_future(_wait_for(endpoint.stream_recv(Plain(len(content)))))
        sending = asyncio.ensure_future(_wait_for(endpoint.stream_send(content)))
        await asyncio.sleep(0)  # both wait
        while not copies_in_flight():
            await asyncio.sleep(0.001)
        task.cancel()
    with raises(asyncio.CancelledError):
        await task
    await asyncio.gather(sending, endpoint.stream_recv(room := Plain(len(content))))
    assert room.content == content
    await endpoint.close()


async def recv_obj_allocates_memory_of_the_host():
    endpoint = await _to_itself()
    for nbytes in (8, 100_000):
        await asyncio.gather(_take_refused(endpoint, bytearray, "come in memory of a device"),
                             endpoint.send_obj(Plain(pattern(nbytes)).memory, 1, True))  # fmt: skip
        assert bytes_of(await endpoint.recv_obj(1, force_tag=True)) == pattern(nbytes)
        await asyncio.gather(_take_refused(endpoint, Plain, "has given a Plain, which is memory of a device"),
                             endpoint.send_obj(pattern(nbytes), 1, True))  # fmt: skip
        assert await endpoint.recv_obj(1, bytearray, True) == pattern(nbytes)
    await endpoint.close()


async def _take_refused(endpoint, allocator, reason):
    with raises(ValueError, reason):
        await endpoint.recv_obj(1, allocator, True)


async def _wait_for(request):
    return await request


async def _take_again(endpoint, room):
    """Receive a message that a cancelled receive has given back; or it stays in its array, as the log says."""
    nbytes = room.nbytes
    if ucxx.tag_probe(1).matched:
        await receive(endpoint, room := Plain(nbytes))
    else:
        print(STAYED)
    assert room.content == pattern(nbytes) and not ucxx.tag_probe(1).matched
    await asyncio.gather(send(endpoint, b"12345678"), receive(endpoint, later := Plain(8)))
    assert later.content == b"12345678"


async def an_allocator_wins_where_no_thread_moves_the_worker():
    taken = []

    def allocate(nbytes):
        taken.append(Plain(nbytes))
        return taken[-1]

    if an_allocator_wins_where_no_thread_moves_the_worker.mode.startswith("thread"):
        with raises(ValueError, "an allocator is Python", "DeviceBuffer"):
            ucxx.set_allocator("cuda", allocate)
        return
    endpoint = await _to_itself()
    ucxx.set_allocator("cuda", allocate)
    for nbytes in SIZES[1:]:
        sent = Plain(pattern(nbytes))
        message, _ = await asyncio.gather(endpoint.am_recv(), endpoint.am_send(sent))
        assert message is taken[-1] and message.content == sent.content
        (frame,), _ = await asyncio.gather(endpoint.recv_multi(1, True), endpoint.send_multi([sent], 1, True))
        assert frame is taken[-1] and frame.content == sent.content
    await endpoint.close()
