# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What Python sees of its workers: descriptions, dumps, counters, signals."""

import asyncio
import io
import json
import logging
import os
import signal
import subprocess
import sys

import handlers
import numpy as np
import pytest
from served import served, within

import ucxx
from ucxx import core

DEADLINE = 20


@pytest.fixture(autouse=True)
def fresh():
    """Leave nothing initialised."""
    yield
    ucxx.reset()


@pytest.fixture
def pair():
    """Return a worker and an endpoint to it."""
    worker = core.UCXWorker(core.UCXContext())
    return worker, core.UCXEndpoint.create_from_worker_address(worker, worker.address)


def test_descriptions_tell_what_is_pending(pair):
    worker, endpoint = pair
    request = endpoint.tag_recv(bytearray(5), tag=3)
    assert repr(request) == "<ucxx.Request: tag receive, 5 bytes, tag 0x3, pending>"
    for text in (worker.describe(), worker.dump(), ucxx.describe(), ucxx.dump()):
        assert "tag receive, 5 bytes, tag 0x3, waiting for" in text
    endpoint.tag_send(b"hello", tag=3)
    assert request.wait(DEADLINE) == 5
    assert repr(request) == "<ucxx.Request: tag receive, 5 bytes, tag 0x3, done>"
    assert worker.report()["peers"][0]["endpoints"][0]["pending"] == []


def test_dump_is_written_where_it_is_asked_for(pair, tmp_path):
    worker, endpoint = pair
    request = endpoint.tag_recv(bytearray(5), tag=3)
    written = io.StringIO()
    text = ucxx.dump(written)
    assert written.getvalue() == text
    assert f"process {os.getpid()}: " in text
    path = tmp_path / "dump"
    for _ in range(2):
        ucxx.dump(path)
    assert path.read_text().count("tag receive, 5 bytes, tag 0x3, waiting for") == 4
    with pytest.raises(FileNotFoundError):
        ucxx.dump(tmp_path / "nowhere" / "dump")
    request.cancel()
    del worker


def test_dump_as_json(pair):
    worker, endpoint = pair
    endpoint.tag_send(b"hello", tag=1)
    assert endpoint.tag_recv(bytearray(5), tag=1).wait(DEADLINE) == 5
    request = endpoint.tag_recv(bytearray(7), tag=2**63)
    dumped = json.loads(ucxx.dump(json=True))
    assert dumped["process"] == os.getpid()
    (own,) = [one for one in dumped["workers"] if one["worker"] in worker.describe()]
    assert own.keys() == {*worker.report(), "error"} and own["error"] == ""
    (peer,) = own["peers"]
    (pending,) = [one for end in peer["endpoints"] for one in end["pending"]]
    assert (pending["kind"], pending["length"], pending["tag"]) == ("tag receive", 7, 2**63)
    assert pending["state"] == "waiting" and 0 <= pending["since_s"] < DEADLINE
    assert [one["kind"] for one in own["recent"]] in (["tag receive"], [])
    request.cancel()


def test_what_is_armed_is_told_with_its_condition(pair):
    worker, endpoint = pair
    condition = ucxx.cuda.host()
    request = endpoint.tag_send(b"hello", tag=3, condition=condition)
    assert worker.stats()["armed_requests"] == 1
    (armed,) = worker.report()["peers"][0]["endpoints"][0]["pending"]
    assert (armed["kind"], armed["state"]) == ("tag send", "armed")
    assert armed["condition"] == "host condition, triggered 0 times, ended 0 times"
    assert f": {armed['condition']}" in worker.dump()
    request.cancel()


def test_plans_are_reported_and_counted(pair):
    worker, endpoint = pair
    assert worker.stats()["prepared_transfers"] == 0
    send = endpoint.prepare_send(b"12345678", tag=7, partitions=4)
    (end,) = worker.report()["peers"][0]["endpoints"]
    assert end["unmatched_prepared_sends"] == 1
    assert end["prepared"] == [{
        "kind": "prepared send", "length": 8, "partitions": 4, "tag": 7, "iteration": 0,
        "state": "not started", "has_peer": False, "ready": 0, "moved": 0,
    }]  # fmt: skip
    receive = endpoint.prepare_recv(bytearray(8), tag=7, partitions=4)
    assert worker.stats()["prepared_transfers"] == 2
    core.start_all([send, receive])
    send.ready(0, 3)
    worker.progress()
    workers = json.loads(ucxx.dump(json=True))["workers"]
    (own,) = [one for one in workers if one["worker"] in worker.describe()]
    plans = [plan for peer in own["peers"] for end in peer["endpoints"] for plan in end["prepared"]]
    assert [(plan["kind"], plan["iteration"], plan["state"]) for plan in plans] == [
        ("prepared send", 1, "in progress"), ("prepared receive", 1, "in progress")]  # fmt: skip
    assert all(plan["has_peer"] for plan in plans)
    assert plans[0]["ready"] == 3
    for request in (send.close(), receive.close()):
        request.wait(DEADLINE)
    assert worker.stats()["prepared_transfers"] == 0
    assert worker.report()["peers"][0]["endpoints"][0]["prepared"] == []


@pytest.mark.parametrize("options", [{}, {"UCXX_LOCAL": "off"}], ids=["local", "tcp"])
def test_stats_count_per_peer(options):
    async def main(port):
        ucxx.init(options)
        endpoint = await within(ucxx.create_endpoint("127.0.0.1", port))
        for _ in range(3):
            await within(endpoint.send(b"12345678"))
            await within(endpoint.recv(bytearray(8)))
        stats = ucxx.stats()
        await within(endpoint.close())
        return stats

    with served(handlers.echo_bytes, options) as server:
        stats = asyncio.run(main(server.port))
    counted = {"messages_sent": 3, "messages_received": 3, "bytes_sent": 24, "bytes_received": 24}
    assert counted.items() <= stats.items()
    (peer,) = stats["peers"]
    assert counted.items() <= peer.items()
    assert peer["channel"] == ("UCX" if options else "local")
    assert str(server.pid) in peer["address"] or options
    assert stats["pending_requests"] == 0


def test_pool_takes_received_buffers_back():
    async def main():
        listener = ucxx.create_listener(handlers.echo)
        endpoint = await within(ucxx.create_endpoint("127.0.0.1", listener.port))
        before = ucxx.stats()["pool"]
        for _ in range(4):
            await within(endpoint.send_obj(np.zeros(1 << 20, np.uint8)))
            received = await within(endpoint.recv_obj())
            assert core.pool_stats()["used_bytes"] >= before["used_bytes"] + (1 << 20)
            del received
        pool = ucxx.stats()["pool"]
        assert pool["taken"] - before["taken"] >= 4
        assert pool["reused"] > before["reused"]
        assert 0 < pool["idle_bytes"] <= pool["idle_limit_bytes"] <= pool["total_limit_bytes"]
        await within(endpoint.close())
        listener.close()

    asyncio.run(main())


def test_explain_and_transports(pair):
    _, endpoint = pair
    assert endpoint.transports == ["self"]
    assert endpoint.explain(8).startswith("channel: self\n")


@pytest.mark.parametrize("options", [{}, {"UCXX_LOCAL": "off"}], ids=["local", "tcp"])
def test_error_of_a_peer_that_was_killed_is_in_the_dump(options, caplog):
    caplog.set_level(logging.DEBUG, "ucxx")

    async def main(server):
        ucxx.init(options)
        endpoint = await within(ucxx.create_endpoint("127.0.0.1", server.port))
        receive = endpoint.recv(bytearray(8))
        server.kill()
        with pytest.raises(ucxx.UCXError):
            await within(receive)
        (ended,) = endpoint.worker.report()["ended"]
        assert ended["state"] == "failed"
        assert ended["error"] and ended["error"] in ucxx.dump(json=True)
        assert "failed: " in ucxx.dump()
        endpoint.abort()

    with served(handlers.silent, options) as server:
        asyncio.run(main(server))
    assert any("failed" in record.getMessage() for record in caplog.records)
    assert max(record.levelno for record in caplog.records) < logging.WARNING


WAITING = """
import asyncio
import ctypes
import os
import signal

import ucxx
from ucxx import core

{ask}
worker = core.UCXWorker(core.UCXContext())
endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
request = endpoint.tag_recv(bytearray(4), tag=3)


async def wait_in_loop():
    endpoint = await ucxx.create_endpoint_from_worker_address(ucxx.get_worker_address())
    print("ready", flush=True)
    await endpoint.recv(bytearray(1), 1, True)


def sleep_with_the_gil():
    while True:
        ctypes.PyDLL(None).sleep(60)


print("ready", flush=True)
{wait}
"""
WAITS = {
    "a wait in C++": "request.wait()",
    "a wait for a thread": "worker.start_progress_thread(); request.wait()",
    "a loop": "asyncio.run(wait_in_loop())",
    "a thread that moves the loop's": "ucxx.init(progress_mode='thread'); asyncio.run(wait_in_loop())",
    "a computation in Python": "while True: pass",
    "a call that has the GIL": "sleep_with_the_gil()",
}


@pytest.fixture
def start():
    """Return a function that starts a program, up to the line "ready", and end it afterwards."""
    running = []

    def start_it(code, **environment):
        process = subprocess.Popen([sys.executable, "-B", "-W", "error", "-c", code], text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env={**os.environ, **environment})
        running.append(process)
        assert process.stdout.readline() == "ready\n", process.stderr.read()
        return process

    yield start_it
    for process in running:
        process.kill()
        process.communicate()


def read_until(stream, word):
    """Read lines up to one that has a word; pytest's limit is the deadline."""
    lines = []
    while not lines or word not in lines[-1]:
        line = stream.readline()
        assert line, lines
        lines.append(line)
    return lines


@pytest.mark.parametrize("wait", WAITS)
def test_signal_dumps_what_is_pending_during(wait, start):
    if "tsan" in os.environ.get("LD_PRELOAD", "") and wait == "a computation in Python":
        pytest.skip("ThreadSanitizer keeps signals until the thread makes a system call")
    process = start(WAITING.format(ask="ucxx.dump_on_signal()", wait=WAITS[wait]))
    process.send_signal(signal.SIGUSR1)
    dumped = read_until(process.stderr, "ended, the newest last")
    assert dumped[0].startswith(f"process {process.pid}: ")
    assert any("tag receive, 4 bytes, tag 0x3, waiting for" in line for line in dumped)


def test_environment_asks_for_dumps_at_a_signal(start):
    wait = "sleep_with_the_gil()"
    process = start(WAITING.format(ask="", wait=wait), UCXX_DUMP_SIGNAL="USR2")
    process.send_signal(signal.SIGUSR2)
    read_until(process.stderr, "tag receive, 4 bytes, tag 0x3, waiting for")


def test_bad_signal_of_the_environment(run_python):
    status, said = run_python("import ucxx.core", UCXX_DUMP_SIGNAL="FOO")
    assert status == 1
    assert "ValueError: there is no signal 'FOO'; give a name, as USR1, or a number" in said


def test_without_asking_the_signal_is_the_programs(run_python):
    status, _ = run_python("import os, signal, ucxx.core; os.kill(os.getpid(), signal.SIGUSR1)")
    assert status == -signal.SIGUSR1


MANY = """
import os
import signal

import ucxx
from ucxx import core

ucxx.dump_on_signal(file={path!r})
worker = core.UCXWorker(core.UCXContext())
worker.start_progress_thread()
endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
for i in range(300):
    other = core.UCXWorker(core.UCXContext())  # made and dropped meanwhile
    receive = endpoint.tag_recv(bytearray(4), tag=3)
    os.kill(os.getpid(), signal.SIGUSR1)
    endpoint.tag_send(b"1234", tag=3)
    assert receive.wait(20) == 4
    os.kill(os.getpid(), signal.SIGUSR1)
os.kill(os.getpid(), signal.SIGUSR1)
print("the end")
"""


def test_signals_in_a_row(run_python, tmp_path):
    path = tmp_path / "dumps"
    for _ in range(3):
        assert run_python(MANY.format(path=str(path))) == (0, "the end\n")
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.read_text().count("process ") >= 3


FORKED = """
import os
import signal

import ucxx
from ucxx import core

ucxx.dump_on_signal(file={path!r})
worker = core.UCXWorker(core.UCXContext())
child = os.fork()
os.kill(os.getpid(), signal.SIGUSR1)
if child == 0:
    assert ucxx.dump() == f"process {{os.getpid()}}: 0 workers of ucxx\\n"
    os._exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
"""


def test_forked_child_leaves_the_parents_dumps_alone(run_python, tmp_path):
    path = tmp_path / "dumps"
    status, said = run_python(FORKED.format(path=str(path)))
    assert status == 0, said
    assert path.read_text().count("process ") <= 1


def test_signals_that_cannot_be_had(tmp_path):
    for bad in (0, 10_000, "NONSENSE", signal.SIGKILL, signal.SIGSEGV):
        with pytest.raises(ValueError, match=r"signal"):
            ucxx.dump_on_signal(bad)
    with pytest.raises(FileNotFoundError):
        ucxx.dump_on_signal(file=tmp_path / "nowhere" / "dump")
    before = signal.signal(signal.SIGUSR2, lambda *_: None)
    try:
        with pytest.raises(RuntimeError, match=r"has a handler already"):
            ucxx.dump_on_signal(signal.SIGUSR2)
    finally:
        signal.signal(signal.SIGUSR2, before)
