# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A scheduler that is started by its command learns by a preload; one that comes after it begins anew."""

import os
import signal
import socket
import time

import pytest
import tasks
from distributed import Client
from processes import commands

import ucxx
from ucxx.dask import bandwidths
from ucxx.dask.learning.transfers import LARGE
from ucxx.testing import DEADLINE

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120), pytest.mark.filterwarnings("default")]


@pytest.fixture(autouse=True)
def fresh():
    """Leave nothing initialised."""
    yield
    ucxx.reset()


def free_port():
    """Return the number of a port that is free."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def learnt(client):
    """Have one worker fetch from another one, and return the table when it has that."""
    client.wait_for_workers(2, timeout=DEADLINE)
    first, second = client.run(os.getpid)
    array = client.submit(tasks.make, 10 * LARGE, workers=[first], pure=False)
    assert client.submit(tasks.total, array, workers=[second], pure=False).result(DEADLINE) == 10 * LARGE
    deadline = time.monotonic() + DEADLINE
    while not (table := bandwidths(client)).pairs:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return table


PRELOADS = {
    "option": (["--preload=ucxx.dask.learning"], {}),
    "configuration": ([], {"DASK_DISTRIBUTED__SCHEDULER__PRELOAD": '["ucxx.dask.learning"]'}),
}


def test_a_scheduler_learns_by_a_preload_and_the_one_after_it_begins_anew():
    where = ["--protocol=ucx", "--host=127.0.0.1", f"--port={free_port()}"]
    with commands() as start:
        for words, environment in PRELOADS.values():
            scheduler = start("scheduler", *where, *words, **environment)
            address = scheduler.address()
            for _ in range(2):
                start("worker", address, "--protocol=ucx", "--nthreads=1", "--host=127.0.0.1", "--no-nanny")
            with Client(address, timeout=DEADLINE) as client:
                (row,) = (row for row in learnt(client).classes if row["samples"])
                assert (row["class"], row["samples"]) == ("shared memory", 1)
            os.kill(scheduler.pid, signal.SIGKILL)
            assert "not learnt" not in scheduler.end()
