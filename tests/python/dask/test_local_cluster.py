# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A `LocalUCXCluster` of two workers by core: its plan is what its processes are, whatever happens to them."""

import asyncio
import os
import signal
import time

import dask
import pytest
import tasks
from distributed import Client, Event, Nanny, Scheduler, SpecCluster, Worker
from pins import CPUS, QUIET, affinities, assert_pinned

import ucxx
from ucxx.dask import LocalUCXCluster, Plan, worker_spec
from ucxx.topology.machine import format_cpus

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120), pytest.mark.filterwarnings("default")]

HERE = os.path.dirname(__file__)
SECONDS = 30
BY_CORE = {"placement": "core", "n_workers": 2, **QUIET}


@pytest.fixture(autouse=True, scope="module")
def quiet():
    """Leave nothing initialised at the end; until then a cluster of this module uses it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", f"{HERE}:{os.environ.get('PYTHONPATH', '')}")
        yield
    ucxx.reset()


@pytest.fixture(scope="module")
def module_cluster(quiet):
    """Return the cluster that tests share; each leaves two workers."""
    with LocalUCXCluster(**BY_CORE) as made:
        yield made


@pytest.fixture(scope="module")
def client(module_cluster):
    """Return a client of it."""
    with Client(module_cluster) as made:
        yield made


@pytest.fixture
def cluster(module_cluster, client):
    """Return it with both workers at work, and check afterwards that it still works."""
    client.wait_for_workers(2, timeout=SECONDS)
    yield module_cluster
    module_cluster.scale(2)
    until(lambda: count(client) == 2)
    assert client.gather(client.map(tasks.total, [tasks.make(100)] * 8, pure=False)) == [100] * 8
    assert_pinned(module_cluster)


def until(condition):
    """Wait until a condition holds, with a deadline."""
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def count(client):
    """Return how many workers the scheduler has."""
    return len(client.scheduler_info(n_workers=-1)["workers"])


def names(client):
    """Return the names of the workers that the scheduler has."""
    return {worker["name"] for worker in client.scheduler_info(n_workers=-1)["workers"].values()}


def test_each_thread_of_each_worker_is_where_the_plan_says(cluster, client):
    array = client.submit(tasks.make, 20_000_000, workers=[0])
    assert client.submit(tasks.total, array, workers=[1]).result(SECONDS) == 20_000_000
    for name, nanny in cluster.workers.items():
        assert len(os.listdir(f"/proc/{nanny.pid}/task")) > 2
        assert affinities(nanny.pid) == {frozenset({CPUS[name % len(CPUS)]})}
    assert affinities(os.getpid()) == {frozenset(CPUS)}  # nannies and scheduler


def test_a_worker_knows_nothing_of_it(cluster, client):
    wishes = client.run(lambda: [name for name in os.environ if name.startswith(("UCXX_", "CUDA_VISIBLE"))])
    assert list(wishes.values()) == [[], []]


def test_the_plan_is_a_set_and_a_table(cluster, client):
    assert isinstance(cluster.plan, Plan)
    assert cluster.plan == {0, 1} == names(client) and len(cluster.plan) == 2
    header, *rows = str(cluster.plan).splitlines()
    assert header.split()[:4] == ["worker", "cpus", "node", "threads"]
    cpus = [format_cpus(worker.place.cpus) for worker in cluster.plan.workers]
    assert [row.split()[:2] for row in rows] == [["0", cpus[0]], ["1", cpus[1]]]
    assert cluster.plan.prior(0, 1).why == "shared memory"
    assert "workers=2" in repr(cluster) and cluster._repr_html_()


def test_restart_keeps_the_pins(cluster, client):
    before = set(client.run(os.getpid).values())
    client.restart(timeout=SECONDS)
    assert not before & set(client.run(os.getpid).values())
    assert_pinned(cluster)


def test_a_worker_that_is_killed_comes_back_where_it_was(cluster, client):
    pid = cluster.workers[1].pid
    os.kill(pid, signal.SIGKILL)
    until(lambda: cluster.workers[1].pid not in (pid, None) and names(client) == {0, 1})
    assert client.submit(os.getpid, workers=[1], pure=False).result(SECONDS) != pid
    assert_pinned(cluster)


def test_workers_that_the_plan_has_no_place_for_share_one_and_this_is_said(cluster, client, caplog):
    cluster.scale(4)
    client.wait_for_workers(4, timeout=SECONDS)
    assert cluster.plan == {0, 1, 2, 3}
    assert cluster.plan[2].place.cpus == cluster.plan[0].place.cpus
    assert "shares cores with worker 0" in cluster.plan[2].why
    assert "Worker 2 shares CPUs with others: the plan was for 2 workers" in caplog.text
    assert_pinned(cluster)
    caplog.clear()
    cluster.scale(2)
    until(lambda: count(client) == 2)


def test_who_comes_back_gets_the_free_place(cluster, client):
    cluster.scale(1)
    until(lambda: count(client) == 1)
    assert_pinned(cluster)
    cluster.scale(2)
    client.wait_for_workers(2, timeout=SECONDS)
    assert cluster.plan == {0, 1} == names(client)
    assert_pinned(cluster)


def test_adaptive(cluster, client):
    adaptive = cluster.adapt(minimum=1, maximum=2, interval="50ms", wait_count=1)
    until(lambda: count(client) == 1)
    go = Event("go", client=client)
    futures = client.map(wait_for, ["go"] * 40, pure=False)
    until(lambda: count(client) == 2)
    assert cluster.plan == {0, 1}
    assert_pinned(cluster)
    adaptive.stop()
    go.set()
    assert sum(client.gather(futures)) == 40


def wait_for(name):
    """Wait for an event, and return 1."""
    Event(name).wait(SECONDS)
    return 1


def test_two_clusters_at_once(cluster, client):
    with LocalUCXCluster(**{**BY_CORE, "n_workers": 1, "cpu_affinity": [CPUS[-1:]]}) as second, Client(second) as other:
        assert second.scheduler_address != cluster.scheduler_address
        assert other.submit(tasks.total, tasks.make(1000)).result(SECONDS) == 1000
        assert affinities(second.workers[0].pid) == {frozenset(CPUS[-1:])}
        assert_pinned(cluster)
        assert count(client) == 2 and count(other) == 1


def test_asynchronous():
    async def main():
        options = [{"name": "a"}, {"name": "b"}]
        cluster = LocalUCXCluster(placement="core", worker_options=options, asynchronous=True, **QUIET)
        assert cluster.plan == {"a", "b"}  # before it starts
        async with cluster, Client(cluster, asynchronous=True) as client:
            assert cluster.plan == {"a", "b"}
            assert await client.submit(sum, [1, 2]) == 3
            assert_pinned(cluster)
            pids = set((await client.run(os.getpid)).values())
        assert not any(os.path.exists(f"/proc/{pid}") for pid in pids)

    asyncio.run(asyncio.wait_for(main(), SECONDS))


@pytest.mark.parametrize(("affinity", "expected"), [
    (None, [CPUS, CPUS]), ([CPUS, CPUS[:1]], [CPUS, CPUS[:1]]), (lambda number: [CPUS[-1], CPUS[0]][number:][:1], None),
], ids=["None", "list", "function"])  # fmt: skip
def test_cpus_that_the_user_gives(affinity, expected):
    expected = expected or [affinity(0), affinity(1)]
    with LocalUCXCluster(**BY_CORE, cpu_affinity=affinity) as cluster:
        found = [affinities(nanny.pid) for _, nanny in sorted(cluster.workers.items())]
        assert found == [{frozenset(cpus)} for cpus in expected]


class OwnWorker(Worker):
    """A worker of a class of its own."""


class OwnNanny(Nanny):
    """A nanny of a class of its own."""


@pytest.fixture(scope="module")
def special(quiet, tmp_path_factory):
    """Return a cluster whose workers differ, and its client."""
    preload = tmp_path_factory.mktemp("preload") / "of_the_user.py"
    preload.write_text("import builtins, os\nbuiltins.seen_by_preload = os.sched_getaffinity(0)\n")
    options = [
        {"name": "big", "nthreads": 2, "resources": {"GPU": 1}, "env": {"WHO": "big"}},
        {"name": "small", "cpu_affinity": None, "memory_limit": "1GiB"},
    ]
    with LocalUCXCluster(
        placement="core", worker_options=options, worker_class=OwnWorker, env={"WHO": "all", "MORE": "1"},
        preload=str(preload), pre_import=["colorsys", "this"], memory_limit="2GiB", **QUIET,
    ) as cluster, Client(cluster) as client:  # fmt: skip
        yield cluster, client


def each(client, function):
    """Return what a function of the worker returns, by the names of the workers."""
    return dict(client.run(lambda dask_worker: (dask_worker.name, function(dask_worker))).values())


def test_names_threads_and_resources_of_each(special):
    cluster, client = special
    assert cluster.plan == {"big", "small"} == names(client)
    assert each(client, lambda worker: worker.state.nthreads) == {"big": 2, "small": 1}
    assert each(client, lambda worker: dict(worker.state.total_resources)) == {"big": {"GPU": 1.0}, "small": {}}
    assert each(client, lambda worker: worker.memory_manager.memory_limit >> 30) == {"big": 2, "small": 1}
    assert client.submit(os.getpid, resources={"GPU": 1}).result(SECONDS) == cluster.workers["big"].pid


def test_a_class_of_worker(special):
    assert each(special[1], lambda worker: type(worker).__name__) == {"big": "OwnWorker", "small": "OwnWorker"}
    assert {type(nanny) for nanny in special[0].workers.values()} == {Nanny}


def test_environment_of_the_user_and_of_each(special):
    assert each(special[1], lambda worker: os.environ["WHO"] + os.environ["MORE"]) == {"big": "big1", "small": "all1"}


def test_a_preload_of_the_user_runs_too_and_finds_the_worker_pinned(special):
    cluster, client = special
    seen = each(client, lambda worker: __import__("builtins").seen_by_preload)
    assert seen == {"big": cluster.plan["big"].place.cpus, "small": frozenset(CPUS)}
    for name, nanny in cluster.workers.items():
        assert affinities(nanny.pid) == {frozenset(seen[name])}


def test_modules_are_imported_before_the_first_task(special):
    loaded = each(special[1], lambda worker: {"colorsys", "this"} <= set(__import__("sys").modules))
    assert loaded == {"big": True, "small": True}


@pytest.mark.parametrize("cls", [OwnNanny, "test_local_cluster.OwnNanny", "test_local_cluster.OwnWorker"], ids=str)
def test_classes_of_nannies_and_classes_by_name(cls):
    with LocalUCXCluster(**BY_CORE, worker_class=cls) as cluster, Client(cluster) as client:
        kinds = {type(nanny).__name__ for nanny in cluster.workers.values()} | set(
            client.run(lambda dask_worker: type(dask_worker).__name__).values()
        )
        assert kinds == ({"Nanny", "OwnWorker"} if "Worker" in str(cls) else {"OwnNanny", "Worker"})
        assert_pinned(cluster)


def causes(error):
    """Return the texts of an error and of what has led to it."""
    texts = []
    while error is not None:
        texts.append(str(error))
        error = error.__cause__
    return "\n".join(texts)


@pytest.mark.parametrize(("given", "error", "what"), [
    ({"pre_import": "json,no_such_module"}, RuntimeError, "No module named 'no_such_module'"),
    ({"nthread": 1}, TypeError, "LocalUCXCluster has no argument 'nthread'; did you mean threads_per_worker"),
    ({"interface": "no_such0"}, ValueError, "the interface 'no_such0' is not there; network cards have these: "),
    ({"processes": False}, ValueError, "LocalUCXCluster pins processes"),
    ({"worker_class": int}, TypeError, "must be a class of Worker or Nanny, or its name, not <class 'int'>"),
    ({"worker_class": 5}, TypeError, "must be a class of Worker or Nanny, or its name, not 5"),
    ({"worker_class": "no.Such"}, TypeError, "worker_class 'no.Such' cannot be imported: No module named 'no'"),
    ({"rmm_pool_size": "1GB"}, ValueError, "RMM, which is not installed"),
    ({"protocol": "gopher"}, RuntimeError, "gopher"),
])  # fmt: skip
def test_what_cannot_start_is_an_error_that_names_it(given, error, what):
    before = children()
    with pytest.raises(error) as caught:
        LocalUCXCluster(**{**BY_CORE, "silence_logs": 60, **given}).close()
    assert what in causes(caught.value)
    until(lambda: children() == before)


def children():
    """Return the numbers of child processes of this one, without the server that counts resources."""
    from multiprocessing import resource_tracker

    with open(f"/proc/self/task/{os.getpid()}/children") as file:
        return {int(number) for number in file.read().split()} - {resource_tracker._resource_tracker._pid}


def test_workers_for_a_spec_cluster():
    async def main():
        more = {"enable_tcp_over_ucx": True, "resources": {"x": 1}}
        workers = worker_spec(placement="core", n_workers=2, protocol="ucx", **more)
        scheduler = {"cls": Scheduler, "options": {"protocol": "ucx", "host": "127.0.0.1", "dashboard_address": ":0"}}
        async with SpecCluster(workers=workers, scheduler=scheduler, asynchronous=True) as cluster:
            async with Client(cluster, asynchronous=True) as client:
                assert await client.submit(sum, [1, 2], resources={"x": 1}) == 3
                tcp = await client.run(lambda: dask.config.get("ucxx.tcp"))
                assert list(tcp.values()) == [True, True]
                for name, nanny in cluster.workers.items():
                    assert affinities(nanny.pid) == {frozenset({CPUS[name % len(CPUS)]})}

    asyncio.run(asyncio.wait_for(main(), SECONDS))


def test_flags_are_in_the_configuration_of_the_cluster_alone():
    with dask.config.set({"ucxx.environment": {"max-rndv-rails": "1"}}):
        flags = {"enable_nvlink": False, "enable_infiniband": False}
        with LocalUCXCluster(**BY_CORE, **flags) as cluster, Client(cluster) as client:
            (section,) = {str(found) for found in client.run(lambda: dask.config.get("ucxx")).values()}
            assert section == str({"environment": {"max-rndv-rails": "1"}, "infiniband": False, "nvlink": False})
            assert dask.config.get("ucxx.nvlink", None) is None
            cluster.scale(3)
            client.wait_for_workers(3, timeout=SECONDS)
            assert {str(found) for found in client.run(lambda: dask.config.get("ucxx")).values()} == {section}


def test_clusters_that_start_at_once_do_not_mix_their_flags():
    async def started(**flags):
        async with LocalUCXCluster(asynchronous=True, placement="core", n_workers=1, **QUIET, **flags) as cluster:
            async with Client(cluster, asynchronous=True) as client:
                (found,) = (await client.run(lambda: dask.config.get("ucxx", {}))).values()
                return found.get("tcp")

    async def main():
        return await asyncio.gather(started(enable_tcp_over_ucx=True), started())

    before = dask.config.get("ucxx", None)
    assert asyncio.run(asyncio.wait_for(main(), SECONDS)) == [True, None]
    assert dask.config.get("ucxx", None) == before


def test_flags_that_come_too_late_for_this_process_are_told(cluster, caplog):
    with LocalUCXCluster(placement="core", n_workers=1, enable_tcp_over_ucx=True, **QUIET):
        assert "{'tcp': True}: not for this process, UCX has started in it" in caplog.text


def test_a_cluster_that_begins_without_workers():
    with LocalUCXCluster(placement="core", n_workers=0, **QUIET) as cluster, Client(cluster) as client:
        assert len(cluster.plan) == 0
        cluster.adapt(minimum=1, maximum=2)
        assert client.submit(sum, [1, 2]).result(SECONDS) == 3
        assert_pinned(cluster)


@pytest.mark.skipif(len(CPUS) < 2, reason="needs two CPUs")
def test_workers_that_come_later_get_free_cores(caplog):
    with LocalUCXCluster(placement="core", n_workers=1, **QUIET) as cluster, Client(cluster) as client:
        cluster.scale(2)
        client.wait_for_workers(2, timeout=SECONDS)
        first, second = (worker.place.cpus for worker in cluster.plan.workers)
        assert first.isdisjoint(second)
        assert "shares CPUs" not in caplog.text
        assert_pinned(cluster)
