# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Clusters of real processes: what Dask's users do, and what happens when something dies."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import time

import dask
import numpy as np
import pytest
import tasks
from comms import CHANNELS
from distributed import Client, LocalCluster, Nanny, Scheduler, SpecCluster, Worker, wait
from distributed.core import Status

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120), pytest.mark.filterwarnings("default")]

HERE = os.path.dirname(__file__)
SECONDS = 60


@pytest.fixture(autouse=True)
def importable(monkeypatch):
    """Let workers find the tasks, end soon, and UCX talk to the loopback only."""
    monkeypatch.setenv("PYTHONPATH", f"{HERE}:{os.environ.get('PYTHONPATH', '')}")
    options = {
        "distributed.worker.profile.enabled": False,
        "distributed.scheduler.active-memory-manager.start": False,  # it drops copies that tests look for
    }
    with dask.config.set(options):
        yield


@pytest.fixture(params=["local", "tcp"])
def cluster(request, monkeypatch):
    """Return a cluster of two processes."""
    with dask.config.set({"distributed-ucxx.environment": CHANNELS[request.param]}):
        with LocalCluster(protocol="ucx", n_workers=2, threads_per_worker=1, dashboard_address=None) as made:
            yield made


@pytest.fixture
def client(cluster):
    """Return a client of it."""
    with Client(cluster) as made:
        yield made


def workers_of(client):
    """Return the addresses of the workers."""
    return list(client.scheduler_info(n_workers=-1)["workers"])


def test_a_cluster_computes_by_the_transport_that_is_there(request, cluster, client):
    assert cluster.scheduler_address.startswith("ucx://127.0.0.1:")
    first, second = workers_of(client)
    assert first.startswith("ucx://")
    for nbytes in (0, 1000, 100_000, 5_000_000, 100_000_000):
        array = client.submit(tasks.make, nbytes, workers=[first], pure=False)
        assert client.submit(tasks.total, array, workers=[second]).result(SECONDS) == nbytes
    assert set(client.run(tasks.transports).values()) == {("local",) if "local" in request.node.name else ("tcp",)}


def test_arrays_frames_and_shuffles(client):
    da = pytest.importorskip("dask.array")
    dd = pytest.importorskip("dask.dataframe")
    pandas = pytest.importorskip("pandas")
    x = da.random.default_rng(1).random((3000, 3000), chunks=(500, 500))
    assert float((x + x.T).sum().compute()) == pytest.approx(2 * float(x.sum().compute()))
    with dask.config.set({"array.rechunk.method": "p2p"}):
        np.testing.assert_array_equal(x.rechunk((3000, 100)).compute(), x.compute())
    frame = dd.from_pandas(pandas.DataFrame({"k": np.arange(200_000) % 997, "v": np.arange(200_000)}), npartitions=8)
    other = dd.from_pandas(pandas.DataFrame({"k": np.arange(997), "w": np.arange(997.0)}), npartitions=4)
    with dask.config.set({"dataframe.shuffle.method": "p2p"}):
        merged = frame.merge(other, on="k").compute()
    assert len(merged) == 200_000
    assert (merged.k == merged.w).all()


def test_scatter_gather_and_broadcast(client):
    data = {f"k{i}": tasks.make(200_000, i) for i in range(20)}
    futures = client.scatter(data, broadcast=True)
    assert all(client.gather(futures)[key][0] == int(key[1:]) for key in data)
    client.replicate(list(futures.values()))
    assert all(len(holders) == 2 for holders in client.who_has().values())


def test_many_small_results(client):
    futures = client.map(lambda i: i, range(1000))
    assert client.gather(futures) == list(range(1000))


def test_a_worker_killed_in_the_middle_is_replaced(client, tmp_path):
    first, second = workers_of(client)
    data = client.map(tasks.make, [20_000_000] * 5, range(5), workers=[first], allow_other_workers=True, pure=False)
    wait(data, SECONDS)
    killer = client.submit(tasks.kill_once, str(tmp_path / "killed"), "back")
    sums = client.map(tasks.total, data, workers=[second], allow_other_workers=True)
    assert killer.result(SECONDS) == "back"
    assert client.gather(sums) == [20_000_000 * value for value in range(5)]


def test_a_process_killed_while_it_sends(client):
    first, second = workers_of(client)
    pid = client.run(os.getpid, workers=[first])[first]
    data = client.map(tasks.make, [50_000_000] * 6, range(6), workers=[first], allow_other_workers=True, pure=False)
    wait(data, SECONDS)
    sums = client.map(tasks.total, data, workers=[second], allow_other_workers=True)
    time.sleep(0.03)  # somewhere in the transfers; wherever it is, the results must be right
    os.kill(pid, signal.SIGKILL)
    assert client.gather(sums) == [50_000_000 * value for value in range(6)]


def test_a_stopped_worker_goes_on(client):
    first, second = workers_of(client)
    pid = client.run(os.getpid, workers=[first])[first]
    data = client.submit(tasks.make, 30_000_000, workers=[first])
    wait(data, SECONDS)
    os.kill(pid, signal.SIGSTOP)
    result = client.submit(tasks.total, data, workers=[second])
    time.sleep(2)
    assert not result.done()
    os.kill(pid, signal.SIGCONT)
    assert result.result(SECONDS) == 30_000_000


def test_tasks_that_hold_the_gil_or_fork_harm_nobody(client):
    first, second = workers_of(client)
    held = client.submit(tasks.hold_the_gil, 4, workers=[first])
    array = client.submit(tasks.make, 10_000_000, workers=[second])
    assert client.submit(tasks.total, array, workers=[first]).result(SECONDS) == 10_000_000
    assert held.result(SECONDS) == "done"
    assert client.submit(tasks.fork_a_child, workers=[first]).result(SECONDS) == 7
    assert client.submit(tasks.total, array, workers=[first], pure=False).result(SECONDS) == 10_000_000
    assert workers_of(client) == [first, second]


def test_restart(client):
    for _ in range(2):
        before = set(client.run(os.getpid).values())
        client.restart(timeout=SECONDS)
        assert not before & set(client.run(os.getpid).values())
        assert client.submit(tasks.total, client.submit(tasks.make, 1_000_000)).result(SECONDS) == 1_000_000


def test_workers_as_threads():
    with LocalCluster(protocol="ucx", n_workers=3, threads_per_worker=1, processes=False, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            first, second, third = workers_of(client)
            assert first.startswith("ucx://")
            array = client.submit(tasks.make, 3_000_000, workers=[first])
            assert client.submit(tasks.total, array, workers=[second]).result(SECONDS) == 3_000_000


def test_adaptive_and_scaling():
    with LocalCluster(protocol="ucx", n_workers=0, threads_per_worker=1, processes=False, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            for count in (3, 1, 2):
                cluster.scale(count)
                client.wait_for_workers(count, timeout=SECONDS)
                assert client.gather(client.map(tasks.total, [tasks.make(10_000)] * 20, pure=False)) == [10_000] * 20
            cluster.adapt(minimum=0, maximum=2, interval="100ms", wait_count=1)
            assert client.submit(tasks.total, tasks.make(99), pure=False).result(SECONDS) == 99


def test_both_schemes_at_once():
    async def main():
        both = {"protocol": ["tcp", "ucx"], "host": ["127.0.0.1"] * 2, "port": [0, 0]}
        async with Scheduler(**both, dashboard_address=":0") as scheduler:
            tcp, ucx = (listener.contact_address for listener in scheduler.listeners)
            async with Worker(tcp, protocol="tcp", nthreads=1) as one, Worker(ucx, protocol="ucx", nthreads=1) as two:
                for address in (tcp, ucx):
                    async with Client(address, asynchronous=True) as client:
                        array = client.submit(tasks.make, 1_000_000, workers=[one.address], pure=False)
                        assert await client.submit(tasks.total, array, workers=[two.address]) == 1_000_000

    asyncio.run(asyncio.wait_for(main(), SECONDS))


def test_spec_cluster_of_nannies():
    async def main():
        workers = {i: {"cls": Nanny, "options": {"nthreads": 1, "protocol": "ucxx"}} for i in range(2)}
        scheduler = {"cls": Scheduler, "options": {"protocol": "ucxx", "host": "127.0.0.1", "dashboard_address": ":0"}}
        async with SpecCluster(workers=workers, scheduler=scheduler, asynchronous=True) as cluster:
            assert cluster.scheduler_address.startswith("ucxx://")
            async with Client(cluster, asynchronous=True) as client:
                assert await client.submit(sum, [1, 2]) == 3
                assert all(worker.status is Status.running for worker in cluster.workers.values())

    asyncio.run(asyncio.wait_for(main(), SECONDS))


def test_subprocess_cluster():
    from distributed.deploy.subprocess import SubprocessCluster

    with SubprocessCluster(
        host="127.0.0.1", n_workers=1, threads_per_worker=1, scheduler_kwargs={"protocol": "ucx"},
        worker_kwargs={"protocol": "ucx"}, silence_logs=50,
    ) as cluster, Client(cluster) as client:  # fmt: skip
        assert cluster.scheduler_address.startswith("ucx://")
        assert client.submit(tasks.total, tasks.make(500_000)).result(SECONDS) == 500_000


@pytest.mark.parametrize("environment", [{}, {"UCXX_LOCAL": "off"}], ids=["local", "tcp"])
def test_commands(environment):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-B", "-m", "dask"]
    quiet = {"env": {**os.environ, **environment}, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    scheduler = subprocess.Popen(
        [*command, "scheduler", "--protocol", "ucx", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"],
        **quiet,
    )
    address = f"ucx://127.0.0.1:{port}"
    worker = subprocess.Popen(
        [*command, "worker", address, "--protocol", "ucx", "--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1",
         "--worker-port", f"{port % 20000 + 30000}:{port % 20000 + 30020}"], **quiet
    )  # fmt: skip
    try:
        with Client(address, timeout=SECONDS) as client:
            client.wait_for_workers(1, timeout=SECONDS)
            assert client.submit(tasks.total, tasks.make(2_000_000)).result(SECONDS) == 2_000_000
            (where,) = workers_of(client)
            assert re.fullmatch(r"ucx://127\.0\.0\.1:\d+", where)
    finally:
        said = ""
        for process in (worker, scheduler):
            process.send_signal(signal.SIGINT)
            said += process.communicate(timeout=SECONDS)[0]
    # Dask's own, over tcp:// as well: the worker was closed before the scheduler had answered its heartbeat.
    of_heartbeat = "Failed to communicate with scheduler during heartbeat"
    assert not re.search(rf" - (ERROR|CRITICAL) - (?!{of_heartbeat})", said), said


def test_ports_of_ucx_are_in_the_range_of_dask():
    """UCX listens where `--worker-port` and `--nanny-port` let Dask listen, in both processes."""
    base = 20_000 + os.getpid() % 10_000
    ranges = {"worker": range(base, base + 20), "nanny": range(base + 20, base + 30)}
    options = [f"--{name}-port={ports[0]}:{ports[-1]}" for name, ports in ranges.items()]
    with dask.config.set({"distributed-ucxx.environment": CHANNELS["tcp"]}):
        with LocalCluster(protocol="ucx", n_workers=0, dashboard_address=None) as cluster, Client(cluster) as client:
            command = [sys.executable, "-B", "-m", "dask", "worker", cluster.scheduler_address, "--protocol=ucx", *options]
            command += ["--nworkers=2", "--nthreads=1", "--host=127.0.0.1", "--no-dashboard"]
            process = subprocess.Popen(command, env={**os.environ, "UCXX_LOCAL": "off"}, stderr=subprocess.DEVNULL)
            try:
                client.wait_for_workers(2, timeout=SECONDS)
                for ports in client.run(tasks.listening_ports).values():
                    assert len(ports) == 2  # Dask's and UCX's
                    assert set(ports) <= set(ranges["worker"])
                ports = tasks.listening_ports(process.pid)
                assert len(ports) == 3  # two nannies', and UCX's
                assert set(ports) <= set(ranges["nanny"])
            finally:
                process.send_signal(signal.SIGINT)
                process.wait(SECONDS)


def test_a_nanny_that_would_fork_says_so():
    with dask.config.set({"distributed.worker.multiprocessing-method": "fork"}):
        with pytest.raises(RuntimeError) as caught:
            with LocalCluster(protocol="ucx", n_workers=1, dashboard_address=None):
                pass
    causes, error = [], caught.value
    while error is not None:
        causes.append(str(error))
        error = error.__cause__
    assert "forked process" in "".join(causes)
