# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Real clusters learn: samples come, learning is switched on and off, workers come and go."""

import asyncio
import os
import shutil
import signal
import subprocess
import time

import pytest
import tasks
from distributed import Client, LocalCluster, Scheduler, Security, get_client, wait
from pins import QUIET

import ucxx
from ucxx.dask import LocalUCXCluster, bandwidths, learn_bandwidths
from ucxx.dask.learning.kinds import HOST, PICKLED
from ucxx.dask.learning.transfers import LARGE, NAME

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120), pytest.mark.filterwarnings("default")]

HERE = os.path.dirname(__file__)
SECONDS = 30
IN_THIS_PROCESS = {"processes": False, "n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}


@pytest.fixture(autouse=True, scope="module")
def quiet():
    """Leave nothing initialised at the end; until then a cluster of this module uses it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", f"{HERE}:{os.environ.get('PYTHONPATH', '')}")
        yield
    ucxx.reset()


@pytest.fixture(scope="module")
def cluster(quiet):
    """Return the cluster that tests share; each leaves it with two workers, and learning."""
    with LocalUCXCluster(n_workers=2, threads_per_worker=1, placement="core", **QUIET) as made:
        yield made


@pytest.fixture(scope="module")
def client(cluster):
    """Return a client of it."""
    with Client(cluster) as made:
        made.wait_for_workers(2, timeout=SECONDS)
        yield made


def until(condition):
    """Wait until a condition holds, with a deadline, and return what it says."""
    deadline = time.monotonic() + SECONDS
    while not (said := condition()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return said


def fetch(client, function, *arguments, times=1, holder=0, receiver=1):
    """Have one worker fetch what another one has."""
    made = [client.submit(function, *arguments, workers=[holder], pure=False) for _ in range(times)]
    wait(made, SECONDS)
    for one in made:
        client.submit(type, one, workers=[receiver], pure=False).result(SECONDS)


def samples(client, kind):
    """Return the transfers inside the machine that the scheduler knows of."""
    return {row["kind"]: row["samples"] for row in bandwidths(client).classes if row["class"] == "shared memory"}[kind]


def replaced(cluster):
    """Tell whether the scheduler, which is in this process, has another method than its own."""
    return "get_comm_cost" in vars(cluster.scheduler)


def telling(client):
    """Return which workers tell what they measure."""
    return list(client.run(lambda dask_worker: NAME in dask_worker.extensions).values())


def test_transfers_are_counted_by_kind_and_the_table_shows_prior_and_learnt(cluster, client):
    assert replaced(cluster)
    before = {kind: samples(client, kind) for kind in (HOST, PICKLED)}
    fetch(client, tasks.make, 10 * LARGE, times=3)
    fetch(client, bytes, 10, times=2)
    until(lambda: samples(client, HOST) >= before[HOST] + 3 and samples(client, PICKLED) >= before[PICKLED] + 2)
    table = bandwidths(cluster)
    for row in table.classes:
        assert (row["prior_gb_per_s"], row["prior_latency_us"]) == pytest.approx((10, 20))
        assert row["megabyte_us"] > 20
        assert row["gb_per_s"] != pytest.approx(10, rel=1e-6)
    assert {(row["holder"], row["receiver"]) for row in table.pairs} == {("0", "1")}
    assert "shared memory  host array  10 GB/s, 20 us" in str(table)
    assert "slowest pairs" in table._repr_html_()


def test_a_task_asks_too(client):
    def table_of_task():
        return str(bandwidths(get_client()))

    assert "shared memory" in client.submit(table_of_task).result(SECONDS)


def test_on_and_off_and_on(cluster, client):
    learn_bandwidths(client)  # it does so already
    assert samples(client, HOST) > 0
    learn_bandwidths(cluster, on=False)
    learn_bandwidths(cluster, on=False)
    assert not replaced(cluster)
    assert telling(client) == [False, False]
    with pytest.raises(ValueError, match=r"does not learn bandwidths: .*learn_bandwidths\(cluster\)"):
        bandwidths(client)
    fetch(client, tasks.make, LARGE)
    learn_bandwidths(cluster)
    assert replaced(cluster)
    assert telling(client) == [True, True]
    fetch(client, tasks.make, LARGE)
    until(lambda: samples(client, HOST))


def test_what_dask_has_to_remove_plugins_puts_back_and_it_can_go_on(cluster, client, caplog):
    client.unregister_scheduler_plugin(NAME)
    learn_bandwidths(cluster)  # before any heartbeat
    assert replaced(cluster)
    client.unregister_scheduler_plugin(NAME)
    until(lambda: not replaced(cluster))  # with the next heartbeat
    learn_bandwidths(client, on=False)
    assert telling(client) == [False, False]
    learn_bandwidths(client)
    fetch(client, tasks.make, LARGE)
    until(lambda: samples(client, HOST))
    assert not [record for record in caplog.records if record.name == "distributed.scheduler.ucxx"]


def test_workers_come_and_go(cluster, client, caplog):
    fetch(client, tasks.make, LARGE)
    until(lambda: bandwidths(client).pairs)
    cluster.scale(3)
    client.wait_for_workers(3, timeout=SECONDS)
    fetch(client, tasks.make, LARGE, receiver=2)
    until(lambda: any(pair["receiver"] == "2" for pair in bandwidths(client).pairs))
    cluster.scale(2)
    until(lambda: len(cluster.scheduler.workers) == 2)
    assert not any(pair["receiver"] == "2" for pair in bandwidths(client).pairs)
    plugin, pid = cluster.scheduler.plugins[NAME], cluster.workers[1].pid
    os.kill(pid, signal.SIGKILL)
    until(lambda: cluster.workers[1].pid not in (pid, None) and len(cluster.scheduler.workers) == 2)
    until(lambda: not any("1" in (pair["holder"], pair["receiver"]) for pair in bandwidths(client).pairs))
    fetch(client, tasks.make, LARGE)
    until(lambda: bandwidths(client).pairs)
    client.restart(timeout=SECONDS)
    assert bandwidths(client).pairs == []
    assert samples(client, HOST) > 0  # of the link it is known
    fetch(client, tasks.make, LARGE)
    until(lambda: bandwidths(client).pairs)
    assert cluster.scheduler.plugins[NAME] is plugin
    assert set(plugin.knowledge._places) == set(cluster.scheduler.workers)
    assert "transfers is not used" not in caplog.text


def test_a_worker_that_tells_nothing_and_one_that_tells_nonsense(cluster, client, caplog):
    class Liar:
        def heartbeat(self):
            return {"place": 5, "transfers": [["x", "y", -1, float("nan"), "z"]]}

    def lie(dask_worker):
        del dask_worker.extensions[NAME]
        if dask_worker.name == 1:
            dask_worker.extensions[NAME] = Liar()

    client.run(lie)
    until(lambda: "tells of its transfers is not used" in caplog.text)
    fetch(client, tasks.make, LARGE)
    assert client.gather(client.map(tasks.total, [tasks.make(100)] * 8, pure=False)) == [100] * 8
    assert sum("is not used" in record.message for record in caplog.records) == 1
    assert len(cluster.scheduler.workers) == 2


def test_a_cluster_that_is_told_not_to_learn():
    with LocalUCXCluster(n_workers=1, placement="core", learn_bandwidths=False, **QUIET) as cluster, Client(cluster) as client:
        assert not replaced(cluster)
        assert telling(client) == [False]
        with pytest.raises(ValueError, match="does not learn bandwidths"):
            bandwidths(cluster)


def run(program, **options):
    """Run `program(cluster, client)` with a cluster of two workers in this process, all in one loop."""

    async def main():
        async with LocalCluster(asynchronous=True, **IN_THIS_PROCESS, **options) as cluster:
            async with Client(cluster, asynchronous=True) as client:
                return await program(cluster, client)

    return asyncio.run(asyncio.wait_for(main(), SECONDS))


async def moved(client):
    """Have one worker fetch from another one."""
    first, second = await client.run(lambda: None)
    array = client.submit(tasks.make, 10 * LARGE, workers=[first], pure=False)
    assert await client.submit(tasks.total, array, workers=[second], pure=False) == 10 * LARGE


def test_asynchronous_clusters_and_clients():
    async def program(cluster, client):
        assert await learn_bandwidths(client) is None
        await moved(client)
        async with asyncio.timeout(SECONDS):
            while not (await bandwidths(cluster)).pairs:
                await asyncio.sleep(0.02)
        assert "shared memory" in str(await bandwidths(client))
        await learn_bandwidths(cluster, on=False)
        assert not replaced(cluster)
        with pytest.raises(ValueError, match="does not learn"):
            await bandwidths(client)

    run(program, protocol="ucx")


def assert_refused(target):
    """Check that nothing can be asked of a cluster or client that does not run."""
    for function in (learn_bandwidths, bandwidths):
        with pytest.raises(RuntimeError, match=r"(Cluster|Client).* has not started, or is closed"):
            function(target)


def test_a_cluster_and_a_client_that_do_not_run():
    async def main():
        cluster = LocalCluster(asynchronous=True, protocol="ucx", **IN_THIS_PROCESS)
        assert_refused(cluster)
        async with cluster:
            client = Client(cluster, asynchronous=True)
            assert_refused(client)
            async with client:
                assert await learn_bandwidths(client) is None
            assert_refused(client)
        assert_refused(cluster)

    asyncio.run(asyncio.wait_for(main(), SECONDS))


def other_arguments(self, ts, ws, more=None):
    """Stand in for the method of another version of Dask."""
    return 0.0


@pytest.fixture
def other_dask(monkeypatch):
    """Have schedulers with another method."""
    monkeypatch.setattr(Scheduler, "get_comm_cost", other_arguments)


def test_a_dask_that_is_another_one_is_left_alone_with_one_line(other_dask, caplog):
    async def program(cluster, client):
        await learn_bandwidths(cluster)
        await learn_bandwidths(client)
        await moved(client)
        assert not replaced(cluster)
        with pytest.raises(ValueError, match="has the arguments self, ts, ws, more"):
            await bandwidths(client)
        await learn_bandwidths(cluster, on=False)

    run(program, protocol="ucx")
    assert ["self, ts, ws, more" in record.message for record in caplog.records if "not learnt" in record.message] == [True]


def assert_left_alone(caplog, scheme, **options):
    """Check that a cluster of another scheme works as ever, and says why it does not learn."""

    async def program(cluster, client):
        assert cluster.scheduler_address.startswith(f"{scheme}://")
        await learn_bandwidths(cluster)
        await moved(client)
        assert not replaced(cluster)
        with pytest.raises(ValueError, match="only transfers over ucx:// are measured"):
            await bandwidths(client)

    run(program, protocol=scheme, **options)
    assert sum("not learnt" in record.message for record in caplog.records) == 1


def test_a_cluster_over_tcp(caplog):
    assert_left_alone(caplog, "tcp")


def test_a_cluster_over_tls_beside(caplog, certificate, cluster, client):
    assert_left_alone(caplog, "tls", security=certificate)
    fetch(client, tasks.make, LARGE)  # that over ucx:// goes on


@pytest.fixture
def certificate(tmp_path):
    """Return the security of a cluster whose certificate signs itself."""
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl")
    key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "1",
         "-keyout", key, "-out", cert], check=True, capture_output=True, timeout=SECONDS,
    )  # fmt: skip
    paths = {"key": str(key), "cert": str(cert)}
    files = {f"tls_{role}_{what}": path for role in ("scheduler", "worker", "client") for what, path in paths.items()}
    return Security(require_encryption=True, tls_ca_file=str(cert), **files)


@pytest.mark.parametrize("target", [None, "ucx://127.0.0.1:8786", 5, Client], ids=str)
def test_what_is_neither_cluster_nor_client(target):
    for function in (learn_bandwidths, bandwidths):
        with pytest.raises(TypeError, match="a cluster or a client is expected, not "):
            function(target)
