# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Who waits for a payload that a peer has to move lets it have the processor."""

import asyncio
import contextlib

import pytest
from served import within

import ucxx
from ucxx import core
from ucxx.types import Feature

LARGE = 8 << 20
RING = {"UCXX_LOCAL": "only", "UCXX_LOCAL_BULK": "ring"}
TAG = 7


class Sender:
    """A worker of the same process that sends a payload, and is moved when it is asked to."""

    def __init__(self, address):
        """Send."""
        self.worker = core.UCXWorker(core.UCXContext(RING, [Feature.TAG]))
        self.endpoint = core.UCXEndpoint.create_from_worker_address(self.worker, address)
        self.payload = bytes(range(256)) * (LARGE // 256)
        self.send = self.endpoint.tag_send(self.payload, tag=TAG)

    def begin(self, other, received):
        """Fill the ring, once the other side has asked for it."""
        for _ in range(10000):
            self.worker.progress()
            other.progress()
            if received[1] != 0:  # some of it has come
                return
        raise AssertionError(self.worker.describe())


@pytest.fixture
def fresh():
    """Leave nothing initialised."""
    yield
    ucxx.reset()


def test_event_loop_that_polls_naps(fresh):
    async def main():
        ucxx.init(RING, progress_mode="polling")
        sender = Sender(ucxx.get_worker_address())
        back = await ucxx.create_endpoint_from_worker_address(sender.worker.address)
        received = bytearray(LARGE)
        task = asyncio.ensure_future(ucxx.recv(received, TAG))
        while received[1] == 0:  # some of it has come
            sender.worker.progress()
            await asyncio.sleep(0)
        before = ucxx.stats()["wake_ups"]
        turns = 0
        while ucxx.stats()["wake_ups"] < before + 20:
            await asyncio.sleep(0.001)
            turns += 1
            assert turns < 10000
        assert not task.done()
        while not task.done():
            sender.worker.progress()
            await asyncio.sleep(0)
        assert await task == LARGE
        assert received == sender.payload
        back.abort()

    asyncio.run(within(main()))


@pytest.mark.parametrize("features", [[Feature.TAG], [Feature.TAG, Feature.WAKEUP]], ids=["awake", "wakeup"])
def test_wait_naps_and_obeys_its_timeout(features):
    worker = core.UCXWorker(core.UCXContext(RING, features))
    sender = Sender(worker.address)
    back = core.UCXEndpoint.create_from_worker_address(worker, sender.worker.address)
    received = bytearray(LARGE)
    receive = worker.tag_recv(received, tag=TAG)
    sender.begin(worker, received)
    before = worker.stats()["wake_ups"]
    for _ in range(3):
        with pytest.raises(TimeoutError):
            receive.wait(0.05)
    assert worker.stats()["wake_ups"] >= before + 3
    while not receive.completed:
        with contextlib.suppress(TimeoutError):
            receive.wait(0.0)
        sender.worker.progress()
    assert received == sender.payload
    assert back.alive
