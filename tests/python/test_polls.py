# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The polls that docs/start/python.md shows: what has come is got, and nothing is lost."""

import asyncio
import gc

import pytest
import uvloop
from served import within

import ucxx

LOOPS = {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}

# How a message is sent, looked for, and received.
KINDS = {
    "recv": (
        lambda end: end.send(b"ab"), lambda end: end.tag_probe().matched,
        lambda end: end.recv(bytearray(2)),
    ),
    "recv_multi": (
        lambda end: end.send_multi([b"ab"]), lambda end: end.tag_probe().matched,
        lambda end: end.recv_multi(),
    ),
    "recv_obj": (
        lambda end: end.send_obj([1]), lambda end: end.tag_probe().matched,
        lambda end: end.recv_obj(),
    ),
    "am_recv": (
        lambda end: end.am_send(b"ab"), lambda end: end.am_probe(), lambda end: end.am_recv(),
    ),
    "ucxx.recv": (
        lambda end: end.send(b"ab", 7, force_tag=True), lambda _: ucxx.tag_probe(7).matched,
        lambda _: ucxx.recv(bytearray(2), 7),
    ),
}  # fmt: skip


@pytest.fixture(params=LOOPS)
def run(request):
    """Return a function that runs `program(here, there)`, two ends of a pair."""

    def run_it(program):
        async def main():
            accepted = asyncio.get_running_loop().create_future()
            with ucxx.create_listener(accepted.set_result) as listener:
                here = await ucxx.create_endpoint("127.0.0.1", listener.port)
                await program(here, await accepted)

        with asyncio.Runner(loop_factory=LOOPS[request.param]) as runner:
            runner.run(within(main()))

    yield run_it
    gc.collect()
    ucxx.reset()


@pytest.mark.parametrize("kind", KINDS)
def test_a_probe_and_a_receive_are_a_poll(run, kind):
    send, has_come, receive = KINDS[kind]

    async def program(here, there):
        for _ in range(100):
            assert not has_come(there)
            await send(here)
            assert has_come(there)  # the first poll finds it
            await receive(there)

    run(program)


def test_a_receive_that_is_looked_at_is_a_poll(run):
    """For streams, which have no probe."""

    async def poll(end, buffer):
        receiving = end.stream_recv(buffer, some=True)
        await asyncio.sleep(0)
        if receiving.done():
            return receiving.result()
        receiving.close()
        return 0

    async def program(here, there):
        for number in range(100):
            buffer = bytearray(1)
            assert await poll(there, buffer) == 0
            await here.stream_send(bytes([number]))
            assert await poll(there, buffer) == 1 and buffer[0] == number

    run(program)


def test_wait_for_without_time_loses_nothing(run):
    async def program(here, there):
        for number in range(100):
            await here.send(bytes([number]))
            buffer = bytearray(1)
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(there.recv(buffer), 0)
            assert await there.recv(buffer) == 1 and buffer[0] == number

    run(program)
