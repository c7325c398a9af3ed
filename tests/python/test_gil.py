# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Other threads of Python run while payloads are copied, and while an await looks for its end."""

import asyncio
import contextlib
import sys
import threading
import time

import pytest

import ucxx
from ucxx import core

LARGE = 16 << 20
CHANNELS = {
    "ring": {"UCXX_LOCAL_BULK": "ring"},
    "copy": {"UCXX_LOCAL_BULK": "copy"},
    "tcp": {"UCXX_LOCAL": "off"},
}


class Counter(threading.Thread):
    """Counts its turns: it has one only where somebody lets go of the GIL by himself."""

    def __init__(self):
        super().__init__()
        self.turns = 0
        self.ends = False

    def run(self):
        while not self.ends:
            self.turns += 1
            time.sleep(1e-4)  # less, and it takes the GIL again before another one wakes up


@pytest.fixture
def counter():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    counter = Counter()
    counter.start()
    yield counter
    counter.ends = True
    counter.join(30)
    sys.setswitchinterval(before)


class Pair:
    """Two workers, and an endpoint of the left one to the right one."""

    def __init__(self, options):
        context = core.UCXContext(options)
        self.left, self.right = core.UCXWorker(context), core.UCXWorker(context)
        self.endpoint = core.UCXEndpoint.create_from_worker_address(self.left, self.right.address)
        self.send(1)  # they have met

    def send(self, size):
        data, buffer = b"x" * size, bytearray(size)  # arrays of NumPy would let go of the GIL
        requests = [self.right.tag_recv(buffer, 1), self.endpoint.tag_send(data, 1)]
        until = time.monotonic() + 30
        while not all(request.completed for request in requests):
            self.left.progress()
            self.right.progress()
            assert time.monotonic() < until
        assert buffer == data


@pytest.mark.parametrize("channel", CHANNELS)
def test_other_threads_run_while_much_is_copied(channel, counter):
    pair = Pair(CHANNELS[channel])
    before, until = counter.turns, time.monotonic() + 30
    while counter.turns == before:  # one send can end before the machine wakes the other thread
        pair.send(LARGE)
        assert time.monotonic() < until


@pytest.mark.parametrize("channel", CHANNELS)
def test_small_messages_keep_the_gil(channel, counter):
    pair = Pair(CHANNELS[channel])
    before = counter.turns
    for size in [1, 1000, 4000, 16_000] * 20:
        pair.send(size)
    assert counter.turns == before


@pytest.mark.parametrize("channel", CHANNELS)
def test_an_await_copies_and_looks_for_its_end(channel, counter):
    async def main():
        ucxx.init(CHANNELS[channel])
        sender = core.UCXWorker(core.UCXContext(CHANNELS[channel]))
        endpoint = core.UCXEndpoint.create_from_worker_address(sender, ucxx.get_worker_address())
        sender.start_progress_thread()
        data, buffer = b"x" * LARGE, bytearray(LARGE)
        for _ in range(20):
            receiving = ucxx.recv(buffer, 1)
            sending = endpoint.tag_send(data, 1)
            assert await receiving == LARGE
            sending.wait(10)
        assert buffer == data
        sender.stop_progress_thread()

    asyncio.run(main())
    ucxx.reset()


def await_in_vain():
    """Await a receive for which nothing comes, up to where the task would sleep."""
    request = ucxx.recv(bytearray(1), 1)
    with contextlib.suppress(StopIteration):
        request.__await__().send(None)
    request.cancel()


def test_other_threads_run_while_an_await_looks_for_its_end(counter):
    async def main():
        await_in_vain()  # makes the worker
        before, until = counter.turns, time.monotonic() + 10
        while counter.turns == before:
            await_in_vain()
            assert time.monotonic() < until

    asyncio.run(main())
    ucxx.reset()


ALLOCATING = """
import sys, threading, time, numpy as np
from ucxx import core
context = core.UCXContext({options})
left, right = core.UCXWorker(context), core.UCXWorker(context)
there = core.UCXEndpoint.create_from_worker_address(right, left.address)
made = []
def allocate(nbytes):
    # Copies within it, with the GIL, as all that is called here has to have.
    data, buffer = np.full(512 << 10, 3, "u1"), np.zeros(512 << 10, "u1")
    requests = [here.tag_send(data, 5), left.tag_recv(buffer, 5)]
    made.append(np.zeros(nbytes, "u1"))
    return made[-1]
left.set_allocator("host", allocate)
here = core.UCXEndpoint.create_from_worker_address(left, left.address)
ends = False
def count():
    while not ends:
        time.sleep(1e-4)
thread = threading.Thread(target=count)
thread.start()
back = core.UCXEndpoint.create_from_worker_address(left, right.address)
for _ in range(10):
    send = there.am_send(np.full(4 << 20, 9, "u1"))
    receive = back.am_recv()
    while not (send.completed and receive.completed):
        left.progress(), right.progress()
    array = receive.result()
    assert array is made[-1] and (array == 9).all()
ends = True
thread.join()
"""


@pytest.mark.parametrize("channel", CHANNELS)
def test_allocators_have_the_gil(channel, run_python):
    assert run_python(ALLOCATING.format(options=CHANNELS[channel])) == (0, "")


def test_calls_of_other_threads_do_not_wait_for_an_allocator_for_ever():
    # The worker has let go of the GIL, another thread waits for the worker, and the allocator for the GIL.
    pair = Pair(CHANNELS["ring"])
    pair.right.set_allocator("host", bytearray)
    back = core.UCXEndpoint.create_from_worker_address(pair.right, pair.left.address)
    ends = threading.Event()
    asked = []

    def ask():
        while not ends.is_set():
            asked[:] = [back.peer_address]

    thread = threading.Thread(target=ask)
    thread.start()
    data = b"x" * (1 << 20)
    began = time.monotonic()
    try:
        for _ in range(50):
            transfers = [pair.endpoint.tag_send_multi([data], 1) for _ in range(8)]
            transfers += [back.tag_recv_multi(1) for _ in range(8)]
            while not all(transfer.done() for transfer in transfers):
                assert time.monotonic() < began + 30
                pair.left.progress()
                pair.right.progress()
    finally:
        ends.set()
        thread.join(90)
    assert asked
