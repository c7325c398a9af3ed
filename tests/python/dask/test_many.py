# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A hundred workers in 25 processes. A hundred processes: `python -m ucxx benchmark dask many --processes 100`."""

import os
import time

import dask
import dask.array as da
import many_tasks
import numpy as np
import pytest
import tasks
from distributed import Client, Event
from processes import HERE, assert_back_to, in_use

import ucxx
from ucxx.benchmarks.dask import many_cluster
from ucxx.benchmarks.dask.many_pairs import Pairs

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120), pytest.mark.filterwarnings("default")]

WORKERS, PROCESSES, FEW, AGAIN, SECONDS = 100, 25, 10, 40, 60
KILLED = 3  # processes, with 12 workers


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """Give a cluster without workers; its processes find the tasks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", f"{HERE}:{os.environ.get('PYTHONPATH', '')}")
        patch.setenv("DASK_TEMPORARY_DIRECTORY", str(tmp_path_factory.mktemp("workers")))
        with many_cluster.running("ucx", WORKERS, PROCESSES) as cluster:
            yield cluster


@pytest.fixture(scope="module", autouse=True)
def at_first(cluster):
    """Return what processes use before anybody has come, and with few workers that have talked to each other."""
    unused = {cluster.scheduler.pid: in_use(cluster.scheduler.pid)}
    with Client(cluster.address, timeout=SECONDS) as client:
        cluster.fill(client, FEW)
        Pairs(client).talk()
        few = {peer.pid: in_use(peer.pid) for peer in (cluster.scheduler, next(iter(cluster.processes)))}
    ucxx.reset()
    return unused, few


@pytest.fixture
def client(cluster):
    """Give a client."""
    with Client(cluster.address, timeout=SECONDS) as client:
        yield client


def assert_all_back_to(before):
    """Check that processes use as much as before, but for what Dask keeps of each worker, with tcp://, too."""
    for pid, use in before.items():
        assert_back_to(use, pid, mebibytes=64)


def test_everybody_talks_to_everybody(cluster, client):
    cluster.fill(client)
    assert Pairs(client).talk() == WORKERS * (WORKERS - 1)
    for peer in cluster.processes:
        assert in_use(peer.pid).shared > 2 * PROCESSES  # it has met each other one


def test_a_function_runs_at_each(cluster, client):
    cluster.fill(client)
    pids = client.run(os.getpid)
    assert len(pids) == WORKERS
    assert set(pids.values()) == {peer.pid for peer in cluster.processes}


def test_a_tenth_is_killed_in_the_middle_of_work(cluster, client):
    cluster.fill(client)
    arrays = client.map(tasks.make, [100_000] * WORKERS, range(WORKERS), pure=False)
    event = Event("killed")
    sums = client.map(many_tasks.total_after, [event.name] * WORKERS, arrays, arrays[1:] + arrays[:1], pure=False)
    deadline = time.monotonic() + SECONDS
    while not all(client.run(many_tasks.executing).values()):
        assert time.monotonic() < deadline
    # With tcp://, too, a worker that was told of a death just before it calls goes on calling as long as it may.
    client.run(many_tasks.set_patience, 2)
    cluster.kill(KILLED)
    event.set()
    assert client.gather(sums) == [100_000 * (i + (i + 1) % WORKERS) for i in range(WORKERS)]
    assert len(client.run(many_tasks.set_patience, 30)) == WORKERS - KILLED * WORKERS // PROCESSES


def test_a_shuffle_from_everybody_to_everybody(cluster, client):
    cluster.fill(client)
    array = np.arange(WORKERS**2, dtype="u8").reshape(WORKERS, WORKERS)
    with dask.config.set({"array.rechunk.method": "p2p"}):
        columns = da.from_array(array, chunks=(1, WORKERS)).rechunk((WORKERS, 1))
        assert any("p2p" in str(key) for key in columns.__dask_graph__())
        np.testing.assert_array_equal(client.compute(columns).result(SECONDS), array)


def test_down_and_up_again_and_nothing_is_left(cluster, at_first):
    unused, few = at_first
    with Client(cluster.address, timeout=SECONDS) as client:
        cluster.fill(client)
        cluster.retire(client, FEW)
        assert sorted(many_cluster.names(client).values()) == list(range(FEW))
        assert_all_back_to(few)
        cluster.fill(client, AGAIN)
        assert Pairs(client).talk() == AGAIN * (AGAIN - 1)
        cluster.retire(client, 0)
    ucxx.reset()  # this process goes, too
    assert not cluster.processes  # all have ended
    assert_all_back_to(unused)
    assert not [name for name in os.listdir("/dev/shm") if "ucx" in name]
