# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What was sent before a close, and is not taken: nothing of it is lost in silence."""

import asyncio
import logging
import os
import signal
import time

import handlers
import pytest
from served import DEADLINE, served, within

import ucxx
from ucxx import core

LARGE = 4 << 20


@pytest.fixture(autouse=True)
def fresh():
    """Leave nothing initialised."""
    yield
    ucxx.reset()


def run(server, program, options, mode="loop"):
    """Run `program(endpoint)` against the server, which closes."""

    async def main():
        ucxx.init(options, progress_mode=mode)
        return await within(program(await ucxx.create_endpoint("127.0.0.1", server.port)))

    return asyncio.run(main())


def test_a_receiver_that_computes_gets_everything(options, tmp_path):
    path = str(tmp_path / "go")
    sizes = tmp_path / "go.sizes"

    async def program(endpoint):
        await endpoint.send_obj(path)
        for _ in range(3):
            endpoint.send_multi((b"", bytes(LARGE)))  # as send_obj; not awaited
        closing = asyncio.create_task(endpoint.close())
        done, _ = await asyncio.wait([closing], timeout=1.2)  # it gave up after 1 s once
        assert not done
        (tmp_path / "go").touch()
        await closing

    with served(handlers.take_late, options) as server:
        run(server, program, options)
        end = time.monotonic() + DEADLINE
        while not sizes.exists() or not sizes.read_text():
            assert time.monotonic() < end
            time.sleep(0.01)
    assert sizes.read_text() == repr([LARGE] * 3)


def is_lost(error, messages=1):
    """Whether its text has the counts."""
    word = "message" if messages == 1 else "messages"
    return f"{messages} {word} with {messages * LARGE} bytes in all" in str(error.value)


@pytest.mark.parametrize("mode", ["loop", "thread"])
def test_a_peer_that_is_stopped_takes_nothing_in_time(options, mode):
    async def program(endpoint):
        os.kill(server.pid, signal.SIGSTOP)
        sends = [endpoint.send(bytearray(LARGE), 99, True) for _ in range(2)]
        with pytest.raises(ucxx.exceptions.UCXTimedOutError) as error:
            await endpoint.close(timeout=0.1)
        assert is_lost(error, 2)
        for send in sends:
            with pytest.raises(ucxx.UCXError):
                await asyncio.wait_for(send, 5)
        assert "0.1" in str(error.value) or "100 ms" in str(error.value)
        assert endpoint.closed
        await endpoint.close()  # once

    with served(handlers.silent, options) as server:
        run(server, program, options, mode)
        # A peer that goes on can crash UCX's TCP here (docs/explanation/faults.md): it finds nobody.
        ucxx.reset()
        os.kill(server.pid, signal.SIGCONT)


def test_a_peer_that_is_killed_meanwhile(options):
    async def program(endpoint):
        os.kill(server.pid, signal.SIGSTOP)
        endpoint.send(bytearray(LARGE), 99, True)
        closing = asyncio.create_task(endpoint.close())
        await asyncio.sleep(0)
        os.kill(server.pid, signal.SIGKILL)
        with pytest.raises(ucxx.UCXError) as error:
            await closing
        assert not isinstance(error.value, ucxx.exceptions.UCXTimedOutError)
        assert is_lost(error)

    with served(handlers.silent, options) as server:
        run(server, program, options)


def test_two_that_both_close_do_not_wait(options):
    async def program(endpoint):
        await endpoint.send(b"x")
        endpoint.send(bytearray(LARGE), 98, True)
        begin = time.monotonic()
        try:
            await endpoint.close()
        except ucxx.UCXError as error:
            assert f"1 message with {LARGE} bytes" in str(error)
        assert time.monotonic() - begin < 5

    with served(handlers.send_and_close, options) as server:
        run(server, program, options)


def test_a_close_that_is_cancelled_ends_at_once(options):
    async def program(endpoint):
        os.kill(server.pid, signal.SIGSTOP)
        send = endpoint.send(bytearray(LARGE), 99, True)
        begin = time.monotonic()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(endpoint.close(), 0.05)
        with pytest.raises(ucxx.UCXError):
            await asyncio.wait_for(send, 5)
        assert time.monotonic() - begin < 5
        assert endpoint.closed
        os.kill(server.pid, signal.SIGCONT)

    with served(handlers.silent, options) as server:
        run(server, program, options)


def test_abort_ends_what_a_stopped_peer_has_not_taken(options):
    async def program(endpoint):
        os.kill(server.pid, signal.SIGSTOP)
        send = endpoint.send(bytearray(LARGE), 99, True)
        endpoint.abort()
        with pytest.raises(ucxx.UCXError):
            await asyncio.wait_for(send, 5)
        os.kill(server.pid, signal.SIGCONT)

    with served(handlers.silent, options) as server:
        run(server, program, options)


def test_an_exception_in_a_with_block_is_not_replaced(caplog):
    async def program(endpoint):
        os.kill(server.pid, signal.SIGSTOP)
        begin = time.monotonic()
        with pytest.raises(KeyError):
            async with endpoint:
                endpoint.send(bytearray(LARGE), 99, True)
                raise KeyError
        assert time.monotonic() - begin < 5
        os.kill(server.pid, signal.SIGCONT)

    with caplog.at_level(logging.WARNING, "ucxx"), served(handlers.silent) as server:
        run(server, program, None)
    assert f"1 message with {LARGE} bytes in all" in caplog.text


def test_abort_drops_on_purpose(caplog):
    async def program(endpoint):
        endpoint.send(bytearray(LARGE), 99, True)
        endpoint.abort()
        await endpoint.close()

    with caplog.at_level(logging.WARNING, "ucxx"), served(handlers.silent) as server:
        run(server, program, None)
    assert "bytes in all" not in caplog.text


@pytest.mark.parametrize("timeout", [-1, float("nan"), 1e10])
def test_timeouts_that_are_none(timeout):
    async def main():
        endpoint = await ucxx.create_endpoint_from_worker_address(ucxx.get_worker_address())
        with pytest.raises(ValueError, match="timeout"):
            await endpoint.close(timeout=timeout)
        await endpoint.close()

    asyncio.run(main())


def test_the_limit_of_a_worker():
    with pytest.raises(ValueError, match="close_timeout"):
        core.UCXWorker(core.UCXContext(), close_timeout=1e10)
    core.UCXWorker(core.UCXContext(), close_timeout=0.5)


EXITING = """
import atexit, logging, sys, time

begin = 0.0
atexit.register(lambda: print("after", time.monotonic() - begin))  # the last

import asyncio
import ucxx

logging.basicConfig(level=logging.WARNING, stream=sys.stdout)
kept = []


async def main():
    endpoint = await ucxx.create_endpoint_from_worker_address(ucxx.get_worker_address())
    endpoint.send(bytearray(80 << 20), 1, True)  # too much to be fetched without a receive
    if {keeps}:
        kept.append(endpoint)


asyncio.run(main())
begin = time.monotonic()
"""


@pytest.mark.parametrize("keeps", [True, False])
def test_the_end_of_the_interpreter_tells_and_is_quick(run_python, keeps):
    status, output = run_python(EXITING.format(keeps=keeps))
    assert status == 0, output
    assert output.count("1 message with 83886080 bytes in all") == 1, output
    assert float(output.split("after")[1]) < 1
