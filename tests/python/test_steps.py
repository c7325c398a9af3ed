# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The worker steps the tasks whose transfers have ended: they are tasks of asyncio as before."""

import asyncio
import contextvars
import gc
import logging
import threading
import time
import weakref

import pytest
import uvloop

import ucxx

LOOPS = {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}
MODES = ["loop", "polling", "thread"]


async def pair():
    """Return two endpoints of the own worker."""
    address = ucxx.get_worker_address()
    return [await ucxx.create_endpoint_from_worker_address(address) for _ in range(2)]


@pytest.fixture(params=LOOPS)
def run(request):
    """Return a function that runs a program with two endpoints, in a loop of its own."""

    def run_it(program, mode="loop", debug=False):
        ucxx.init(progress_mode=mode)

        async def main():
            one, other = await pair()
            return await asyncio.wait_for(program(one, other), 20)

        with asyncio.Runner(loop_factory=LOOPS[request.param], debug=debug) as runner:
            return runner.run(main())

    run_it.is_uvloop = request.param == "uvloop"
    yield run_it
    gc.collect()
    ucxx.reset()


async def suspended(*tasks):
    """Let tasks run until they wait."""
    for _ in range(3):
        await asyncio.sleep(0)
    assert not any(task.done() for task in tasks)


def receive(endpoint, tag):
    return endpoint.recv(bytearray(1), tag, force_tag=True)


def send(endpoint, tag):
    return endpoint.send(b"x", tag, force_tag=True)


def players(one, other):
    """Return 40 tasks, of which two at a time wake each other for ever."""

    async def play(sends, receives):
        while True:
            await send(one, sends)
            await receive(other, receives)

    tags = [(2 * i, 2 * i + 1) for i in range(20)]
    return [asyncio.create_task(play(*both)) for first in tags for both in (first, first[::-1])]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("debug", [False, True])
def test_each_task_has_its_context_and_is_the_current_one(run, mode, debug):
    name = contextvars.ContextVar("name")

    async def program(one, other):
        async def wait(tag):
            name.set(tag)
            await receive(other, tag)
            return name.get(), asyncio.current_task()

        tasks = [asyncio.create_task(wait(tag)) for tag in range(50)]
        await suspended(*tasks)
        for tag in range(50):
            await send(one, tag)
        assert await asyncio.gather(*tasks) == list(enumerate(tasks))
        assert name.get(None) is None

    run(program, mode, debug)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
def test_end_of_the_program_in_a_task_ends_the_loop(run, mode, kind):
    async def program(one, other):
        async def end():
            await receive(other, 1)
            raise kind("here")

        task = asyncio.create_task(end())
        await suspended(task)
        await send(one, 1)
        await asyncio.sleep(20)

    with pytest.raises(kind, match="here"):
        run(program, mode)


@pytest.mark.parametrize("mode", MODES)
def test_end_of_the_program_leaves_the_other_tasks_where_they_are(run, mode):
    went_on = []

    async def program(one, other):
        async def wait(tag):
            await receive(other, tag)
            went_on.append(tag)
            if tag == 1:
                raise KeyboardInterrupt

        tasks = [asyncio.create_task(wait(tag)) for tag in range(5)]
        await suspended(*tasks)
        for tag in range(5):
            send(one, tag)
        await asyncio.sleep(20)

    with pytest.raises(KeyboardInterrupt):
        run(program, mode)
    assert went_on == [0, 1] or run.is_uvloop  # which runs what is scheduled first


@pytest.mark.parametrize("mode", MODES)
def test_a_task_lets_go_of_everything_and_others_go_on(run, mode):
    async def program(one, other):
        async def end():
            await receive(other, 1)
            late = receive(other, 9)
            one.abort()
            other.abort()
            ucxx.reset()
            assert late.get_loop() is asyncio.get_running_loop()
            late.add_done_callback(ended.append)
            with pytest.raises(ucxx.UCXError):
                await late
            return late

        async def wait(tag):
            return await receive(other, tag)

        ended = []
        tasks = [asyncio.create_task(end()), *(asyncio.create_task(wait(tag)) for tag in range(2, 6))]
        await suspended(*tasks)
        for tag in range(1, 6):
            send(one, tag)
        late, *received = await asyncio.gather(*tasks)
        assert received == [1] * 4
        await asyncio.sleep(0)
        assert ended == [late]

    run(program, mode)


@pytest.mark.parametrize("mode", MODES)
def test_exception_of_a_task_is_its_own(run, mode):
    async def program(one, other):
        async def fail():
            await receive(other, 1)
            raise ValueError("mine")

        async def wait():
            return await receive(other, 2)

        failing, waiting = asyncio.create_task(fail()), asyncio.create_task(wait())
        await suspended(failing, waiting)
        await send(one, 1)
        await send(one, 2)
        with pytest.raises(ValueError, match="mine"):
            await failing
        assert await waiting == 1

    run(program, mode)


@pytest.mark.parametrize("mode", MODES)
def test_task_that_is_cancelled_before_it_goes_on_gives_its_message_back(run, mode):
    async def program(one, other):
        async def cancel():
            await receive(other, 1)
            second.cancel()

        async def wait():
            await receive(other, 2)

        first, second = asyncio.create_task(cancel()), asyncio.create_task(wait())
        await suspended(first, second)
        sends = [send(one, 1), send(one, 2)]  # both have ended before a task goes on
        await asyncio.wait([first, second])
        assert second.cancelled()
        assert await receive(other, 2) == 1
        await asyncio.gather(*sends)

    run(program, mode)


@pytest.mark.parametrize("mode", MODES)
def test_tasks_that_wake_each_other_leave_turns_to_the_others(run, mode):
    async def program(one, other):
        tasks = players(one, other)
        longest, last = 0.0, time.monotonic()
        for _ in range(200):
            await asyncio.sleep(0)
            now = time.monotonic()
            longest, last = max(longest, now - last), now
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        assert longest < 1  # a turn is meant to take a millisecond

    run(program, mode)


def test_a_loop_that_is_always_busy_gathers_no_callbacks():
    async def main():
        one, other = await pair()

        async def talk(tag):
            for _ in range(500):
                receiving = asyncio.create_task(receive(other, tag))
                await asyncio.sleep(0)
                await send(one, tag)
                await receiving

        await asyncio.gather(*(talk(tag) for tag in range(4)))
        return len(asyncio.get_running_loop()._ready)

    ucxx.init(progress_mode="loop")
    assert asyncio.run(main()) < 10
    ucxx.reset()


def test_other_threads_have_their_turns(run):
    turns, over = [], threading.Event()

    def count():
        while not over.wait(0.005):
            turns.append(1)

    async def program(one, other):
        tasks = players(one, other)
        thread = threading.Thread(target=count)
        thread.start()
        async with asyncio.timeout(15):
            while len(turns) < 100:
                await asyncio.sleep(0)
        over.set()
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        thread.join()

    run(program)


def test_loop_that_stops_in_a_step_goes_on_later():
    ucxx.init(progress_mode="loop")
    loop = asyncio.new_event_loop()

    async def main():
        one, other = await pair()

        async def stop():
            await receive(other, 1)
            loop.stop()

        async def wait():
            return await receive(other, 2)

        tasks = [loop.create_task(stop()), loop.create_task(wait())]
        await suspended(*tasks)
        await send(one, 1)
        await send(one, 2)
        await tasks[0]
        return await tasks[1]

    program = loop.create_task(main())
    loop.run_forever()
    assert loop.run_until_complete(asyncio.wait_for(program, 20)) == 1
    loop.close()
    gc.collect()
    ucxx.reset()


def test_loop_that_closes_drops_the_tasks_that_were_to_go_on(run):
    left = []

    async def program(one, other):
        async def wait(tag):
            await receive(other, tag)

        tasks = [asyncio.create_task(wait(tag)) for tag in range(10)]
        await suspended(*tasks)
        left.extend(weakref.ref(task) for task in tasks)
        for tag in range(10):
            send(one, tag)

    run(program)
    gc.collect()
    assert [task() for task in left] == [None] * 10


def test_slow_task_has_its_name_in_debug_mode(caplog):
    ucxx.init(progress_mode="loop")

    async def main():
        one, other = await pair()

        async def slow_one():
            await receive(other, 1)
            time.sleep(0.15)  # noqa: ASYNC251 - what the loop complains about

        task = asyncio.create_task(slow_one())
        await suspended(task)
        await send(one, 1)
        await task

    with caplog.at_level(logging.WARNING, "asyncio"):
        asyncio.run(main(), debug=True)
    assert any("slow_one" in record.getMessage() for record in caplog.records)
    ucxx.reset()
