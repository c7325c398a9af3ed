# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""First come, first served: a task whose transfer has ended overtakes nothing that its loop has to do."""

import asyncio
import random
import socket
import threading

import pytest
import uvloop

import ucxx
from ucxx import core

LOOPS = {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}
MODES = ["loop", "polling", "thread"]


@pytest.fixture(params=LOOPS)
def run(request):
    """Return a function that runs a program with a `Line`, in a loop of its own."""

    def run_it(program, mode="loop"):
        ucxx.init(progress_mode=mode)

        async def main():
            return await asyncio.wait_for(program(await Line.open()), 20)

        with asyncio.Runner(loop_factory=LOOPS[request.param]) as runner:
            runner.run(main())

    yield run_it
    ucxx.reset()


class Line:
    """What comes to a loop: calls, and ends of transfers that tasks await; and what has run."""

    @classmethod
    async def open(cls):
        line = cls()
        address = ucxx.get_worker_address()
        line.here = await ucxx.create_endpoint_from_worker_address(address)
        line.there = await ucxx.create_endpoint_from_worker_address(address)
        line.loop = asyncio.get_running_loop()
        line.came, line.ran, line.tasks, line.tag = [], [], {}, 0
        return line

    def ran_now(self, name, then=lambda: None):
        self.ran.append(name)
        then()

    def call(self, name, then=lambda: None):
        """Give the loop a call."""
        self.came.append(name)
        self.loop.call_soon(self.ran_now, name, then)

    async def wait_for_transfer(self, name, then=lambda: None):
        """Start a task that awaits a transfer, which `end` ends."""
        self.tag += 1
        self.receiving = receiving = self.there.recv(bytearray(1), self.tag, force_tag=True)

        async def receive():
            await receiving
            self.ran_now(name, then)

        self.tasks[name] = self.tag, asyncio.create_task(receive())
        for _ in range(3):
            await asyncio.sleep(0)

    def end(self, name):
        """End the transfer of a task."""
        self.came.append(name)
        self.here.send(b"x", self.tasks[name][0], force_tag=True)

    async def all_have_run(self):
        await asyncio.gather(*(task for _, task in self.tasks.values()))
        while len(self.ran) < len(self.came):
            await asyncio.sleep(0)


@pytest.mark.parametrize("mode", MODES)
def test_calls_before_between_and_after(run, mode):
    async def program(line):
        for name in ("task 1", "task 2", "task 3"):
            await line.wait_for_transfer(name)
        line.call("before")
        line.end("task 1")
        line.call("between")
        line.end("task 2")
        line.end("task 3")
        line.call("after")
        await line.all_have_run()
        if mode != "thread":  # the progress thread tells of an end when it has it
            assert line.ran == ["before", "task 1", "between", "task 2", "task 3", "after"]
        assert line.ran.index("task 1") < line.ran.index("task 2") < line.ran.index("task 3")

    run(program, mode)


@pytest.mark.parametrize("mode", ["loop", "polling"])
def test_what_a_task_gives_the_loop_comes_after_tasks_that_ended_before(run, mode):
    async def program(line):
        await line.wait_for_transfer("task 1", lambda: (line.call("call of 1"), line.end("task 3")))
        await line.wait_for_transfer("task 2", lambda: line.call("call of 2"))
        await line.wait_for_transfer("task 3")
        line.end("task 1")
        line.end("task 2")
        await line.all_have_run()
        assert line.ran == ["task 1", "task 2", "call of 1", "task 3", "call of 2"]

    run(program, mode)


@pytest.mark.parametrize("mode", ["loop", "polling"])
@pytest.mark.parametrize("seed", range(20))
def test_programs_by_chance(run, mode, seed):
    """Tasks and calls that end transfers and give the loop calls, by chance: all run in order."""
    chance = random.Random(seed)

    async def program(line):
        waiting = [f"task {number}" for number in range(200)]
        calls = iter(range(400))

        def act():
            for _ in range(chance.randrange(5)):
                if chance.random() < 0.5 and waiting:
                    line.end(waiting.pop())
                elif (number := next(calls, None)) is not None:
                    line.call(f"call {number}", act)

        for name in waiting:
            await line.wait_for_transfer(name, act)
        while waiting:
            act()
            await asyncio.sleep(0)
        await line.all_have_run()
        assert line.ran == line.came

    run(program, mode)


def test_many_ends_that_need_more_than_a_turn_of_the_loop(run):
    async def program(line):
        def slow_call(number):
            threading.Event().wait(0.0001)
            line.call(f"call of {number}")

        names = [f"task {number}" for number in range(100)]
        for number, name in enumerate(names):
            await line.wait_for_transfer(name, lambda number=number: slow_call(number))
        for name in names:
            line.end(name)
        await line.all_have_run()
        assert line.ran == names + [f"call of {number}" for number in range(100)]

    run(program)


@pytest.mark.parametrize("mode", MODES)
def test_what_another_descriptor_gave_the_loop_comes_first(run, mode):
    """Both descriptors are readable at once: a call that was given before the end runs before it."""

    async def program(line):
        def read():
            reading.recv(1)
            has_ended = line.receiving.done()
            line.call("call", lambda: in_order.append(has_ended or "task" not in line.ran))

        peer, in_order = Peer(ucxx.get_worker_address()), []
        connecting = asyncio.create_task(asyncio.to_thread(peer.send, 0))
        await ucxx.recv(bytearray(1), 0)
        await connecting
        reading, writing = socket.socketpair()
        with reading, writing:
            line.loop.add_reader(reading, read)
            for number in range(20):
                line.ran = []
                await line.wait_for_transfer("task")
                writing.send(b"x")
                peer.send(line.tag)  # the loop stands still: it finds both
                await line.tasks.pop("task")[1]
                while len(in_order) <= number:
                    await asyncio.sleep(0)
            line.loop.remove_reader(reading)
        peer.close()
        assert all(in_order)

    run(program, mode)


class Peer:
    """A worker of its own, which its caller moves."""

    def __init__(self, address):
        self.worker = core.UCXWorker(core.UCXContext())
        to = core.UCXAddress.create_from_buffer(address)
        self.endpoint = core.UCXEndpoint.create_from_worker_address(self.worker, to)

    def send(self, tag):
        """Send a byte, which is there when it returns."""
        self.endpoint.tag_send(b"x", tag=tag).wait()

    def close(self):
        self.endpoint.close_blocking()


@pytest.mark.parametrize("mode", MODES)
def test_calls_of_another_thread(run, mode):
    async def program(line):
        await line.wait_for_transfer("task")
        thread = threading.Thread(target=line.loop.call_soon_threadsafe, args=(line.ran_now, "call"))
        thread.start()
        thread.join()
        line.end("task")
        await line.tasks["task"][1]
        assert line.ran == ["call", "task"]

    run(program, mode)
