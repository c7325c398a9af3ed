# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Active messages: ids, handlers, user headers, and memory that allocators of Python's give."""

import asyncio
import ctypes
import gc
import threading
import weakref

import numpy as np
import pytest
from served import within

import ucxx
from ucxx import core

DEADLINE = 20
MODES = ["loop", "polling", "thread", "thread-polling"]
LARGE = 1 << 20


@pytest.fixture(autouse=True)
def fresh():
    """Leave nothing initialised."""
    yield
    gc.collect()
    ucxx.reset()


async def pair():
    """Return two ends of a pair by a listener of this loop."""
    accepted = asyncio.get_running_loop().create_future()
    listener = ucxx.create_listener(accepted.set_result)
    here = await ucxx.create_endpoint("127.0.0.1", listener.port)
    there = await accepted
    listener.close()
    return here, there


def run(program, mode="loop"):
    """Run `program(here, there)` with two ends of a pair."""

    async def main():
        ucxx.init(progress_mode=mode)
        ends = await pair()
        try:
            return await program(*ends)
        finally:  # handlers keep them
            await asyncio.gather(*(end.close() for end in ends))

    return asyncio.run(within(main()))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("size", [0, 5, LARGE])
def test_handlers_of_several_ids(mode, size):
    async def program(here, there):
        came = []
        all_came = asyncio.Event()

        def plain(request, endpoint):
            came.append((1, bytes(request.result()), request.recv_header, endpoint is there))

        async def coroutine(request, endpoint):
            came.append((2, bytes(await request), request.recv_header, endpoint is there))
            all_came.set()

        ucxx.register_am_receiver_callback(1, plain)
        ucxx.register_am_receiver_callback(np.uint64(2**64 - 1), coroutine)
        data = bytes(range(256)) * (size // 256) + bytes(size % 256)
        await here.am_send(data, id=1, header=b"the header")
        await here.am_send(data, id=np.uint64(2**64 - 1))
        await all_came.wait()
        assert sorted(came) == [(1, data, b"the header", True), (2, data, b"", True)]

    run(program, mode)


def test_handler_answers():
    async def program(here, there):
        async def answer(request, endpoint):
            await endpoint.am_send(await request)

        ucxx.register_am_receiver_callback(7, answer)
        await here.am_send(b"question", id=7)
        assert bytes(await here.am_recv()) == b"question"

    run(program)


@pytest.mark.parametrize("mode", ["loop", "thread"])
@pytest.mark.parametrize("is_coroutine", [False, True])
def test_what_handlers_raise_reaches_the_loop(mode, is_coroutine):
    async def program(here, there):
        reported = []
        came = asyncio.Event()

        def report(_, what):
            reported.append(type(what["exception"]))
            came.set()

        def plain(request, endpoint):
            raise ZeroDivisionError

        async def coroutine(request, endpoint):
            raise ZeroDivisionError

        asyncio.get_running_loop().set_exception_handler(report)
        ucxx.register_am_receiver_callback(1, coroutine if is_coroutine else plain)
        await here.am_send(b"x", id=1)
        await came.wait()
        assert reported == [ZeroDivisionError]

    run(program, mode)


def test_messages_with_and_without_id_are_apart():
    async def program(here, there):
        handled = asyncio.Event()
        ucxx.register_am_receiver_callback(1, lambda request, endpoint: handled.set())
        await here.am_send(b"without", header=b"user")
        await here.am_send(b"with", id=1)
        await handled.wait()
        receiving = there.am_recv()
        assert bytes(await receiving) == b"without" and receiving.recv_header == b"user"
        assert not there.am_probe()

    run(program)


def test_wrong_ids_and_callbacks():
    async def program(here, there):
        ucxx.register_am_receiver_callback(1, print)
        with pytest.raises(RuntimeError, match="the id 1 has a callback already"):
            ucxx.register_am_receiver_callback(1, print)
        for wrong, error in ((-1, ValueError), (2**64, ValueError), ("1", TypeError)):
            words = "the id of a handler must be an int from 0 to"
            with pytest.raises(error, match=words):
                ucxx.register_am_receiver_callback(wrong, print)
            with pytest.raises(error, match=words):
                here.am_send(b"x", id=wrong)
        with pytest.raises(TypeError, match="a callback must be callable, not NoneType"):
            ucxx.register_am_receiver_callback(2, None)

    run(program)


@pytest.mark.parametrize("has_thread", [False, True])
def test_handler_of_the_core(has_thread):
    worker = core.UCXWorker(core.UCXContext())
    came = []
    done = threading.Event()

    def on_message(request, endpoint):
        came.append((bytes(request.recv_buffer), request.recv_header, endpoint))
        done.set()

    worker.register_am_receiver_callback(3, on_message)
    if has_thread:
        worker.start_progress_thread()
    endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
    endpoint.am_send(b"hello", id=3, header=b"h").wait(DEADLINE)
    while not has_thread and not came:
        worker.progress()
    assert done.wait(DEADLINE)
    assert came[0][:2] == (b"hello", b"h") and isinstance(came[0][2], int)
    worker.stop_progress_thread()


def test_dropped_worker_with_a_handler_that_keeps_it_is_collected():
    worker = core.UCXWorker(core.UCXContext())
    worker.register_am_receiver_callback(1, lambda *_, kept=worker: None)
    worker.set_allocator("host", lambda nbytes, kept=worker: bytearray(nbytes))
    gone = weakref.ref(worker)
    del worker
    gc.collect()
    assert gone() is None


# Allocators


@pytest.mark.parametrize("mode", ["loop", "polling"])
def test_allocator_of_host_memory(mode):
    made = []

    def allocate(nbytes):
        made.append(np.empty(nbytes, "u1"))
        return made[-1]

    async def program(here, there):
        ucxx.set_allocator("host", allocate)
        data = np.random.default_rng(1).bytes(LARGE)
        _, message = await asyncio.gather(here.am_send(data), there.am_recv())
        assert message is made[0] and bytes(message) == data
        _, frames = await asyncio.gather(here.send_multi([b"small", data]), there.recv_multi())
        assert bytes(frames[0]) == b"small"
        assert frames[1] is made[1] and bytes(frames[1]) == data
        _, thing = await asyncio.gather(here.send_obj(data), there.recv_obj())
        assert thing is made[2]

    run(program, mode)


def test_memory_of_an_allocator_is_free_after_the_message():
    memory = bytearray(LARGE)

    async def program(here, there):
        ucxx.set_allocator("host", lambda nbytes: memory)
        receiving = there.am_recv()
        await here.am_send(bytes(LARGE))
        assert await receiving is memory
        del receiving
        memory.clear()  # a pinned bytearray cannot be resized

    run(program)


@pytest.mark.parametrize(
    "allocate, error",
    [
        (lambda nbytes: bytearray(nbytes - 1), ValueError),
        (lambda nbytes: bytes(nbytes), ValueError),
        (lambda nbytes: None, TypeError),
        (lambda nbytes: 1 / 0, ZeroDivisionError),
        (lambda nbytes: Device(np.empty(nbytes, "u1")), ValueError),
    ],
)
def test_allocator_that_fails(allocate, error):
    async def program(here, there):
        reported = []
        asyncio.get_running_loop().set_exception_handler(
            lambda _, what: reported.append(type(what["exception"]))
        )
        ucxx.set_allocator("host", allocate)
        sending = here.am_send(bytes(LARGE))
        with pytest.raises(ucxx.UCXNoMemoryError):
            await there.am_recv()
        await sending
        assert reported == [error]
        await here.am_send(b"the next")
        assert bytes(await there.am_recv()) == b"the next"

    run(program)


class Device:
    """Memory that says that it is a device's: here it is the host's, for want of one."""

    def __init__(self, owner):
        """Keep the array."""
        self.owner = owner
        self.__cuda_array_interface__ = {**owner.__array_interface__, "version": 3}


def test_allocator_of_a_device():
    # To the own worker it is copied by the processor, wherever it says that it lies.
    worker = core.UCXWorker(core.UCXContext())
    endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
    made = []

    def allocate(nbytes):
        made.append(Device(np.zeros(nbytes, "u1")))
        return made[-1]

    worker.set_allocator("cuda", allocate)
    data = np.arange(LARGE // 8)
    receiving = endpoint.tag_recv_multi(tag=1)
    endpoint.tag_send_multi([b"host", Device(data)], tag=1)
    frames = receiving.wait(DEADLINE)
    assert bytes(frames[0]) == b"host" and frames[1] is made[0]
    assert (made[0].owner.view(np.int64) == data).all()


def test_frame_of_a_device_needs_an_allocator():
    worker = core.UCXWorker(core.UCXContext())
    endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
    receiving = endpoint.tag_recv_multi(tag=1)
    endpoint.tag_send_multi([Device(np.arange(10))], tag=1)
    with pytest.raises(ucxx.UCXUnsupportedError):
        receiving.wait(DEADLINE)


def test_wrong_allocators():
    async def program(here, there):
        with pytest.raises(ValueError, match="must be 'host' or 'cuda', not 'rocm'"):
            ucxx.set_allocator("rocm", bytearray)
        with pytest.raises(TypeError, match="an allocator must be callable, not NoneType"):
            ucxx.set_allocator("host", None)

    run(program)


@pytest.mark.parametrize("mode", ["thread", "thread-polling"])
def test_allocator_is_refused_beside_a_progress_thread(mode):
    async def program(here, there):
        with pytest.raises(ValueError, match="never takes the GIL"):
            ucxx.set_allocator("host", bytearray)

    run(program, mode)
    worker = core.UCXWorker(core.UCXContext())
    worker.set_allocator("host", bytearray)
    with pytest.raises(ValueError, match="an allocator is Python"):
        worker.start_progress_thread()
    other = core.UCXWorker(core.UCXContext())
    other.start_progress_thread()
    with pytest.raises(ValueError, match="an allocator is Python"):
        other.set_allocator("host", bytearray)
    other.stop_progress_thread()


def test_allocators_of_loops_one_after_the_other():
    made = []

    def allocate(nbytes):
        made.append(nbytes)
        return (ctypes.c_char * nbytes)()

    async def main():
        here, there = await pair()
        await asyncio.gather(here.am_send(bytes(LARGE)), there.am_recv())

    ucxx.set_allocator("host", allocate)
    for _ in range(2):
        asyncio.run(within(main()))
    assert made == [LARGE, LARGE]


# One-sided operations of the asynchronous API


def test_one_sided_operations():
    async def program(here, there):
        memory = ucxx.create_memory_handle(8 * 100)
        key = core.RemoteKey.create_from_buffer(here, bytes(memory.create_remote_key()))
        await here.put(np.arange(100), key)
        await here.atomic_post(core.AtomicOperation.ADD, 5, key, 8)
        await here.flush()
        assert await here.atomic_fetch(core.AtomicOperation.ADD, 1, key, offset=8) == 6
        assert await here.atomic_compare_swap(7, 70, key, offset=8) == 7
        assert await here.atomic_fetch(core.AtomicOperation.OR, 1, key, 0, itemsize=4) == 0
        back = np.zeros(100, np.int64)
        assert await here.get(back, key) == 800
        read = here.get(bytearray(40), key, 80)
        assert await read == 40 and read.recv_buffer is None
        assert back.tolist() == [1, 70, *range(2, 100)]
        with pytest.raises(ValueError, match="does not fit into a word of 4 bytes"):
            here.atomic_fetch(core.AtomicOperation.ADD, 2**32, key, itemsize=4)

    run(program)
