# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Prepared transfers of the asynchronous API, in each progress mode."""

import asyncio
import contextlib
import gc
import threading
import weakref

import numpy as np
import pytest
from served import served, within
from test_conditions_async import MODES, run

import ucxx
from ucxx import core
from ucxx.exceptions import UCXInvalidParamError


@pytest.fixture(autouse=True)
def fresh():
    """Leave nothing initialised."""
    yield
    gc.collect()
    ucxx.reset()


MEMORY = {"library": ucxx.create_memory_handle, "own": bytearray}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("memory", MEMORY)
def test_iterations(options, mode, memory):
    async def program(here, there):
        data, room = MEMORY[memory](4096), MEMORY[memory](4096)
        async with here.prepare_send(data, tag=9) as send, there.prepare_recv(room, tag=9) as receive:
            for i in range(1, 101):
                memoryview(data).cast("B")[:] = bytes([i]) * 4096
                send.start()
                receive.start()
                assert await asyncio.gather(send.wait(), receive.wait()) == [None, None]
                assert bytes(room) == bytes([i]) * 4096
            assert send.iterations == receive.iterations == 100
            assert (send.nbytes, send.partitions, send.completed, send.status) == (4096, 1, True, 0)
            assert repr(send).startswith("<ucxx.PreparedSend: prepared send, 4096 bytes, tag 0x")

    run(program, options, mode)


@pytest.mark.parametrize("mode", MODES)
def test_partitions_that_arrive_one_by_one(options, mode):
    async def program(here, there):
        data, room = np.arange(1 << 14, dtype="u4"), np.zeros(1 << 14, dtype="u4")
        async with (here.prepare_send(data, partitions=16) as send,
                    there.prepare_recv(room, partitions=4) as receive):  # fmt: skip
            receive.start()
            send.start()
            waiting = asyncio.create_task(within(receive.wait()))
            for quarter in range(4):
                send.ready(4 * quarter)
                send.ready(4 * quarter + 1, 4 * quarter + 4)
                while not receive.arrived(quarter):
                    await asyncio.sleep(0)
                assert (room == data)[quarter << 12 : quarter + 1 << 12].all()
                assert (quarter == 3) or not receive.completed
            await waiting
            await within(send.wait())

    run(program, options, mode)


@pytest.mark.parametrize("mode", MODES)
def test_threads_make_partitions_ready(options, mode):
    async def program(here, there):
        data, room = bytearray(64), bytearray(64)
        async with here.prepare_send(data, partitions=64) as send, there.prepare_recv(room) as receive:
            for i in range(1, 11):
                data[:] = bytes([i]) * 64
                send.start()
                receive.start()

                def fill(first):
                    for part in range(first, 64, 4):
                        send.ready(part)

                threads = [threading.Thread(target=fill, args=(first,)) for first in range(4)]
                for thread in threads:
                    thread.start()
                await asyncio.gather(within(send.wait()), within(receive.wait()))
                assert room == data
                for thread in threads:
                    thread.join()

    run(program, options, mode)


def test_tags_are_those_of_send(options):
    async def program(here, there):
        for arguments in ((), (None,), (7,), ("a",), (("a", 1),), (7, True)):
            room = bytearray(5)
            plans = [there.prepare_recv(room, *arguments), here.prepare_send(b"hello", *arguments)]
            core.start_all(plans)
            await asyncio.gather(*(within(plan.wait()) for plan in plans))
            assert room == b"hello"
        with pytest.raises(ValueError, match="force_tag=True needs a tag"):
            here.prepare_send(b"x", force_tag=True)
        with pytest.raises(TypeError, match="unhashable"):
            here.prepare_send(b"x", tag=[])
        end = await ucxx.create_endpoint_from_worker_address(ucxx.get_worker_address())
        with pytest.raises(ValueError, match="has no tags of its own"):
            end.prepare_recv(bytearray(1))

    run(program, options)


def test_wrong_arguments():
    async def program(here, there):
        with pytest.raises(UCXInvalidParamError, match="5 bytes in 2 partitions"):
            here.prepare_send(b"hello", partitions=2)
        with pytest.raises(ValueError, match="bytes is read-only"):
            there.prepare_recv(b"hello")
        with pytest.raises(TypeError, match="positional"):
            here.prepare_send(b"hello", None, False, 5)
        for kind in (ucxx.PreparedSend, ucxx.PreparedRecv):
            with pytest.raises(TypeError, match="endpoint must be a ucxx.Endpoint, not int"):
                kind(5, bytearray(1), None, False, 1)
            with pytest.raises(TypeError, match=r"__init__\(\) has not been called"):
                kind.__new__(kind).start()
        with pytest.raises(TypeError, match="of the sender's end"):
            there.prepare_recv(bytearray(1))._ready()
        with pytest.raises(TypeError, match="of the receiver's end"):
            here.prepare_send(b"x")._arrived(0)
        await here.close()
        with pytest.raises(ucxx.exceptions.UCXCloseError):
            here.prepare_send(b"x")

    run(program)


@pytest.mark.parametrize("mode", MODES)
def test_a_cancelled_wait_leaves_the_iteration(options, mode):
    async def program(here, there):
        room = bytearray(5)
        async with here.prepare_send(b"hello") as send, there.prepare_recv(room) as receive:
            receive.start()
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(receive.wait(), 0.01)
            task = asyncio.create_task(receive.wait())
            await asyncio.sleep(0.001)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert not receive.completed
            send.start()
            await within(receive.wait())
            assert room == b"hello"

    run(program, options, mode)


@pytest.mark.parametrize("mode", MODES)
def test_the_close_of_one_end_ends_the_wait_at_both(options, mode):
    async def program(here, there):
        send, receive = here.prepare_send(bytearray(2), partitions=2), there.prepare_recv(bytearray(2))
        send.start()
        receive.start()
        send.ready(0)
        while "1 of 2 arrived" not in repr(receive):
            await asyncio.sleep(0)
        waiting = [asyncio.create_task(within(plan.wait())) for plan in (send, receive)]
        await asyncio.sleep(0)
        await asyncio.gather(*(within(send.close()) for _ in range(3)))
        with pytest.raises(ucxx.UCXCanceledError, match="closed at this end"):
            await waiting[0]
        with pytest.raises(ucxx.exceptions.UCXConnectionResetError, match="the peer has closed its end"):
            await waiting[1]
        await within(receive.close())
        await within(receive.close())

    run(program, options, mode)


@pytest.mark.parametrize("mode", MODES)
def test_the_buffer_is_free_after_the_close(options, mode):
    async def program(here, there):
        data, room = bytearray(5), bytearray(5)
        async with here.prepare_send(data) as send, there.prepare_recv(room) as receive:
            core.start_all([send, receive])
            await asyncio.gather(send.wait(), receive.wait())
            for buffer in (data, room):
                with pytest.raises(BufferError):
                    buffer.clear()
        data.clear()
        room.clear()

    run(program, options, mode)


class Buffer(bytearray):
    """One that can be watched."""


@pytest.mark.parametrize("mode", MODES)
def test_one_that_is_dropped_closes(options, mode):
    async def program(here, there):
        data = Buffer(5)
        gone = weakref.ref(data)
        send, receive = here.prepare_send(data), there.prepare_recv(bytearray(5))
        core.start_all([send, receive])
        await asyncio.gather(send.wait(), receive.wait())
        receive.start()
        del send, data
        with pytest.raises(ucxx.exceptions.UCXConnectionResetError):
            await within(receive.wait())
        while gone() is not None:
            await asyncio.sleep(0.001)

    run(program, options, mode)


def test_an_endpoint_that_is_open_through_a_plan_counts():
    async def program(here, there):
        plan = here.prepare_send(b"x")
        del here
        return plan, there

    async def main():
        accepted = asyncio.get_running_loop().create_future()
        listener = ucxx.create_listener(accepted.set_result)
        here = await ucxx.create_endpoint("127.0.0.1", listener.port)
        listener.close()
        plan = here.prepare_send(b"x")
        del here
        await (await accepted).close()
        return plan

    plan = asyncio.run(within(main()))
    assert plan.nbytes == 1
    del plan, program


async def receive_and_start(endpoint):
    """Prepare to receive, and start for ever."""
    plan = endpoint.prepare_recv(bytearray(8), 1, True)
    with contextlib.suppress(ucxx.UCXCanceledError):
        while True:
            plan.start()
            await plan.wait()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("signal", ["kill", "stop"])
def test_a_peer_that_is_killed_or_stopped(options, mode, signal):
    async def main(server):
        ucxx.init(options, progress_mode=mode)
        endpoint = await ucxx.create_endpoint("127.0.0.1", server.port)
        data = Buffer(8)
        gone = weakref.ref(data)
        plan = endpoint.prepare_send(data, 1, True, partitions=2)
        for _ in range(10):
            plan.start()
            plan.ready()
            await within(plan.wait())
        plan.start()
        plan.ready(1)
        if signal == "kill":
            server.kill()
            with pytest.raises(ucxx.exceptions.UCXConnectionResetError):
                await within(plan.wait())
            await within(plan.close())
            del data
            assert gone() is None
            return
        server.stop()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(plan.wait(), 0.05)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(plan.close(), 0.05)  # the close goes on
        with pytest.raises(ZeroDivisionError):
            async with plan:
                1 / 0  # noqa: B018
        with pytest.raises(BufferError):
            data.clear()
        server.go_on()
        await within(plan.close())
        data.clear()
        endpoint.abort()

    with served(receive_and_start, options) as server:
        asyncio.run(main(server))


@pytest.mark.parametrize("mode", MODES)
def test_a_loop_may_end_with_a_plan_whose_peer_is_stopped(options, mode):
    async def main(server):
        ucxx.init(options, progress_mode=mode)
        endpoint = await ucxx.create_endpoint("127.0.0.1", server.port)
        plan = endpoint.prepare_send(bytearray(8), 1, True)
        plan.start()
        await within(plan.wait())
        server.stop()
        closing = asyncio.create_task(plan.close())
        await asyncio.sleep(0)
        endpoint.abort()
        return closing

    with served(receive_and_start, options) as server:
        assert asyncio.run(main(server)).done()


@pytest.mark.parametrize("mode", MODES)
def test_a_condition_starts_several(options, mode):
    async def program(here, there):
        sources, rooms = [bytearray(8) for _ in range(2)], [bytearray(8) for _ in range(2)]
        sends = [here.prepare_send(each, tag=i, partitions=2) for i, each in enumerate(sources)]
        receives = [there.prepare_recv(each, tag=i) for i, each in enumerate(rooms)]
        now = ucxx.cuda.host()
        begun = core.start_all(sends, condition=now, until="begun")
        now.trigger()
        assert await within(begun) is None
        core.start_all(receives)
        for send in sends:
            send.ready()
        await asyncio.gather(*(plan.wait() for plan in (*sends, *receives)))
        last = ucxx.cuda.host()
        ended = core.start_all(receives, condition=last)
        last.trigger()
        for source, send in zip(sources, sends, strict=True):
            source[:] = bytes(range(8))
            send.start()
            send.ready()
        assert await within(ended) is None
        assert rooms == sources
        await asyncio.gather(*(plan.close() for plan in (*sends, *receives)))

    run(program, options, mode)
