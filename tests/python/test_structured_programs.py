# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Small programs in the manner of trio's and anyio's documents, started as their users would."""

import os
import pathlib
import signal
import subprocess
import sys
import threading

import pytest

FOLDER = pathlib.Path(__file__).resolve().parent / "structured_programs"
SECONDS = 30

ALONE = {
    "timeouts": "answer after several attempts\nnobody sends that\n",
    "race": "won by the good one: True\n",
    "channel": "4950\n",
    "limit": "at most 3\n",
    "threads": "50 %\n100 %\n4999950000\n",
    "failures": "one client: ZeroDivisionError\nNone 14\nthe server has ended\n",
    "heartbeat": "gone\ngiven up\nhung up\n",
    "proxy": "proxied\n",
}


@pytest.fixture(params=["trio", "anyio-asyncio", "anyio-trio"])
def start(request):
    """Return a function that starts a program: `start(name, *arguments)`."""
    library, _, backend = request.param.partition("-")
    running = []

    def run(name, *arguments):
        process = subprocess.Popen(
            [sys.executable, "-B", "-W", "error", FOLDER / library / f"{name}.py", *arguments],
            env={**os.environ, "BACKEND": backend}, text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        alarm = threading.Timer(SECONDS, process.kill)  # also who waits for a line of it goes on
        alarm.start()
        running.append((process, alarm))
        return process

    yield run
    for process, alarm in running:
        alarm.cancel()
        process.kill()
        process.communicate()


def output_of(process):
    """Return what a program has printed; it must end well."""
    said, _ = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, said
    return said


@pytest.mark.parametrize("name", ALONE)
def test_program(start, name):
    said = output_of(start(name))
    if name == "heartbeat":  # the two ends print at the same time
        assert sorted(said.splitlines()) == sorted(ALONE[name].splitlines())
    else:
        assert said == ALONE[name]


def test_echo(start):
    server = start("echo")
    port = server.stdout.readline().strip()
    clients = [start("echo", port) for _ in range(2)]
    for client in clients:
        said = output_of(client)
        assert said.count("receiver: got data b'async can") == 5 and said.endswith("done\n")
    said = output_of(server)  # it closes its standard input
    assert said.count("received data") == 10 and said.count("connection closed") == 2


def test_signals(start):
    server = start("signals")
    port = server.stdout.readline().strip()
    client = start("signals", port)
    assert client.stdout.readline() == "connected\n"
    server.send_signal(signal.SIGTERM)
    assert output_of(client) == "goodbye\n"
    assert output_of(server) == "ended\n"


def test_each_program_is_run():
    names = {path.stem for path in FOLDER.glob("*/*.py")}
    assert names == {*ALONE, "echo", "signals"}
    assert len(list(FOLDER.glob("*/*.py"))) == 2 * len(names)
