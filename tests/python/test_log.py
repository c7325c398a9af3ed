# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The log lines of C++ in logging. Each test is a process of its own: what is set is the process's."""

import re

import pytest

from ucxx._process import log

BEGIN = """
import asyncio
import logging
import os
import sys
import threading
import time

logging.basicConfig(level=logging.{level}, stream=sys.stdout,
                    format="%(levelname)s %(name)s %(message)s")
import ucxx
from ucxx import _core, core

ERROR, WARN, INFO, DEBUG, TRACE = range(1, 6)
"""
MODES = ["loop", "polling", "thread", "thread-polling"]


def run(run_python, code, level="INFO", **environment):
    """Run code behind `BEGIN`; return the lines that it printed."""
    status, said = run_python(BEGIN.format(level=level) + code, **environment)
    assert status == 0, said
    return said.splitlines()


TALK = """
async def serve(endpoint):
    await endpoint.send_obj(await endpoint.recv_obj(allow_pickle=True))
    await endpoint.close()


async def main():
    ucxx.init({options!r}, progress_mode={mode!r})
    listener = ucxx.create_listener(serve)
    async with await ucxx.create_endpoint("127.0.0.1", listener.port) as endpoint:
        await endpoint.send_obj([1, 2])
        assert await endpoint.recv_obj(allow_pickle=True) == [1, 2]
    while listener.active_clients:
        await asyncio.sleep(0.01)
    listener.close()


asyncio.run(main())
ucxx.reset()
"""


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("options", [{}, {"UCXX_LOCAL": "off"}], ids=["local", "tcp"])
def test_normal_use_says_only_that_it_begins(run_python, options, mode):
    said = run(run_python, TALK.format(options=options, mode=mode))
    assert len(said) == 1, said
    assert re.fullmatch(r"INFO ucxx ucxx is initialised, progress mode [-a-z]+, UCX [\d.]+ \(.*\)",
                        said[0])


def test_lines_of_debug_come_when_they_are_wanted(run_python):
    said = run(run_python, TALK.format(options={}, mode="loop"), level="DEBUG")
    assert any(line.startswith("DEBUG ucxx.link ") for line in said)


def test_ucx_has_a_logger_of_its_own(run_python):
    said = run(run_python, TALK.format(options={"UCXX_LOCAL": "off"}, mode="loop"), level="DEBUG",
               UCX_LOG_LEVEL="debug")
    assert any(line.startswith("DEBUG ucxx.ucx ") for line in said)


def test_bad_limits_of_stalls(run_python):
    code = """
for bad in (-1, float("nan"), float("inf")):
    for call in (lambda: ucxx.init(stall_report=bad),
                 lambda: core.UCXWorker(core.UCXContext(), stall_report=bad)):
        try:
            call()
        except ValueError as error:
            assert "stall_report" in str(error), error
        else:
            raise AssertionError(bad)
"""
    assert run(run_python, code) == []


def test_nothing_is_said_where_nobody_configures_logging(run_python):
    code = "import ucxx.core; ucxx._core._log(1, 'terrible'); ucxx.init()"
    assert run_python(code) == (0, "")


def test_environment_asks_for_standard_error(run_python):
    code = "import ucxx.core; ucxx._core._log(4, 'hello')"
    assert run_python(code, UCXX_LOG_LEVEL="debug") == (0, "[DEBUG program] hello\n")


STALLED = """
worker = core.UCXWorker(core.UCXContext(), stall_report=0.1)
endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
request = endpoint.tag_recv(bytearray(4), tag=3)


class Seen(logging.Handler):
    def __init__(self):
        super().__init__()
        self.event = threading.Event()

    def emit(self, record):
        if record.getMessage().startswith("stalled: tag receive, 4 bytes, tag 0x3, waiting for"):
            assert record.levelno == logging.WARNING
            late = time.time() - record.created
            assert 0 <= late < 10, late
            self.event.set()


seen = Seen()
logging.getLogger("ucxx.worker").addHandler(seen)


def until_seen(move):
    until = time.monotonic() + 20
    while not seen.event.is_set():
        assert time.monotonic() < until
        move()


async def in_loop():
    ucxx.init(progress_mode={mode!r}, stall_report=0.1)
    endpoint = await ucxx.create_endpoint_from_worker_address(ucxx.get_worker_address())
    receive = endpoint.recv(bytearray(4), 3, True)
    until = time.monotonic() + 20
    while not seen.event.is_set():
        assert time.monotonic() < until
        await asyncio.sleep(0.3)
    receive.cancel()


async def core_in_loop():
    async def receive():
        await request

    task = asyncio.create_task(receive())
    until = time.monotonic() + 20
    while not seen.event.is_set():
        assert time.monotonic() < until
        await asyncio.sleep(0.3)
    task.cancel()


def wait():
    try:
        request.wait(0.5)
    except TimeoutError:
        pass


{wait}
assert seen.event.is_set()
"""
STALLS = {
    "wait": "until_seen(wait)",
    "progress": "until_seen(worker.progress)",
    "sleep": "worker.init_blocking_progress_mode()\n"
             "until_seen(lambda: worker.progress_worker_event(100))",
    "a thread": "worker.start_progress_thread(); assert seen.event.wait(20)",
    "a thread, waiting": "worker.start_progress_thread(); until_seen(wait)",
    "a loop that awaits a request": "asyncio.run(core_in_loop())",
    **{f"loop {mode}": "asyncio.run(in_loop())" for mode in MODES},
}


@pytest.mark.parametrize("wait", STALLS)
def test_stalls_are_reported_while(wait, run_python):
    mode = wait.removeprefix("loop ")
    said = run(run_python, STALLED.format(mode=mode, wait=STALLS[wait]))
    assert sum("stalled: tag receive, 4 bytes" in line for line in said) >= 1
    assert any("WARNING ucxx.worker pending, the oldest first: " in line for line in said)


STALLED_UNTIL_TOLD = """
worker = core.UCXWorker(core.UCXContext(), stall_report=0.1)
endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
{begin}
until = time.monotonic() + 20
while worker.stats()["stalled_requests"] == 0:
    assert time.monotonic() < until
    worker.progress()
{end}
"""


def test_stalled_plan_is_reported(run_python):
    said = run(run_python, STALLED_UNTIL_TOLD.format(
        begin="plan = endpoint.prepare_recv(bytearray(4), tag=3, partitions=2); plan.start()",
        end="plan.close().wait(20)"))  # fmt: skip
    line = ("WARNING ucxx.worker stalled: prepared receive, 4 bytes, tag 0x3 in 2 partitions, iteration 1: "
            "the peer has prepared no send for it, in progress for more than 0.100 s")
    assert said.count(line) == 1, said


def test_stalled_transfer_that_is_armed_is_reported_with_its_condition(run_python):
    said = run(run_python, STALLED_UNTIL_TOLD.format(
        begin="condition = ucxx.cuda.host()\n"
              "request = endpoint.tag_send(b'1234', tag=3, condition=condition)",
        end="request.cancel()"))  # fmt: skip
    (line,) = [line for line in said if "stalled: " in line]
    assert re.fullmatch(r"WARNING ucxx.worker stalled: tag send, 4 bytes, tag 0x3, armed for [\d.]+ s: "
                        r"host condition, triggered 0 times, ended 0 times", line), line


def test_queue_is_bounded_and_counts_what_is_lost(run_python):
    said = run(run_python, "for i in range(3000): _core._log(WARN, f'line {i}')\n"
                           "_core._deliver_log()\n_core._log(WARN, 'later')")
    assert said[:2] == ["WARNING ucxx.program line 0", "WARNING ucxx.program line 1"]
    assert said[1023:] == [
        "WARNING ucxx.program line 1023",
        "WARNING ucxx 1976 lines of the log were lost: they came faster than they were delivered",
        "WARNING ucxx.program later",  # at exit
    ]


def test_text_is_taken_as_it_is(run_python):
    said = run(run_python, "_core._log(ERROR, '100 % of {this} %s')")
    assert said == ["ERROR ucxx.program 100 % of {this} %s"]


def test_levels_are_those_of_the_loggers(run_python):
    code = """
logging.getLogger("ucxx.program").setLevel(logging.DEBUG)
_core._log(DEBUG, "not formatted: C++ does not know yet")
context = core.UCXContext()
_core._log(DEBUG, "wanted")
_core._log(TRACE, "not wanted")
_core._deliver_log()
logging.getLogger("ucxx").setLevel(logging.ERROR)
logging.getLogger("ucxx.program").setLevel(logging.NOTSET)
_core._log(WARN, "filtered when it is delivered")
"""
    assert run(run_python, code) == ["DEBUG ucxx.program wanted"]


def test_handler_that_raises_and_one_that_uses_the_library(run_python):
    code = """
logging.raiseExceptions = False
worker = core.UCXWorker(core.UCXContext())


class Bad(logging.Filter):
    def filter(self, record):
        worker.progress()
        _core._log(WARN, "from inside") if "inside" not in record.msg else None
        raise ZeroDivisionError("filter")


raised = []
sys.unraisablehook = lambda what: raised.append(what.exc_type)
bad = Bad()
logging.getLogger("ucxx.program").addFilter(bad)
_core._log(WARN, "outside")
worker.progress()
logging.getLogger("ucxx.program").removeFilter(bad)
assert raised == [ZeroDivisionError], raised
worker.progress()
"""
    assert run(run_python, code) == ["WARNING ucxx.program from inside"]


def test_forked_child_logs_its_own_lines_alone(run_python):
    code = """
_core._log(WARN, "of the parent")
child = os.fork()
if child == 0:
    _core._log(WARN, "of the child")
    sys.exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
"""
    assert run(run_python, code) == ["WARNING ucxx.program of the child",
                                     "WARNING ucxx.program of the parent"]


def test_many_threads_log_until_the_very_end(run_python):
    code = """
ready = threading.Barrier(5)


def log():
    ready.wait()
    while True:
        _core._log(WARN, "noise")
        time.sleep(0)


for _ in range(4):
    threading.Thread(target=log, daemon=True).start()
worker = core.UCXWorker(core.UCXContext(), stall_report=0.01)
worker.start_progress_thread()
logging.getLogger("ucxx").setLevel(logging.CRITICAL)
ready.wait()
time.sleep(0.2)
print("the end")
"""
    for _ in range(3):
        assert run(run_python, code) == ["the end"]


def test_filter_that_runs_when_the_interpreter_ends(run_python):
    # A daemon thread is inside of Python, inside of C++ that waits, when the main thread goes. (A
    # handler would have its lock, which logging itself wants at the end.)
    code = """
class Slow(logging.Filter):
    def filter(self, record):
        begun.set()
        while True:
            time.sleep(0.001)


begun = threading.Event()
logging.getLogger("ucxx.worker").addFilter(Slow())
worker = core.UCXWorker(core.UCXContext(), stall_report=0.05)
endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
request = endpoint.tag_recv(bytearray(4), tag=3)
threading.Thread(target=request.wait, daemon=True).start()
assert begun.wait(20)
"""
    for _ in range(5):
        assert run(run_python, code) == []


FORKED_WITH_A_LINE = """
import asyncio
import os
import sys
import time

import ucxx.core
from ucxx import _core


async def sleep():
    ucxx.init()
    began = time.process_time()
    asyncio.get_running_loop().add_reader(ucxx._process.log.descriptor, lambda: None)
    await asyncio.sleep(0.5)
    return time.process_time() - began


_core._log(2, "nobody has delivered this yet")
child = os.fork()
if child == 0:
    used = asyncio.run(sleep())
    os._exit(7 if used < 0.2 else 1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
print("fine")
"""


def test_forked_child_does_not_wait_for_its_parents_lines(run_python):
    status, said = run_python(FORKED_WITH_A_LINE)
    assert (status, said) == (0, "fine\n")


def test_each_component_of_the_library_has_a_logger(root):
    """Else C++ does not hear of its level."""
    sources = "".join(path.read_text() for path in root.glob("src/**/*.cpp"))
    named = set(re.findall(r'log\(\s*LogLevel::\w+,\s*"(\w+)"', sources))
    assert named and named <= set(log._COMPONENTS), named - set(log._COMPONENTS)
