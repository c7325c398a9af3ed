# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What is done many times leaves nothing behind: descriptors, threads, memory, shared memory."""

import asyncio
import os

import comms
import dask
import pytest
import tasks
from distributed import Client, LocalCluster
from distributed.core import rpc
from processes import HERE, assert_back_to, commands, in_use

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120), pytest.mark.filterwarnings("default")]

SECONDS = 60
RESTARTS, SCALINGS, CALLS = 3, 25, 1000  # 50 and 150 of the first two were run by hand


@pytest.fixture(autouse=True)
def importable(monkeypatch):
    """Let workers find the tasks. LocalCluster ends a worker that restarts 15 s after it has restarted before."""
    monkeypatch.setenv("PYTHONPATH", f"{HERE}:{os.environ.get('PYTHONPATH', '')}")
    with dask.config.set({"distributed.deploy.lost-worker-timeout": "1h"}):
        yield


@pytest.fixture(params=["local", "tcp"])
def environment(request):
    """Set a channel for this process, and return it for others."""
    with dask.config.set({"distributed-ucxx.environment": comms.CHANNELS[request.param]}):
        yield comms.CHANNELS[request.param]


def compute(client):
    """Send arrays between the workers, and check what comes out."""
    arrays = client.map(tasks.make, [300_000] * 4, range(4), pure=False)
    assert client.gather(client.map(tasks.total, arrays), errors="raise") == [300_000 * i for i in range(4)]
    assert client.submit(sum, client.map(tasks.total, arrays)).result(SECONDS) == 1_800_000


def test_restarts_leave_nothing(environment):
    with LocalCluster(protocol="ucx", n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            for number in range(RESTARTS + 2):
                client.restart(timeout=SECONDS)
                compute(client)
                if number == 1:
                    before = in_use()
            assert_back_to(before)


def test_adaptive_scaling_leaves_nothing():
    with LocalCluster(protocol="ucx", n_workers=0, threads_per_worker=1, processes=False, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            cluster.adapt(minimum=0, maximum=2, interval="20ms", wait_count=1)

            async def until_none():
                await comms.until(lambda: not cluster.scheduler.workers, SECONDS)

            for number in range(SCALINGS + 3):
                compute(client)
                client.sync(until_none)
                if number == 2:
                    before = in_use()
            assert_back_to(before, mebibytes=32)  # Dask keeps 0.2 MiB of each time, with tcp://, too


def test_calls_of_rpc_leave_nothing(environment):
    with commands() as start:
        scheduler = start("scheduler", "--protocol=ucx", "--host=127.0.0.1", "--port=0", **environment)
        where = scheduler.address()
        worker = start("worker", where, "--no-nanny", "--host=127.0.0.1", **environment)
        with Client(where, timeout=SECONDS) as client:
            client.wait_for_workers(1, timeout=SECONDS)
            (address,) = client.nthreads()

            async def call(address):
                async with rpc(address) as remote:
                    return (await remote.identity())["id"]

            async def calls(count):
                for _ in range(count // 100):
                    assert len(set(await asyncio.gather(*(call(address) for _ in range(100))))) == 1
                    assert len(set(await asyncio.gather(*(call(where) for _ in range(100))))) == 1

            client.sync(calls, 200)
            before = [in_use(pid) for pid in (None, scheduler.pid, worker.pid)]
            client.sync(calls, CALLS)
            for use, pid in zip(before, (None, scheduler.pid, worker.pid), strict=True):
                assert_back_to(use, pid)
            compute(client)
