# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Transfers as awaitables and futures: tasks, gather, wait, shield, timeouts, cancel."""

import asyncio
import gc
import threading
import time
import weakref

import pytest
import uvloop

import ucxx

MODES = ["loop", "polling", "blocking", "thread", "thread-polling"]


@pytest.fixture(params=[asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def run(request):
    """Return a function that runs a coroutine in a loop of its own, within a deadline."""

    def run_it(coroutine, mode="loop"):
        ucxx.init(progress_mode=mode)

        async def main():
            return await asyncio.wait_for(coroutine, 20)

        with asyncio.Runner(loop_factory=request.param) as runner:
            result = runner.run(main())
        gc.collect()
        ucxx.reset()
        return result

    yield run_it
    ucxx.reset()


async def pair():
    """Return two endpoints of the own worker."""
    address = ucxx.get_worker_address()
    one = await ucxx.create_endpoint_from_worker_address(address)
    return one, await ucxx.create_endpoint_from_worker_address(address)


def send(endpoint, data, tag=1):
    return endpoint.send(data, tag, force_tag=True)


def recv(endpoint, buffer, tag=1):
    return endpoint.recv(buffer, tag, force_tag=True)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("size", [0, 1, 1000, 1 << 20])
def test_await_gives_number_of_bytes(run, mode, size):
    async def main():
        one, other = await pair()
        buffer = bytearray(size + 5)
        receiving = asyncio.ensure_future(recv(other, buffer))
        await asyncio.sleep(0)
        assert await send(one, b"x" * size) is None
        assert await receiving == size
        assert buffer == b"x" * size + bytes(5)

    run(main(), mode)


@pytest.mark.parametrize("mode", MODES)
def test_suspended_receive_wakes_though_another_await_ends_inline(run, mode):
    # The await that ends inline moves the worker, which disarms it: the loop must not sleep on.
    async def main():
        one, other = await pair()
        buffer = bytearray(1)
        suspended = asyncio.create_task(recv(other, buffer, tag=1))
        for _ in range(3):
            await asyncio.sleep(0)

        async def inline():
            await send(one, b"2", tag=2)
            await recv(other, bytearray(1), tag=2)

        await inline()
        asyncio.get_running_loop().call_later(0.05, lambda: send(one, b"1", tag=1))
        await suspended
        assert buffer == b"1"

    run(main(), mode)


def test_gather_wait_shield_taskgroup(run):
    async def main():
        one, other = await pair()
        buffers = [bytearray(1) for _ in range(6)]
        requests = [recv(other, buffer) for buffer in buffers]
        for i in range(6):
            await send(one, bytes([i]))
        assert await asyncio.gather(requests[0], requests[1]) == [1, 1]
        # As with coroutines, `wait` wants tasks.
        done, pending = await asyncio.wait([asyncio.create_task(one) for one in requests[2:4]])
        assert len(done) == 2 and not pending
        assert await asyncio.shield(requests[4]) == 1
        async with asyncio.TaskGroup() as group:
            task = group.create_task(requests[5])
        assert task.result() == 1
        assert [buffer[0] for buffer in buffers] == list(range(6))

    run(main())


def test_create_task_and_ensure_future_take_it(run):
    async def main():
        one, other = await pair()
        task = asyncio.create_task(recv(other, bytearray(1)))
        future = asyncio.ensure_future(recv(other, bytearray(1)))
        assert asyncio.isfuture(future)
        await send(one, b"a")
        await send(one, b"b")
        assert await task == 1
        assert await future == 1

    run(main())


def test_timeout_cancels_and_gives_the_buffer_back(run):
    async def main():
        one, other = await pair()
        buffer = bytearray(8)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(recv(other, buffer), 0.02)
        buffer.extend(b"free")  # a pinned bytearray cannot be resized
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.02):
                await recv(other, bytearray(8))
        await send(one, b"later")
        assert await recv(other, buffer) == 5

    run(main())


def test_cancelled_task_raises_and_the_message_is_left(run):
    async def main():
        one, other = await pair()
        buffer = bytearray(8)
        task = asyncio.create_task(recv(other, buffer))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert task.cancelled()
        buffer.clear()
        await send(one, b"kept")
        assert await recv(other, bytearray(4)) == 4

    run(main())


def test_cancel_of_a_send_that_nobody_takes_gives_the_buffer_back(run):
    async def main():
        one, other = await pair()
        data = bytearray(8 << 20)
        task = asyncio.create_task(send(one, data))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        data.extend(b"free")
        await send(one, b"next")
        assert await recv(other, bytearray(8 << 20)) == 4

    run(main())


def test_result_and_exception_follow_futures(run):
    async def main():
        one, other = await pair()
        request = recv(other, bytearray(1))
        assert not request.done()
        with pytest.raises(asyncio.InvalidStateError):
            request.result()
        await send(one, b"x")
        await request
        assert request.done() and request.result() == 1 and request.exception() is None
        assert request.cancel() is False and not request.cancelled()
        assert request.get_loop() is asyncio.get_running_loop()

    run(main())


def test_done_callbacks_run_by_the_loop(run):
    async def main():
        one, other = await pair()
        called = []
        request = recv(other, bytearray(1))
        request.add_done_callback(called.append)
        request.add_done_callback(print)
        assert request.remove_done_callback(print) == 1
        await send(one, b"x")
        assert called == []
        await request
        while not called:
            await asyncio.sleep(0)
        assert called == [request]

    run(main())


def test_two_tasks_await_one_request(run):
    async def main():
        one, other = await pair()
        request = recv(other, bytearray(3))

        async def waiting():
            return await request

        tasks = [asyncio.create_task(waiting()) for _ in range(2)]
        await asyncio.sleep(0)
        await send(one, b"abc")
        assert await asyncio.gather(*tasks) == [3, 3]

    run(main())


def test_dropped_receive_still_has_its_buffer(run):
    async def main():
        one, other = await pair()
        buffer = bytearray(4)
        recv(other, buffer)  # never awaited: no warning, and it is filled all the same
        with pytest.raises(BufferError):
            buffer.clear()
        await send(one, b"full")
        while buffer != b"full":
            ucxx.progress()
        buffer.clear()

    run(main())


def test_dropped_receive_keeps_its_object_alive(run):
    async def main():
        _, other = await pair()

        class Memory(bytearray):
            pass

        memory = Memory(4)
        reference = weakref.ref(memory)
        recv(other, memory)
        del memory
        gc.collect()
        assert reference() is not None

    run(main())


def test_others_have_their_turn_beside_awaits_that_end_at_once(run):
    async def main():
        one, other = await pair()
        turns = 0

        async def counting():
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        task = asyncio.create_task(counting())
        buffer = bytearray(1)
        deadline = time.monotonic() + 10
        while turns < 10 and time.monotonic() < deadline:
            await send(one, b"x")
            await recv(other, buffer)
        task.cancel()
        assert turns >= 10

    run(main())


def test_ten_thousand_outstanding(run):
    async def main():
        one, other = await pair()
        buffers = [bytearray(2) for _ in range(10_000)]
        tasks = [asyncio.ensure_future(recv(other, buffer, i)) for i, buffer in enumerate(buffers)]
        for i in reversed(range(10_000)):
            await send(one, i.to_bytes(2), i)
        await asyncio.gather(*tasks)
        assert [int.from_bytes(buffer) for buffer in buffers] == list(range(10_000))

    run(main())


def test_gather_that_is_cancelled_ends(run):
    async def main():
        one, other = await pair()
        buffers = bytearray(1), bytearray(1)

        async def both():
            await asyncio.gather(recv(other, buffers[0], 1), recv(other, buffers[1], 2))

        with pytest.raises(TimeoutError):
            await asyncio.wait_for(both(), 0.02)
        for buffer in buffers:
            buffer.clear()
        results = asyncio.gather(recv(other, bytearray(1), 1), return_exceptions=True)
        results.cancel()
        with pytest.raises(asyncio.CancelledError):
            await results
        await send(one, b"x")
        assert await recv(other, bytearray(1)) == 1

    run(main())


def test_task_cancelled_before_it_began_takes_no_message(run):
    async def main():
        one, other = await pair()
        task = asyncio.create_task(recv(other, bytearray(4)))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await send(one, b"mine")
        assert await asyncio.wait_for(recv(other, bytearray(4)), 5) == 4

    run(main())


def test_throw_takes_what_generators_take(run):
    async def main():
        _, other = await pair()
        for arguments, error in (
            ((), TypeError),
            ((ValueError,), ValueError),
            ((ValueError("x"),), ValueError),
            ((ValueError, "x"), ValueError),
            (("x",), TypeError),
        ):
            with pytest.raises(error):
                recv(other, bytearray(1)).throw(*arguments)

    run(main())


def test_failed_requests_do_not_stay(run):
    async def main():
        _, other = await pair()
        references = []
        for _ in range(20):

            class Memory(bytearray):
                pass

            memory = Memory(8)
            references.append(weakref.ref(memory))

            async def fails(memory):
                request = recv(other, memory)
                request.cancel()
                await request

            with pytest.raises(asyncio.CancelledError):
                await fails(memory)
            request = recv(other, memory)
            request.cancel()
            with pytest.raises(ucxx.UCXCanceledError):
                request.check_error()
            del memory, request
        assert [one for one in references[:-1] if one() is not None] == []

    run(main())


def test_loops_of_several_threads_have_a_worker_each():
    async def main():
        one, other = await pair()
        buffer = bytearray(4)
        for _ in range(50):
            await send(one, b"mine")
            assert await recv(other, buffer) == 4

    failed = []

    def loops():
        try:
            for _ in range(20):
                asyncio.run(asyncio.wait_for(main(), 20))
        except BaseException as error:
            failed.append(error)
            raise

    threads = [threading.Thread(target=loops) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert failed == [] and not any(thread.is_alive() for thread in threads)
    gc.collect()
    ucxx.reset()
