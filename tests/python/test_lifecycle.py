# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The end of the interpreter, Ctrl-C, and fork. Each test is a process of its own."""

import re

import pytest

MODES = ["loop", "polling", "thread", "thread-polling"]

EVERYTHING = """
import asyncio
import threading

import ucxx
from ucxx import core

ucxx.init(progress_mode={mode!r})
worker = core.UCXWorker(core.UCXContext())
worker.start_progress_thread()
endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
request = endpoint.tag_recv(bytearray(5), tag=3)


async def handle(endpoint):
    await endpoint.recv(bytearray(3))


async def main():
    global kept
    listener = ucxx.create_listener(handle)
    endpoint = await ucxx.create_endpoint("127.0.0.1", listener.port)
    endpoint.recv(bytearray(100))
    kept = listener, endpoint, endpoint.recv(bytearray(3))


asyncio.run(main())
suspended = threading.Event()


async def wait_for_ever():
    endpoint = await ucxx.create_endpoint_from_worker_address(ucxx.get_worker_address())
    asyncio.get_running_loop().call_later(0.01, suspended.set)
    await endpoint.recv(bytearray(1), 1, True)


threading.Thread(target=lambda: asyncio.run(wait_for_ever()), daemon=True).start()
suspended.wait()
print("the end")
"""


@pytest.mark.parametrize("mode", MODES)
def test_exit_with_everything_alive(run_python, mode):
    for _ in range(3):
        status, said = run_python(EVERYTHING.format(mode=mode))
        assert status == 0, said
        assert said == "the end\n"


INTERRUPTED = """
import asyncio

from ctrl_c import interrupted

import ucxx
from ucxx import core


async def wait_in_loop():
    endpoint = await ucxx.create_endpoint_from_worker_address(ucxx.get_worker_address())
    await endpoint.recv(bytearray(1), 1, True)


worker = core.UCXWorker(core.UCXContext())
endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
buffer = bytearray(4)
request = endpoint.tag_recv(buffer, tag=3)


def wait():
    {wait}


took = interrupted(wait)
endpoint.tag_send(b"kept", tag=3)
assert request.wait(5) == 4 and buffer == b"kept"
print("interrupted after", took)
"""
WAITS = {
    "wait": "request.wait()",
    "wait with a thread": "worker.start_progress_thread(); request.wait()",
    "wait_requests": "core.wait_requests(worker, [request])",
    "progress_worker_event": "worker.init_blocking_progress_mode()\n"
    "    while True: worker.progress_worker_event()",
    **{
        mode: f"ucxx.init(progress_mode={mode!r}); asyncio.run(wait_in_loop())" for mode in MODES
    },
}


@pytest.mark.parametrize("wait", WAITS)
def test_interrupt(run_with_helpers, wait):
    status, said = run_with_helpers(INTERRUPTED.format(wait=WAITS[wait]))
    assert status == 0, said
    took = re.fullmatch(r"interrupted after ([\d.e-]+)\n", said)
    assert took is not None, said
    assert float(took[1]) < 2, said  # 0.1 at most; the machine may be busy


FORKED = """
import os
import sys

import ucxx
from ucxx import core

worker = core.UCXWorker(core.UCXContext())
{before}
endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
buffer = bytearray(5)
request = endpoint.tag_recv(buffer, tag=3)
child = os.fork()
if child == 0:
    for action in (
        lambda: endpoint.tag_send(b"x", tag=1),
        worker.progress,
        lambda: request.wait(0.1),
        lambda: core.UCXWorker(core.UCXContext()),
    ):
        try:
            action()
        except ucxx.UCXError as error:
            assert "fork" in str(error), error
        else:
            raise AssertionError("the child can use it")
    sys.exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
endpoint.tag_send(b"hello", tag=3)
assert request.wait(5) == 5 and buffer == b"hello"
print("fine")
"""


@pytest.mark.parametrize("before", ["", "worker.start_progress_thread()"])
def test_forked_child_gets_errors_and_ends(run_python, before):
    status, said = run_python(FORKED.format(before=before))
    assert (status, said) == (0, "fine\n")


FORKED_BESIDE_LOOPS = """
import asyncio
import os

import ucxx
from ucxx import core

called = []
worker = core.UCXWorker(core.UCXContext())
worker.start_progress_thread()
ends = [core.UCXEndpoint.create_from_worker_address(worker, worker.address) for _ in range(2)]
for end in ends:
    end.set_close_callback(lambda: called.append(True))


async def main():
    endpoint = await ucxx.create_endpoint_from_worker_address(ucxx.get_worker_address())
    buffer = bytearray(5)
    waiting = asyncio.ensure_future(endpoint.recv(buffer, 1, True))
    await asyncio.sleep(0)
    child = os.fork()
    if child == 0:
        global ends
        ends = None
        ucxx.reset()
        try:
            ucxx.get_worker_address()
        except ucxx.UCXError as error:
            os._exit(7 if "fork" in str(error) else 1)
        os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    ends.pop().close_blocking()
    while not called:
        await asyncio.sleep(0.001)
    asyncio.get_running_loop().call_later(0.01, lambda: endpoint.send(b"hello", 1, True))
    assert await asyncio.wait_for(waiting, 5) == 5


asyncio.run(main())
print("fine")
"""


@pytest.mark.parametrize("mode", MODES)
def test_forked_child_that_resets_leaves_the_parents_loop_alone(run_python, mode):
    status, said = run_python(FORKED_BESIDE_LOOPS, UCXPY_PROGRESS_MODE=mode)
    assert (status, said) == (0, "fine\n")
