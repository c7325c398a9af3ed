# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Prepared transfers at fork, Ctrl-C and the end of the interpreter."""

import re

import pytest

PREPARED = """
import asyncio
import os
import sys
import threading
import time

import ucxx
from ucxx import core

worker = core.UCXWorker(core.UCXContext({options}))
other = core.UCXWorker(core.UCXContext({options}))
{thread}
here = core.UCXEndpoint.create_from_worker_address(worker, other.address)
there = core.UCXEndpoint.create_from_worker_address(other, worker.address)
room = bytearray(5)
send, receive = here.prepare_send(b"hello", 1), there.prepare_recv(room, 1)


def until(condition):
    deadline = time.monotonic() + 20
    while not condition():
        worker.progress()
        other.progress()
        assert time.monotonic() < deadline


core.start_all([send, receive])
until(lambda: send.completed and receive.completed)
receive.start()
"""
THREADS = ["", "worker.start_progress_thread(); other.start_progress_thread()"]


@pytest.fixture(params=THREADS, ids=["waits", "thread"])
def check(run_with_helpers, options, request):
    """Return a function that runs code after that; it returns what the program printed."""

    def run(code):
        program = PREPARED.format(thread=request.param, options=options) + code
        status, said = run_with_helpers(program)
        assert status == 0, said
        return said

    return run


EXIT = """
many = [here.prepare_send(bytearray(8), i, partitions=8) for i in range(2, 12)]
core.start_all(many)
many[0].ready(1)
many[1].close()
many.pop()


def wait():
    waiting.set()
    receive.wait()


waiting = threading.Event()
threading.Thread(target=wait, daemon=True).start()
waiting.wait()


async def main():
    global kept
    endpoint = await ucxx.create_endpoint_from_worker_address(ucxx.get_worker_address())
    kept = [endpoint.prepare_send(bytearray(5), 1, True), endpoint.prepare_recv(bytearray(5), 1, True)]
    core.start_all(kept)
    await asyncio.gather(*(plan.wait() for plan in kept))
    kept[1].start()
    kept.append(asyncio.create_task(kept[1].wait()))
    await asyncio.sleep(0.01)


asyncio.run(main())
print("the end")
"""


def test_exit_with_plans_open_and_while_a_thread_waits(check):
    for _ in range(3):
        assert check(EXIT) == "the end\n"


INTERRUPTED = """
from ctrl_c import interrupted

took = interrupted(lambda: core.wait_all([send, receive]))
send.start()
until(lambda: receive.completed)
assert receive.wait(5) is None and room == b"hello"
print("interrupted after", took)
"""


def test_interrupt(check):
    took = re.fullmatch(r"interrupted after ([\d.e-]+)\n", check(INTERRUPTED))
    assert float(took[1]) < 2  # 0.1 at most; the machine may be busy


FORKED = """
child = os.fork()
if child == 0:
    for action in (
        send.start,
        receive.request,
        receive.close,
        lambda: receive.wait(1),
        lambda: here.prepare_send(b"x", 1),
    ):
        try:
            action()
        except ucxx.UCXError as error:
            assert "fork" in str(error), error
        else:
            raise AssertionError("the child can use it")
    repr(receive)
    del send, receive
    sys.exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
send.start()
until(lambda: send.completed and receive.completed)
core.wait_all([send, receive])
assert room == b"hello"
print("fine")
"""


def test_a_forked_child_gets_errors(check):
    assert check(FORKED) == "fine\n"
