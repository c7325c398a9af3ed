# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Conditions: wrong arguments; and at fork, Ctrl-C and the end of the interpreter."""

import gc
import re
import weakref

import pytest

import ucxx
from ucxx import _core, core
from ucxx.exceptions import UCXInvalidParamError, UCXNoResourceError


@pytest.fixture
def endpoint():
    """Return an endpoint to the own worker."""
    worker = core.UCXWorker(core.UCXContext())
    return core.UCXEndpoint.create_from_worker_address(worker, worker.address)


@pytest.mark.parametrize("wrong", [3, "condition", b"x", object(), ucxx.cuda.host])
def test_what_is_no_condition(endpoint, wrong):
    kind = type(wrong).__name__
    for post in (
        lambda: endpoint.tag_send(b"x", 1, condition=wrong),
        lambda: endpoint.worker.tag_recv(bytearray(1), 1, condition=wrong),
        lambda: endpoint.am_send(b"x", condition=wrong),
        lambda: endpoint.flush(condition=wrong),
        lambda: endpoint.worker.flush(condition=wrong),
    ):
        with pytest.raises(TypeError, match=f"condition must be a ucxx.cuda.Condition.*, not {kind}"):
            post()


def test_it_is_given_by_name_only(endpoint):
    with ucxx.cuda.host() as condition:
        with pytest.raises(TypeError, match=r"tag_send\(\) takes at most 2 arguments by position, got 3"):
            endpoint.tag_send(b"x", 1, condition)
        with pytest.raises(TypeError):
            endpoint.am_send(b"x", None, b"", condition)


@pytest.mark.parametrize("name", ["start_timeout", "transfer_timeout"])
@pytest.mark.parametrize(("value", "kind"), [
    (-1, ValueError), (0, ValueError), (0.0001, ValueError), (True, TypeError), (float("nan"), ValueError),
    (float("inf"), ValueError), (2e9, ValueError), ("1", TypeError), ([], TypeError),
])  # fmt: skip
def test_wrong_timeouts(name, value, kind):
    with pytest.raises(kind, match=f"{name} must be a number of seconds from 0.001 to 1e9") as error:
        ucxx.cuda.host(**{name: value})
    assert repr(value) in str(error.value)


@pytest.mark.parametrize("value", [1, None, "yes"])
def test_repeat_is_a_bool(value):
    with pytest.raises(TypeError, match="repeat must be True or False"):
        ucxx.cuda.host(repeat=value)


def test_waits_with_wrong_arguments():
    condition = ucxx.cuda.host()
    with pytest.raises(ValueError, match="an epoch must be an int from 0 to .*, not -1"):
        condition.wait(-1)
    with pytest.raises(TypeError, match="an epoch must be an int"):
        condition.wait("1")
    with pytest.raises(TypeError, match="timeout must be a number of seconds or None, not str"):
        condition.wait(1, "1")
    with pytest.raises(TimeoutError, match="has not ended in time"):
        condition.wait(timeout=0.01)
    condition.wait(0)
    condition.close()
    with pytest.raises(ucxx.UCXCanceledError, match="ended 0 times of 1"):
        condition.wait()


def test_it_is_used_too_late_or_too_early(endpoint):
    condition = ucxx.cuda.host()
    with pytest.raises(UCXInvalidParamError, match="nothing was posted"):
        condition.trigger()
    request = endpoint.tag_send(b"x", 1, condition=condition)
    condition.trigger()
    assert request.wait(5) is None
    condition.wait(timeout=5)
    with pytest.raises(UCXInvalidParamError, match="was triggered before"):
        condition.trigger()
    with pytest.raises(UCXInvalidParamError, match="was triggered already"):
        endpoint.tag_send(b"x", 1, condition=condition)
    condition.close()
    condition.close()
    with pytest.raises(UCXInvalidParamError, match="is closed"):
        condition.trigger()
    with pytest.raises(UCXInvalidParamError, match="is closed"):
        endpoint.tag_send(b"x", 1, condition=condition)
    with pytest.raises(ucxx.UCXCanceledError, match="ended 1 times of 2"):
        condition.wait(2)


def test_a_buffer_of_a_refused_transfer_is_free(endpoint):
    condition = ucxx.cuda.host()
    condition.close()
    buffer = bytearray(5)
    with pytest.raises(UCXInvalidParamError):
        endpoint.tag_recv(buffer, 1, condition=condition)
    buffer.clear()


def test_a_process_has_4096():
    gc.collect()  # those of other tests
    conditions = [ucxx.cuda.host() for _ in range(4096)]
    with pytest.raises(UCXNoResourceError):
        ucxx.cuda.host()
    conditions.pop()
    ucxx.cuda.host().close()


def test_the_object():
    condition = ucxx.cuda.host()
    assert isinstance(condition, ucxx.cuda.Condition)
    assert repr(condition) == "<ucxx.cuda.Condition of the host, ended 0 times>"
    with pytest.raises(TypeError):
        ucxx.cuda.Condition()
    with condition as same:
        assert same is condition
    assert repr(condition) == "<ucxx.cuda.Condition of the host, ended 0 times, over>"
    alive = weakref.ref(condition)
    del condition, same
    assert alive() is None


OFFER = {"is_there": True, "missing": "", "version": "13.0", "devices": ["NVIDIA H200"]}


@pytest.mark.parametrize(("offer", "is_available"), [
    (OFFER, True), (OFFER | {"devices": []}, False), (OFFER | {"missing": "cuInit: error 999"}, False),
    (OFFER | {"is_there": False, "missing": "libcuda.so.1: not there", "devices": []}, False),
])  # fmt: skip
def test_whether_there_is_a_driver_with_a_device(monkeypatch, offer, is_available):
    assert isinstance(ucxx.cuda.available(), bool)
    monkeypatch.setattr(_core, "_cuda_driver", lambda: offer)
    assert ucxx.cuda.available() is is_available


def test_a_cycle_with_a_condition_is_collected():
    worker = core.UCXWorker(core.UCXContext())
    endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
    condition = ucxx.cuda.host()
    request = endpoint.tag_recv(bytearray(1), 1, condition=condition)
    endpoint.set_close_callback(lambda: None, (endpoint, condition, request))
    gone = [weakref.ref(each) for each in (worker, condition, request)]
    del worker, endpoint, condition, request
    gc.collect()
    assert [each() for each in gone] == [None] * 3


ARMED = """
import asyncio
import os
import sys
import threading

import ucxx
from ucxx import core

worker = core.UCXWorker(core.UCXContext())
{thread}
endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
condition = ucxx.cuda.host()
buffer = bytearray(5)
request = endpoint.tag_recv(buffer, 3, condition=condition)
"""
THREADS = ["", "worker.start_progress_thread()"]


def check(run_python, code, thread=""):
    status, said = run_python(ARMED.format(thread=thread) + code)
    assert status == 0, said
    return said


EXIT = """
endpoint.tag_send(bytearray(5), 4, condition=condition)  # which nobody has
many = [ucxx.cuda.host(repeat=True) for _ in range(10)]
for each in many:
    endpoint.tag_send(bytearray(5), 4, condition=each)


def wait():
    waiting.set()
    condition.wait()


waiting = threading.Event()
threading.Thread(target=wait, daemon=True).start()
waiting.wait()


async def main():
    global kept
    endpoint = await ucxx.create_endpoint_from_worker_address(ucxx.get_worker_address())
    kept = ucxx.cuda.host()
    task = asyncio.create_task(endpoint.recv(bytearray(5), 1, True, condition=kept))
    await asyncio.sleep(0.01)
    task.cancel()


asyncio.run(main())
print("the end")
"""


@pytest.mark.parametrize("thread", THREADS)
def test_exit_while_armed_and_while_a_thread_waits(run_python, thread):
    for _ in range(3):
        assert check(run_python, EXIT, thread) == "the end\n"


INTERRUPTED = """
from ctrl_c import interrupted

took = interrupted(condition.wait)
condition.trigger()
endpoint.tag_send(b"hello", 3)
condition.wait(timeout=5)
assert request.wait(5) == 5 and buffer == b"hello"
print("interrupted after", took)
"""


@pytest.mark.parametrize("thread", THREADS)
def test_interrupt(run_with_helpers, thread):
    said = check(run_with_helpers, INTERRUPTED, thread)
    took = re.fullmatch(r"interrupted after ([\d.e-]+)\n", said)
    assert float(took[1]) < 2  # 0.1 at most; the machine may be busy


FORKED = """
child = os.fork()
if child == 0:
    for action in (
        condition.trigger,
        condition.wait,
        ucxx.cuda.host,
        lambda: endpoint.tag_send(b"x", 1, condition=condition),
    ):
        try:
            action()
        except ucxx.UCXError as error:
            assert "fork" in str(error), error
        else:
            raise AssertionError("the child can use it")
    assert (condition.epoch, condition.error) == (0, None)
    condition.close()
    repr(condition)
    del condition, request
    sys.exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
condition.trigger()
endpoint.tag_send(b"hello", 3)
assert request.wait(5) == 5 and buffer == b"hello"
condition.wait(timeout=5)
print("fine")
"""


@pytest.mark.parametrize("thread", THREADS)
def test_a_forked_child_gets_errors(run_python, thread):
    assert check(run_python, FORKED, thread) == "fine\n"
