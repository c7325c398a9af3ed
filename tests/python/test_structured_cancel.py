# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Cancel scopes and timeouts around transfers of trio and anyio: no message is lost, and buffers are free."""

import asyncio
import random
import threading

import anyio
import pytest
from structured import Way, until, way  # noqa: F401

import ucxx

LARGE = 8 << 20
RECEIVES = ("recv", "recv_multi", "recv_obj", "am_recv", "stream_recv")


async def send(endpoint, kind, content):
    await {
        "recv": endpoint.send,
        "recv_multi": lambda content: endpoint.send_multi([content, b""]),
        "recv_obj": endpoint.send_obj,
        "am_recv": endpoint.am_send,
        "stream_recv": endpoint.stream_send,
    }[kind](content)


async def receive(endpoint, kind, size=8):
    if kind in ("recv", "stream_recv"):
        buffer = bytearray(size)
        assert await getattr(endpoint, kind)(buffer) == size
        return bytes(buffer)
    received = await getattr(endpoint, kind)()
    return b"".join(bytes(one) for one in received) if kind == "recv_multi" else bytes(received)


def test_a_receive_whose_time_is_up_gives_its_buffer_back(way, options):
    async def main():
        async with way.pair(options) as (here, there):
            buffer = bytearray(8)
            with anyio.move_on_after(0.02) as scope:
                await there.recv(buffer)
            assert scope.cancelled_caught
            buffer.extend(b"free")  # a pinned bytearray cannot be resized
            with pytest.raises(TimeoutError):
                with anyio.fail_after(0.02):
                    await there.recv(buffer)
            buffer.clear()
            await here.send(b"kept")
            assert await there.recv(bytearray(4)) == 4

    way.run(main)


@pytest.mark.parametrize("kind", RECEIVES)
def test_a_task_that_is_cancelled_does_not_begin(way, kind):
    async def main():
        async with way.pair() as (here, there):
            await send(here, kind, b"12345678")
            with anyio.CancelScope() as scope:
                scope.cancel()
                await receive(there, kind)
            assert scope.cancelled_caught
            with anyio.CancelScope() as scope:
                scope.cancel()
                await send(here, kind, b"not this")
            await send(here, kind, b"but this")
            assert await receive(there, kind) == b"12345678"
            assert await receive(there, kind) == b"but this"

    way.run(main)


@pytest.mark.parametrize("kind", RECEIVES)
def test_cancels_at_any_time_lose_no_message(way, options, kind):
    count = 150
    times = random.Random(7)

    async def main():
        async with way.pair(options) as (here, there):

            async def sending():
                for number in range(count):
                    await send(here, kind, number.to_bytes(8))
                    if number % 7 == 0:
                        await anyio.sleep(times.uniform(0, 3e-4))

            got = []
            async with anyio.create_task_group() as group:
                group.start_soon(sending)
                while len(got) < count:
                    with anyio.move_on_after(times.choice((0, 1e-5, 1e-4, 3e-4))):
                        got.append(int.from_bytes(await receive(there, kind)))
            assert got == list(range(count))

    way.run(main)


@pytest.mark.parametrize("kind", ["recv", "recv_multi", "am_recv"])
def test_a_large_message_that_is_cancelled_in_its_middle_stays(way, options, kind):
    async def main():
        async with way.pair(options) as (here, there):
            content = bytes(range(256)) * (LARGE // 256)
            for seconds in (0, 1e-4, 5e-4, 2e-3):
                async with anyio.create_task_group() as group:
                    group.start_soon(send, here, kind, content)
                    received = None
                    with anyio.move_on_after(seconds):
                        received = await receive(there, kind, LARGE)
                    if received is None:
                        received = await receive(there, kind, LARGE)
                assert received == content

    way.run(main)


def test_a_send_that_nobody_takes_can_be_cancelled(way, options):
    async def main():
        async with way.pair(options) as (here, there):
            data = bytearray(LARGE)
            for _ in range(40):  # beyond what is fetched without a receive
                with anyio.move_on_after(0.002) as scope:
                    await here.send(data, tag="nobody's")
                data.append(0)  # free
                data.pop()
                if scope.cancelled_caught:
                    break
            else:
                raise AssertionError("it was never held up")
            there.abort()

    way.run(main)


def test_the_end_of_a_nursery_ends_all_that_wait(way, options):
    async def main():
        async with way.pair(options) as (here, there):
            buffers = [bytearray(8) for _ in range(50)]
            async with anyio.create_task_group() as group:
                for tag, buffer in enumerate(buffers):
                    group.start_soon(there.recv, buffer, tag)
                    group.start_soon(there.am_recv)
                await anyio.sleep(0.01)
                group.cancel_scope.cancel()
            for buffer in buffers:
                buffer.clear()
            await here.send(b"after", tag=3)
            assert await there.recv(bytearray(8), tag=3) == 5

    way.run(main)


def test_accept_and_connect_can_be_cancelled(way):
    async def main():
        async with way.open_worker() as worker:
            with worker.create_listener(ip="127.0.0.1") as listener:
                for seconds in (0, 1e-4, 1e-3, 0.01):
                    with anyio.move_on_after(seconds):
                        await listener.accept()
                    with anyio.move_on_after(seconds) as scope:
                        await worker.create_endpoint("127.0.0.1", listener.port)
                    assert scope.cancelled_caught
                async with anyio.create_task_group() as group:
                    group.start_soon(worker.create_endpoint, "127.0.0.1", listener.port)
                    ends = []
                    while len(ends) < 1:  # of callers that have given up
                        ends.append(await listener.accept())
                        if not ends[-1].alive:
                            ends.pop()
                    group.cancel_scope.cancel()

    way.run(main)


def test_a_shielded_transfer_goes_on(way):
    async def main():
        async with way.pair() as (here, there):
            got = []

            async def receiving():
                with anyio.CancelScope(shield=True):
                    got.append(await receive(there, "recv"))

            async with anyio.create_task_group() as group:
                group.start_soon(receiving)
                await anyio.sleep(0.01)
                group.cancel_scope.cancel()
                with anyio.CancelScope(shield=True):
                    await here.send(b"12345678")
            assert got == [b"12345678"]

    way.run(main)


def test_a_cancel_of_asyncio_itself():
    async def main():
        async with Way("anyio-asyncio").pair() as (here, there):
            for turns in range(6):
                buffer = bytearray(8)
                task = asyncio.create_task(there.recv(buffer))
                for _ in range(turns):
                    await asyncio.sleep(0)
                task.cancel()
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
                buffer.clear()
            await here.send(b"kept")
            task = asyncio.create_task(there.recv(bytearray(8)))
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(there.recv(bytearray(8), tag=1), 0.01)
            assert await asyncio.wait_for(there.recv(bytearray(8)), 5) == 4

    asyncio.run(asyncio.wait_for(main(), 20))


def test_a_message_that_came_before_the_cancel_of_asyncio_stays():
    async def main():
        async with Way("anyio-asyncio").pair() as (here, there):
            for _ in range(20):
                await here.send(b"kept")
                await until(there.tag_probe)
                task = asyncio.create_task(there.recv(bytearray(4)))
                await asyncio.sleep(0)  # it has the message
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
                assert await there.recv(bytearray(4)) == 4

    asyncio.run(asyncio.wait_for(main(), 20))


def test_other_tasks_run_beside_awaits_that_end_at_once(way, options):
    async def main():
        async with way.pair(options) as (here, there):
            turns = 0

            async def counting():
                nonlocal turns
                while True:
                    turns += 1
                    await anyio.lowlevel.checkpoint()

            async with anyio.create_task_group() as group:
                group.start_soon(counting)
                buffer = bytearray(1)
                for _ in range(200):
                    await here.send(b"x")
                    await there.recv(buffer)
                group.cancel_scope.cancel()
            assert turns >= 300  # each await is a turn of theirs, in trio's random order

    way.run(main)


def test_one_that_is_suspended_wakes_beside_others_that_are_busy(way, options):
    """Sends that end at once move nothing; what comes for another task must be seen all the same."""

    async def main():
        async with way.pair(options) as (here, there):
            async with anyio.create_task_group() as group:

                async def busy():
                    while True:
                        await here.send(b"x", tag="busy")

                async def late():
                    with anyio.fail_after(5):
                        await here.recv(bytearray(4), tag="late")
                    group.cancel_scope.cancel()

                group.start_soon(late)
                group.start_soon(busy)
                await anyio.sleep(0.01)
                with anyio.CancelScope(shield=True):
                    await there.send(b"late", tag="late")

    way.run(main)


def test_collecting_garbage_in_another_thread(way):
    """An endpoint that goes there ends transfers of tasks here."""

    async def main():
        async with way.pair() as (here, there):
            for _ in range(20):
                address = there.worker.address
                kept = [await there.worker.create_endpoint_from_worker_address(address)]
                thread = threading.Thread(target=kept.clear)
                thread.start()
                await anyio.to_thread.run_sync(thread.join)
                async with anyio.create_task_group() as group:
                    group.start_soon(there.recv, bytearray(4))
                    await anyio.lowlevel.checkpoint()
                    await here.send(b"more")

    way.run(main)


def test_callers_of_another_thread_are_told(way):
    async def main():
        async with way.pair() as (here, there):
            for call in (
                lambda: here.tag_probe(),
                lambda: here.abort(),
                lambda: there.worker.create_listener(),
                lambda: here.send(b"x").send(None),
                lambda: here.close().send(None),
            ):
                with pytest.raises(RuntimeError, match="from_thread.run"):
                    await anyio.to_thread.run_sync(call)

            def properly():
                anyio.from_thread.run(here.send, b"hello")

            await anyio.to_thread.run_sync(properly)
            assert await there.recv(bytearray(8)) == 5

    way.run(main)


def test_closing_ends_what_waits_with_an_error_of_ucxx(way, options):
    async def main():
        async with way.pair(options) as (here, there):
            failed = []

            async def receiving(endpoint):
                with pytest.raises(ucxx.UCXCanceledError) as error:
                    await endpoint.recv(bytearray(1))
                failed.append(error.type)

            async with anyio.create_task_group() as group:
                group.start_soon(receiving, here)
                group.start_soon(receiving, there)
                await anyio.sleep(0.01)
                await here.close()
            assert sorted(failed, key=str) == [
                ucxx.UCXCanceledError, ucxx.UCXConnectionResetError
            ]  # fmt: skip

    way.run(main)
