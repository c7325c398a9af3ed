# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Loops that close with transfers pending, objects in cycles, and the interpreter's end in callbacks."""

import asyncio
import gc
import os
import time
import weakref

import handlers
import pytest
from served import served, within

import ucxx
from ucxx import core

MODES = ["loop", "polling", "thread", "thread-polling"]


@pytest.fixture(autouse=True)
def _clean():
    yield
    gc.collect()
    ucxx.reset()


def descriptors():
    return len(os.listdir("/proc/self/fd"))


def threads():
    return len(os.listdir("/proc/self/task"))


async def endpoint_to_self():
    return await ucxx.create_endpoint_from_worker_address(ucxx.get_worker_address())


def new_endpoint():
    """Return an endpoint of a worker of its own, to itself."""
    worker = core.UCXWorker(core.UCXContext())
    return core.UCXEndpoint.create_from_worker_address(worker, worker.address)


@pytest.mark.parametrize("mode", MODES)
def test_loops_closed_with_transfers_pending_leave_nothing(mode):
    ucxx.init(progress_mode=mode)

    async def main():
        endpoint = await endpoint_to_self()
        kept = endpoint.recv(bytearray(1000), 1, True)
        kept.add_done_callback(lambda _: None)
        waiting = endpoint.recv(bytearray(1000), 2, True)

        async def wait():
            await waiting

        task = asyncio.create_task(wait())
        task._log_destroy_pending = False
        await asyncio.sleep(0)

    def run():
        loop = asyncio.new_event_loop()
        loop.run_until_complete(main())
        loop.close()

    def count():
        run()
        gc.collect()
        return descriptors(), threads()

    before = [count() for _ in range(3)][-1]
    assert [count() for _ in range(5)][-1] <= before


def test_worker_of_the_core_can_be_awaited_in_one_loop_after_the_other():
    endpoint = new_endpoint()
    buffer = bytearray(3)
    request = endpoint.tag_recv(buffer, tag=1)

    async def wait(awaitable):
        return await awaitable

    async def watch():
        request.add_done_callback(print)

    asyncio.run(watch())
    endpoint.tag_send(b"yes", tag=1)
    assert asyncio.run(wait(request)) == 3
    assert asyncio.run(wait(endpoint.tag_send(b"", tag=2))) is None


def test_worker_of_an_open_loop_is_refused_in_another():
    endpoint = new_endpoint()
    loop = asyncio.new_event_loop()

    async def wait():
        await asyncio.wait_for(endpoint.tag_recv(bytearray(1), tag=1), 0.01)

    with pytest.raises(TimeoutError):
        loop.run_until_complete(wait())
    with pytest.raises(RuntimeError, match="belongs to another event loop"):
        asyncio.run(wait())
    loop.close()
    with pytest.raises(TimeoutError):
        asyncio.run(wait())


@pytest.mark.parametrize("is_watched", [False, True])
def test_pending_transfers_of_a_dropped_worker_are_collected(is_watched):
    class Memory(bytearray):
        pass

    def drop_one():
        endpoint = new_endpoint()
        memory = Memory(8)
        request = endpoint.tag_recv(memory, tag=1)
        if is_watched:
            loop = asyncio.new_event_loop()

            async def watch():
                request.add_done_callback(lambda _: request)

            loop.run_until_complete(watch())
            loop.close()
        return weakref.ref(memory), weakref.ref(endpoint.worker)

    references = drop_one()
    gc.collect()
    assert [one() for one in references] == [None, None]


def test_endpoint_in_a_cycle_with_its_close_callback_is_collected():
    def drop_one():
        endpoint = new_endpoint()
        endpoint.set_close_callback(lambda: endpoint)
        return weakref.ref(endpoint.worker)

    reference = drop_one()
    gc.collect()
    assert reference() is None


def test_endpoint_of_asyncio_in_a_cycle_with_its_close_callback_is_collected():
    class Program:
        pass

    async def drop_one():
        program = Program()
        program.endpoint = await endpoint_to_self()
        program.endpoint.set_close_callback(lambda: program)
        return weakref.ref(program)

    async def main():
        reference = await drop_one()
        gc.collect()
        assert reference() is None

    asyncio.run(main())


def test_endings_by_another_thread_reach_a_loop_in_debug_mode():
    async def main():
        loop = asyncio.get_running_loop()
        endpoint = await endpoint_to_self()
        for _ in range(20):
            buffer = bytearray(4)
            waiting = asyncio.ensure_future(endpoint.recv(buffer, 1, True))
            await asyncio.sleep(0)
            await loop.run_in_executor(None, lambda: endpoint.send(b"done", 1, True))
            assert await asyncio.wait_for(waiting, 5) == 4

    asyncio.run(main(), debug=True)


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_ends_of_the_program_raised_in_a_callback_end_the_loop(error):
    def end():
        raise error

    async def main():
        endpoint = await endpoint_to_self()
        core.UCXEndpoint.set_close_callback(endpoint, end)
        await endpoint.close()
        await asyncio.sleep(5)

    with pytest.raises(error):
        asyncio.run(main())


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_ends_of_the_program_raised_in_a_callback_without_loop_reach_the_main_thread(error):
    def end():
        raise error

    def close():
        endpoint.close_blocking()
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:
            endpoint.worker.progress()

    endpoint = new_endpoint()
    endpoint.set_close_callback(end)
    with pytest.raises(error):
        close()


def test_comparing_callbacks_may_end_the_transfer():
    class Ending:
        def __call__(self, request):
            called.append(request)

        def __eq__(self, other):
            request.cancel()
            return True

        __hash__ = None

    called = []

    async def main():
        nonlocal request
        endpoint = await endpoint_to_self()
        request = endpoint.recv(bytearray(1), 1, True)
        for _ in range(3):
            request.add_done_callback(Ending())
        assert request.remove_done_callback(print) in (0, 3)
        with pytest.raises(asyncio.CancelledError):
            await request

    request = None
    asyncio.run(main())


@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_objects_that_were_never_made_are_refused():
    for cls, calls in (
        (core.UCXEndpoint, [lambda it: it.tag_send(b"", tag=1), lambda it: it.alive]),
        (core.UCXWorker, [
            lambda it: it.progress(), lambda it: it.tag_recv(bytearray(1), tag=1),
            lambda it: it._flush(), lambda it: it.tag_recv_with_handle(bytearray(1), None),
            lambda it: it._bind(None, core._core.Mode.Loop),
        ]),
        (core.UCXAddress, [memoryview, bytes]),
        (ucxx.Endpoint, [lambda it: it.send(b""), lambda it: it.recv_multi()]),
        (core.MemoryHandle, [memoryview, lambda it: it.size]),
    ):  # fmt: skip
        for call in calls:
            with pytest.raises((TypeError, BufferError)):
                call(cls.__new__(cls))


def test_error_in_flight_survives_what_drops_an_endpoint():
    closed = []

    def fail():
        endpoint = new_endpoint()
        endpoint.set_close_callback(closed.append, ("closed",))
        raise ValueError("kept")

    with pytest.raises(ValueError, match="kept"):
        fail()
    gc.collect()
    assert closed == ["closed"]


CALLBACK_AT_EXIT = """
import threading

import ucxx
from ucxx import core

started = threading.Semaphore(0)


def busy(*_):
    started.release()
    while True:
        pass


def close_one(has_thread):
    worker = core.UCXWorker(core.UCXContext())
    endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
    endpoint.set_close_callback(busy)
    if has_thread:
        worker.start_progress_thread()
    endpoint.close_blocking()
    while True:
        worker.progress()


for i in range(3):
    threading.Thread(target=close_one, args=(i == 0,), daemon=True).start()
for _ in range(3):
    started.acquire()
print("the end")
"""

WORKERS_AT_EXIT = """
import threading

from ucxx import core

dropped = threading.Semaphore(0)


def make_and_drop():
    while True:
        worker = core.UCXWorker(core.UCXContext())
        worker.start_progress_thread()
        endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
        buffer = bytearray(100_000)
        request = endpoint.tag_recv(buffer, tag=1)
        endpoint.tag_send(bytes(100_000), tag=1)
        request.wait()
        del request, endpoint, worker
        dropped.release()


for _ in range(3):
    threading.Thread(target=make_and_drop, daemon=True).start()
for _ in range(30):
    dropped.acquire()
print("the end")
"""


@pytest.mark.parametrize("program", [CALLBACK_AT_EXIT, WORKERS_AT_EXIT], ids=["callback", "workers"])
def test_exit_beside_daemon_threads(run_python, program):
    for _ in range(5):
        began = time.monotonic()
        status, said = run_python(program)
        assert (status, said) == (0, "the end\n")
        assert time.monotonic() - began < 10


RAISED_BY_SIGNALS = """
import asyncio
import random
import signal

import ucxx


def interrupt(*_):
    raise KeyboardInterrupt


async def connect():
    address = ucxx.get_worker_address()
    return [await ucxx.create_endpoint_from_worker_address(address) for _ in range(2)]


async def talk():
    buffer = bytearray(8)
    while True:
        receiving = ends[1].recv(buffer, 1, True)
        await ends[0].send(b"12345678", 1, True)
        await receiving
        await asyncio.sleep(0)


async def receive_late():
    receiving = asyncio.ensure_future(ends[1].recv(bytearray(1), 2, True))
    asyncio.get_running_loop().call_later(0.001, lambda: ends[0].send(b"x", 2, True))
    await asyncio.wait_for(receiving, 5)


loop = asyncio.new_event_loop()
ends = loop.run_until_complete(connect())
signal.signal(signal.SIGALRM, interrupt)
for _ in range(300):
    try:  # on a busy machine the signal comes at once
        signal.setitimer(signal.ITIMER_REAL, random.uniform(0.0005, 0.003))
        loop.run_until_complete(talk())
    except KeyboardInterrupt:
        pass
    for task in asyncio.all_tasks(loop):
        task.cancel()
    loop.run_until_complete(asyncio.sleep(0))
    loop.run_until_complete(receive_late())
print("the end")
"""


@pytest.mark.parametrize("mode", MODES)
def test_exceptions_of_signal_handlers_surface_and_nobody_waits_for_ever(run_python, mode):
    status, said = run_python(RAISED_BY_SIGNALS, UCXPY_PROGRESS_MODE=mode)
    assert (status, said) == (0, "the end\n")


def test_sent_buffers_are_free_while_the_request_is_kept():
    async def main():
        endpoint = await endpoint_to_self()
        for size in (10, 20_000, 3 << 20):
            buffers = [bytearray(size), bytearray(1)]
            receiving = endpoint.recv_multi(1, True)
            task = asyncio.create_task(endpoint.send_multi(buffers, 1, True))
            await receiving
            await task
            for buffer in buffers:
                buffer.clear()

    asyncio.run(main())


def test_buffer_of_a_task_that_never_began_is_free():
    async def main():
        endpoint = await endpoint_to_self()
        buffer = bytearray(4)
        task = asyncio.create_task(endpoint.recv(buffer, 1, True))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        buffer.clear()

    asyncio.run(main())


def test_abort_waits_for_no_stopped_peer():
    async def main(port):
        ucxx.init({"UCXX_LOCAL": "off"})
        endpoint = await within(ucxx.create_endpoint("127.0.0.1", port))
        endpoint.send(bytearray(8 << 20))
        server.stop()
        began = time.monotonic()
        endpoint.abort()
        took = time.monotonic() - began
        server.go_on()
        assert took < 0.5

    with served(handlers.silent, {"UCXX_LOCAL": "off"}) as server:
        asyncio.run(main(server.port))
