# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Transfers of the asynchronous API that wait for a condition, in each progress mode."""

import asyncio
import gc
import threading

import pytest
from served import DEADLINE, within

import ucxx
from ucxx import core

MODES = ["loop", "polling", "thread", "thread-polling"]
ADD = core.AtomicOperation.ADD


@pytest.fixture(autouse=True)
def fresh():
    """Leave nothing initialised."""
    yield
    gc.collect()
    ucxx.reset()


def run(program, options=None, mode="loop"):
    """Run `program(here, there)` with two ends of a pair."""

    async def main():
        ucxx.init(options, progress_mode=mode)
        accepted = asyncio.get_running_loop().create_future()
        listener = ucxx.create_listener(accepted.set_result)
        ends = [await ucxx.create_endpoint("127.0.0.1", listener.port), await accepted]
        listener.close()
        try:
            return await program(*ends)
        finally:
            await asyncio.gather(*(end.close() for end in ends))

    return asyncio.run(within(main()))


async def ended(condition):
    """Let the loop run until it has ended."""
    while condition.epoch == 0:
        await asyncio.sleep(0.001)


# Each gives what `here` awaits with a condition, what `there` does, and the results of both.
MESSAGES = {
    "send": (lambda here, c: here.send(b"hello", condition=c),
             lambda there: there.recv(bytearray(5)), (None, 5)),
    "recv": (lambda here, c: here.recv(bytearray(9), condition=c),
             lambda there: there.send(b"hello"), (5, None)),
    "with tags": (lambda here, c: here.recv(bytearray(9), 7, True, condition=c),
                  lambda there: there.send(b"hello", 7, True), (5, None)),
    "of any peer": (lambda here, c: ucxx.recv(bytearray(9), 7, condition=c),
                    lambda there: there.send(b"hello", 7, True), (5, None)),
    "send_multi": (lambda here, c: here.send_multi([b"a", b"b"], condition=c),
                   lambda there: there.recv_multi(), (None, [b"a", b"b"])),
    "recv_multi": (lambda here, c: here.recv_multi(condition=c),
                   lambda there: there.send_multi([b"a", b"b"]), ([b"a", b"b"], None)),
    "am_send": (lambda here, c: here.am_send(b"hello", condition=c),
                lambda there: there.am_recv(), (None, b"hello")),
    "am_recv": (lambda here, c: here.am_recv(condition=c),
                lambda there: there.am_send(b"hello"), (b"hello", None)),
    "stream_send": (lambda here, c: here.stream_send(b"hello", condition=c),
                    lambda there: there.stream_recv(bytearray(5)), (None, 5)),
}  # fmt: skip


def plain(result):
    """Return arrays of bytes as bytes."""
    if isinstance(result, list):
        return [bytes(each) for each in result]
    return result if result is None or isinstance(result, int) else bytes(result)


@pytest.mark.parametrize("mode", MODES)
def test_messages_are_posted_at_the_call_and_start_at_the_trigger(options, mode):
    async def program(here, there):
        for name, (post, answer, results) in MESSAGES.items():
            condition = ucxx.cuda.host()
            armed = post(here, condition)  # nobody awaits it yet
            await here.flush()
            assert not armed.done(), name
            condition.trigger()
            got = await asyncio.gather(armed, answer(there))
            assert tuple(map(plain, got)) == results, name
            await ended(condition)
            assert condition.error is None, name

    run(program, options, mode)


@pytest.mark.parametrize("mode", MODES)
def test_one_sided_operations(options, mode):
    async def program(here, there):
        del there
        memory = ucxx.create_memory_handle(bytearray(8))
        key = core.RemoteKey.create_from_buffer(here, bytes(memory.create_remote_key()))
        for post, result in (
            (lambda c: here.put(bytearray(b"\1"), key, condition=c), None),
            (lambda c: here.flush(condition=c), None),
            (lambda c: here.atomic_post(ADD, 2, key, condition=c), None),
            (lambda c: here.flush(condition=c), None),
            (lambda c: here.atomic_fetch(ADD, 3, key, condition=c), 3),
            (lambda c: here.atomic_compare_swap(6, 9, key, condition=c), 6),
        ):
            condition = ucxx.cuda.host()
            armed = post(condition)
            await asyncio.sleep(0)
            assert not armed.done()
            condition.trigger()
            assert await armed == result
        room, condition = bytearray(8), ucxx.cuda.host()
        armed = here.get(room, key, condition=condition)
        condition.trigger()
        await armed
        assert room == bytes(memory) == bytes([9, *bytes(7)])

    run(program, options, mode)


@pytest.mark.parametrize("mode", MODES)
def test_a_task_that_awaits_is_woken_by_a_trigger_of_another_thread(options, mode):
    async def program(here, there):
        for _ in range(20):
            condition, room = ucxx.cuda.host(), bytearray(5)
            waiting = asyncio.gather(here.send(b"hello", condition=condition), there.recv(room))
            await asyncio.sleep(0.001)
            thread = threading.Thread(target=condition.trigger)
            thread.start()
            assert await waiting == [None, 5]
            await asyncio.to_thread(thread.join)

    run(program, options, mode)


@pytest.mark.parametrize("mode", MODES)
def test_the_end_of_a_repetition_is_awaited_in_a_thread(mode):
    async def program(here, there):
        room = bytearray(5)
        with ucxx.cuda.host(repeat=True) as condition:
            armed = [here.send(b"hello", 7, True, condition=condition),
                     there.recv(room, 7, True, condition=condition)]  # fmt: skip
            for i in range(1, 20):
                waiting = asyncio.ensure_future(asyncio.to_thread(condition.wait, i, DEADLINE))
                condition.trigger()
                await waiting
                assert condition.epoch == i
        await asyncio.gather(*armed)
        assert room == b"hello"

    run(program, mode=mode)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("how", ["close", "drop"])
def test_a_task_that_awaits_is_woken_by_the_end_of_the_condition(mode, how):
    async def program(here, there):
        del there
        condition = ucxx.cuda.host()
        task = asyncio.ensure_future(asyncio.wait_for(here.recv(bytearray(5), condition=condition), 10))
        await asyncio.sleep(0.01)
        if how == "close":
            condition.close()
        del condition
        with pytest.raises(ucxx.UCXCanceledError):
            await task

    run(program, mode=mode)


@pytest.mark.parametrize("mode", MODES)
def test_a_cancelled_task_gives_the_buffer_back(mode):
    async def program(here, there):
        condition = ucxx.cuda.host()
        room = bytearray(5)

        async def receive():
            await here.recv(room, condition=condition)

        task = asyncio.create_task(receive())
        await asyncio.sleep(0.01)
        with pytest.raises(BufferError):
            room.clear()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        room.clear()
        condition.trigger()
        await ended(condition)
        assert isinstance(condition.error, ucxx.UCXCanceledError)
        sent = there.send(b"later")  # nothing has taken it
        assert await asyncio.gather(here.recv(bytearray(5)), sent) == [5, None]

    run(program, mode=mode)


def test_objects():
    async def program(here, there):
        condition = ucxx.cuda.host()
        sending = asyncio.create_task(here.send_obj({"a": [1]}, condition=condition))
        await asyncio.sleep(0)
        receiving = asyncio.create_task(there.recv_obj(allow_pickle=True))
        await asyncio.sleep(0.01)
        assert not receiving.done()
        condition.trigger()
        assert await asyncio.gather(sending, receiving) == [None, {"a": [1]}]
        condition = ucxx.cuda.host()
        receiving = asyncio.create_task(here.recv_obj(condition=condition, allow_pickle=True))
        await asyncio.sleep(0)  # a coroutine, it posts when it runs
        await there.send_obj([2])
        assert not receiving.done()
        condition.trigger()
        assert await receiving == [2]

    run(program)


def test_receives_that_are_counted():
    async def program(here, there):
        here.close_after_n_recv(3)
        for post, answer in (
            (lambda c: here.recv(bytearray(5), condition=c), lambda: there.send(b"hello")),
            (lambda c: here.recv_multi(condition=c), lambda: there.send_multi([b"a"])),
            (lambda c: here.am_recv(condition=c), lambda: there.am_send(b"a")),
        ):
            condition = ucxx.cuda.host()
            task = asyncio.create_task(post(condition))
            await asyncio.sleep(0)  # a coroutine, it posts when it runs
            await answer()
            assert not task.done()
            condition.trigger()
            await task
        assert here.closed

    run(program)


def test_a_condition_of_another_worker_is_refused():
    async def program(here, there):
        condition = ucxx.cuda.host()
        first = here.send(b"hello", condition=condition)
        with pytest.raises(ucxx.exceptions.UCXInvalidParamError, match="another one"):
            core_end().tag_send(b"hello", 1, condition=condition)
        condition.trigger()
        await asyncio.gather(first, there.recv(bytearray(5)))

    run(program)


def core_end():
    worker = core.UCXWorker(core.UCXContext())
    return core.UCXEndpoint.create_from_worker_address(worker, worker.address)
