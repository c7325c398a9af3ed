# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Connecting to what is slow or gone: limits, and what the errors say."""

import asyncio
import socket
import subprocess
import sys
import time

import pytest
from served import within

import ucxx
from ucxx import core


@pytest.fixture(autouse=True)
def fresh():
    """Leave nothing initialised."""
    yield
    ucxx.reset()


@pytest.fixture
def silent():
    """A port where the kernel takes callers, and nobody answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


@pytest.fixture
def closed():
    """A port where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    return port


def test_nobody_there(closed):
    async def main():
        with pytest.raises(ucxx.exceptions.UCXUnreachableError) as error:
            await within(ucxx.create_endpoint("127.0.0.1", closed))
        assert isinstance(error.value, ConnectionRefusedError)
        assert str(error.value).startswith("connect")
        assert f"127.0.0.1:{closed}" in str(error.value)
        assert "nobody listens there" in str(error.value)

    asyncio.run(main())


def test_nobody_there_without_asyncio(closed):
    worker = core.UCXWorker(core.UCXContext())
    endpoint = worker.create_endpoint("127.0.0.1", closed)
    with pytest.raises(ConnectionRefusedError, match=f"connect.*127.0.0.1:{closed}"):
        endpoint.flush().wait(20)
    with pytest.raises(ConnectionRefusedError, match=f"connect.*127.0.0.1:{closed}"):
        endpoint.raise_on_error()


def test_a_limit_longer_than_the_workers(silent):
    worker = core.UCXWorker(core.UCXContext(), connect_timeout=0.05)
    patient = worker.create_endpoint("127.0.0.1", silent, connect_timeout=60)
    hasty = worker.create_endpoint("127.0.0.1", silent)
    with pytest.raises(ucxx.exceptions.UCXTimedOutError, match=f"connect.*127.0.0.1:{silent}"):
        hasty.flush().wait(20)
    end = time.monotonic() + 0.2
    while time.monotonic() < end:
        worker.progress()
    assert patient.alive


def test_a_retry_has_its_own_time(silent):
    async def main():
        for seconds in (0.2, 0.3):
            begin = time.monotonic()
            with pytest.raises(ucxx.exceptions.UCXTimedOutError, match=str(silent)):
                await ucxx.create_endpoint("127.0.0.1", silent, connect_timeout=seconds)
            assert time.monotonic() - begin > seconds * 0.9

    asyncio.run(main())


def test_an_infinite_limit_can_be_cancelled(silent):
    async def main():
        with pytest.raises(TimeoutError):
            connecting = ucxx.create_endpoint("127.0.0.1", silent, connect_timeout=float("inf"))
            await asyncio.wait_for(connecting, 0.1)

    asyncio.run(main())


def test_seconds_that_are_none(silent):
    worker = core.UCXWorker(core.UCXContext())
    with pytest.raises(ValueError, match="connect_timeout"):
        worker.create_endpoint("127.0.0.1", silent, connect_timeout=-1)


def test_a_limit_for_a_worker_that_has_gone():
    worker = core.UCXWorker(core.UCXContext())
    address = worker.address
    del worker

    async def main():
        begin = time.monotonic()
        endpoint = await ucxx.create_endpoint_from_worker_address(address, connect_timeout=0.2)
        with pytest.raises(ucxx.exceptions.UCXError, match="connect"):
            await within(endpoint.flush())
        assert time.monotonic() - begin < 4  # without a limit of its own it has five seconds
        with pytest.raises(ValueError, match="connect_timeout must be a number of seconds"):
            await ucxx.create_endpoint_from_worker_address(address, connect_timeout=-1)

    asyncio.run(main())
    caller = core.UCXWorker(core.UCXContext())
    endpoint = caller.create_endpoint_from_worker_address(address, connect_timeout=0.2)
    with pytest.raises(ucxx.exceptions.UCXError, match="connect"):
        endpoint.flush().wait(4)


def test_only_locally_and_nobody_there(closed):
    worker = core.UCXWorker(core.UCXContext({"UCXX_LOCAL": "only"}))
    endpoint = worker.create_endpoint("127.0.0.1", closed)
    said = f"connect.*127.0.0.1:{closed}: UCXX_LOCAL=only, nobody on this machine listens there"
    with pytest.raises(ConnectionRefusedError, match=said):
        endpoint.flush().wait(20)


LISTEN = '''
import logging, os, resource, sys
logging.basicConfig()
from ucxx import core
options = {"UCXX_LOCAL": "off"} if sys.argv[1] == "tcp" else {}
worker = core.UCXWorker(core.UCXContext(options))
accepted = []
listener = core.UCXListener.create(worker, 0, accepted.append, deliver_endpoint=True)
if sys.argv[1] == "tcp":
    worker.handle  # UCX has its own by now
resource.setrlimit(resource.RLIMIT_NOFILE, (128, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
taken = []
try:
    while True:
        taken.append(os.open("/dev/null", os.O_RDONLY))
except OSError:
    print(listener.port, flush=True)
while True:
    worker.progress_worker_event(100)
'''


@pytest.mark.parametrize("channel", ["local", "tcp"])
def test_both_ends_are_told_of_a_listener_without_descriptors(channel):
    options = {"UCXX_LOCAL": "off"} if channel == "tcp" else {}
    listening = subprocess.Popen([sys.executable, "-B", "-c", LISTEN, channel], text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        port = int(listening.stdout.readline())
        worker = core.UCXWorker(core.UCXContext(options))
        endpoint = core.UCXEndpoint.create(worker, "127.0.0.1", port, connect_timeout=1)
        while endpoint.alive:
            worker.progress_worker_event(100)
        with pytest.raises(ucxx.exceptions.UCXNoResourceError, match="the peer has no file descriptors left"):
            endpoint.raise_on_error()
    finally:
        listening.kill()
        said = listening.communicate()[1]
    assert "no file descriptors are left to take a caller: the process may open 128 (ulimit -n)" in said
