# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Traces of transfers."""

import asyncio
import json
import threading

import handlers
import pytest
from served import within

import ucxx
from ucxx import core


@pytest.fixture(autouse=True)
def fresh():
    """Leave nothing initialised."""
    yield
    ucxx.reset()


def read(path):
    """Return the bars of a trace, each with the name of its track, and the file's other data."""
    written = json.loads(path.read_text())
    names = {event["tid"]: event["args"]["name"] for event in written["traceEvents"]
             if event["name"] == "thread_name"}
    bars = [{**event, "track": names[event["tid"]]} for event in written["traceEvents"]
            if event["ph"] != "M"]
    return bars, written["otherData"]


def test_tracks_are_tasks(tmp_path):
    path = tmp_path / "trace.json"

    async def talk(endpoint):
        for _ in range(3):
            await within(endpoint.send(b"12345678"))
            await within(endpoint.recv(bytearray(8)))

    async def main():
        listener = ucxx.create_listener(handlers.echo_bytes)
        ends = [await within(ucxx.create_endpoint("127.0.0.1", listener.port)) for _ in range(2)]
        with ucxx.trace(path):
            await asyncio.gather(*(asyncio.create_task(talk(end), name=f"talk {i}")
                                   for i, end in enumerate(ends)))
        for end in ends:
            await within(end.close())
        listener.close()

    asyncio.run(main())
    bars, other = read(path)
    assert other == {"lost": 0}
    for track in ("talk 0", "talk 1"):
        mine = [bar for bar in bars if bar["track"] == track]
        assert [bar["name"] for bar in mine] == ["tag send", "tag receive"] * 3
        assert all(bar["args"]["bytes"] == 8 for bar in mine)
        assert all(bar["args"]["status"] == "success" for bar in mine)
        assert all(bar["ph"] == "X" and bar["dur"] >= 0 for bar in mine)


def test_bars_of_a_track_do_not_overlap(tmp_path):
    path = tmp_path / "trace.json"
    worker = core.UCXWorker(core.UCXContext())
    endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
    with ucxx.trace(path):
        receives = [endpoint.tag_recv(bytearray(4), tag=tag) for tag in range(5)]
        for tag in (3, 1, 4, 0, 2):
            endpoint.tag_send(b"1234", tag=tag)
        core.wait_requests(worker, receives, timeout=20)
        never = endpoint.tag_recv(bytearray(4), tag=99)
        endpoint.tag_recv(bytearray(2**20), tag=98)  # dropped
    never.cancel()
    bars, _ = read(path)
    assert {bar["track"] for bar in bars} == {threading.current_thread().name}
    assert sum(bar["name"] == "tag receive" for bar in bars) == 7
    assert [bar["args"]["transfer"] for bar in bars if bar["ph"] == "B"] == [
        "tag receive, 4 bytes, tag 0x63", "tag receive, 1048576 bytes, tag 0x62"]
    ends = {}
    for bar in bars:
        assert bar["ts"] >= ends.get(bar["tid"], 0)
        ends[bar["tid"]] = bar["ts"] + bar.get("dur", float("inf"))


def test_failure_is_named(tmp_path):
    path = tmp_path / "trace.json"
    worker = core.UCXWorker(core.UCXContext())
    endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
    with ucxx.trace(path):
        endpoint.tag_send(b"too long", tag=1)
        with pytest.raises(ucxx.UCXMessageTruncatedError):
            endpoint.tag_recv(bytearray(2), tag=1).wait(20)
    bars, _ = read(path)
    assert [bar["args"]["status"] for bar in bars] == ["success", "Message truncated"]


def test_one_trace_at_a_time_and_errors_come_early(tmp_path):
    with pytest.raises(FileNotFoundError), ucxx.trace(tmp_path / "nowhere" / "trace.json"):
        pass
    with ucxx.trace(tmp_path / "a"):
        with pytest.raises(RuntimeError, match="one at a time"), ucxx.trace(tmp_path / "b"):
            pass
    with ucxx.trace(tmp_path / "b"):
        pass
    assert read(tmp_path / "a") == read(tmp_path / "b") == ([], {"lost": 0})
    with ucxx.trace(tmp_path / "a"), pytest.raises(ZeroDivisionError):
        raise ZeroDivisionError


def test_failure_of_the_program_still_writes_it(tmp_path):
    with pytest.raises(ZeroDivisionError), ucxx.trace(tmp_path / "trace"):
        raise ZeroDivisionError
    assert read(tmp_path / "trace") == ([], {"lost": 0})


FORKED = """
import os
import sys

import ucxx
from ucxx import core

worker = core.UCXWorker(core.UCXContext())
endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
with ucxx.trace({path!r}):
    endpoint.tag_send(b"1", tag=1)
    child = os.fork()
if child == 0:
    sys.exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
"""


def test_forked_child_leaves_the_file_alone(run_python, tmp_path):
    path = tmp_path / "trace"
    assert run_python(FORKED.format(path=str(path))) == (0, "")
    bars, _ = read(path)
    assert len(bars) == 1


INTERRUPTED = """
import itertools
import os
import signal
import threading

import ucxx
from ucxx import core

signal.signal(signal.SIGINT, signal.default_int_handler)
worker = core.UCXWorker(core.UCXContext())
endpoint = core.UCXEndpoint.create_from_worker_address(worker, worker.address)
for _ in range(20):
    try:
        threading.Timer(0.01, os.kill, (os.getpid(), signal.SIGINT)).start()
        with ucxx.trace({path!r}):
            while True:
                receive = endpoint.tag_recv(bytearray(1), tag=1)
                endpoint.tag_send(b"1", tag=1)
                receive.wait()
    except KeyboardInterrupt:
        pass
print("the end")
"""


def test_interrupt_is_not_lost(run_python, tmp_path):
    status, said = run_python(INTERRUPTED.format(path=str(tmp_path / "trace")))
    assert status == 0, said
    assert said == "the end\n"


def test_file_of_a_trace_that_cannot_begin_is_left_alone(tmp_path):
    path = tmp_path / "kept"
    path.write_text("kept")
    with ucxx.trace(tmp_path / "first"), pytest.raises(RuntimeError), ucxx.trace(path):
        pass
    assert path.read_text() == "kept"
