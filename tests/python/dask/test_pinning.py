# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A worker's process is on its CPUs, and has its UCX, before UCX starts; where that is too late it is refused."""

import contextlib
import os
import subprocess
import sys

import pytest
import tasks
from distributed import Client
from pins import CPUS, QUIET, affinities, assert_pinned, slow

from ucxx.dask import CPUAffinity, LocalUCXCluster
from ucxx.dask.clusters import pinning
from ucxx.topology.machine import format_cpus

HERE = os.path.dirname(__file__)


def test_the_environment_of_a_worker():
    assert pinning.environment([3, 1, 2, 9], None, (0,)) == {"UCXX_CPU_AFFINITY": "1-3,9"}
    assert pinning.environment([], None, ()) == {}
    expected = {"UCXX_CPU_AFFINITY": "0", "UCXX_MEMORY_BINDING": "bind:0-1"}
    assert pinning.environment([0], "bind", (0, 1)) == expected


PROGRAM = """
import os, threading
from ucxx.dask.clusters import pinning
{first}
over = threading.Event()
thread = threading.Thread(target=over.wait)
thread.start()
try:
    pinning.apply()
except RuntimeError as error:
    print(error)
print(sorted(map(sorted, {{frozenset(os.sched_getaffinity(int(one))) for one in os.listdir("/proc/self/task")}})))
over.set()
thread.join()
print([name for name in os.environ if name in (pinning.AFFINITY, pinning.MEMORY)])
"""


def apply(run_python, first="", **environment):
    """Pin a process that has a second thread; return the lines that it prints: errors, CPUs, what is left to do."""
    status, said = run_python(PROGRAM.format(first=first), **environment)
    assert status == 0, said
    return said.splitlines()


def test_all_threads_are_pinned_and_children_do_not_do_it_again(run_python):
    assert apply(run_python, UCXX_CPU_AFFINITY=f"{CPUS[-1]}") == [f"[[{CPUS[-1]}]]", "[]"]


def test_without_a_wish_nothing_happens_even_if_ucx_has_started(run_python):
    assert apply(run_python, "import ucxx; ucxx.init()") == [f"[{CPUS}]", "[]"]


def test_asking_whether_ucx_has_started_loads_nothing(run_python):
    code = (
        "import sys\nfrom ucxx.dask.clusters.pinning import ucx_has_started\n"
        "print(ucx_has_started(), 'ucxx._core' in sys.modules)\n"
    )
    assert run_python(code) == (0, "False False\n")


@pytest.mark.parametrize("wishes", [
    {"UCXX_CPU_AFFINITY": f"{CPUS[0]}"}, {"UCXX_MEMORY_BINDING": "bind:0"},
    {"UCXX_CPU_AFFINITY": f"{CPUS[0]}", "UCXX_MEMORY_BINDING": "preferred:0"},
], ids=str)  # fmt: skip
def test_after_ucx_has_started_it_is_refused_by_name(run_python, wishes):
    first = "import logging, ucxx; logging.disable(); ucxx.init()"  # it would log that it does not know these wishes
    said, cpus, left = apply(run_python, first, **wishes)
    assert said.startswith(" and ".join(f"{name}={value}" for name, value in wishes.items()) + ": too late")
    assert (cpus, left) == (f"[{CPUS}]", "[]")


MANY_THREADS = """
import os, threading
from ucxx.dask.clusters import pinning
ends = threading.Event()
def start():
    while not ends.is_set():
        thread = threading.Thread(target=ends.wait, args=(0.002,))
        thread.start()
starters = [threading.Thread(target=start) for _ in range(2)]
for starter in starters:
    starter.start()
own = sorted(os.sched_getaffinity(0))[:1]
pinning.pin_threads([*own, 1023])  # the kernel cuts it
ends.set()
found = [os.sched_getaffinity(starter.native_id) == set(own) for starter in starters]
for starter in starters:
    starter.join()
print(all(found) and os.sched_getaffinity(0) == set(own))
"""


def test_threads_that_start_meanwhile_are_pinned(run_python):
    assert run_python(MANY_THREADS) == (0, "True\n")


def test_cpus_that_the_process_may_not_use(run_python):
    said, cpus, _ = apply(run_python, UCXX_CPU_AFFINITY="9000-9001")
    assert "UCXX_CPU_AFFINITY=9000-9001 cannot be set" in said
    assert f"this process may use {format_cpus(CPUS)}" in said
    assert cpus == f"[{CPUS}]"


@pytest.mark.parametrize(("wish", "what"), [
    ("bind:1000", "UCXX_MEMORY_BINDING=bind:1000 cannot be set: Invalid argument"),
    ("bind:5000", "UCXX_MEMORY_BINDING=bind:5000 cannot be set: there is no NUMA node 5000"),
    ("interleave:0", "UCXX_MEMORY_BINDING=interleave:0 cannot be set: it is bind:0,1 or preferred:0"),
])  # fmt: skip
def test_memory_that_is_not_there(run_python, wish, what):
    assert what in apply(run_python, UCXX_MEMORY_BINDING=wish)[0]


# In a process of its own: the main module that the workers import, too.
MAIN = """
import multiprocessing, os, sys
import dask
from distributed import Client, utils
from ucxx.dask import LocalUCXCluster
sys.path.insert(0, {here!r})
from test_pinning import assert_pinned
{first}
if __name__ == "__main__":
    dask.config.set({{"distributed.worker.multiprocessing-method": {method!r}}})
    {preload}
    with LocalUCXCluster(placement="core", n_workers=2, dashboard_address=None) as cluster, Client(cluster) as client:
        assert_pinned(cluster)
        print("parents", len(set(client.run(os.getppid).values()) - {{os.getpid()}}))
"""


def run_main(folder, method, first="", preload=""):
    """Run a program whose workers start by a method of multiprocessing: (status, what it said)."""
    path = folder / "program.py"
    path.write_text(MAIN.format(here=HERE, method=method, first=first, preload=preload))
    environment = {**os.environ, "PYTHONPATH": f"{folder}:{os.environ.get('PYTHONPATH', '')}"}
    done = subprocess.run(
        [sys.executable, "-B", path], text=True, check=False, timeout=50, env=environment, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )  # fmt: skip
    return done.returncode, done.stdout


@slow
def test_a_fork_server_is_there_before_the_environment(tmp_path):
    status, said = run_main(tmp_path, "forkserver")
    assert status == 0 and "parents 1" in said, said


@slow
def test_a_fork_server_in_which_ucx_has_started(tmp_path):
    """What it forks has a UCX of its own, which starts when the worker is pinned."""
    (tmp_path / "starts_ucx.py").write_text(
        f"import pathlib, ucxx\nucxx.init()\npathlib.Path({str(tmp_path / 'started')!r}).touch()\n"
    )
    preload = "utils.get_mp_context(); multiprocessing.get_context('forkserver').set_forkserver_preload(['starts_ucx'])"
    status, said = run_main(tmp_path, "forkserver", preload=preload)
    assert status == 0 and "parents 1" in said, said
    assert (tmp_path / "started").exists()


@slow
@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_a_main_module_that_starts_ucx_is_refused_by_name(tmp_path, method):
    status, said = run_main(tmp_path, method, first="import ucxx; ucxx.init()")
    assert status == 1
    assert "RuntimeError: UCXX_CPU_AFFINITY=" in said and "too late, UCX was started before" in said, said
    assert "The program's main module" in said and "cpu_affinity=None" in said


@contextlib.contextmanager
def _running(**given):
    with LocalUCXCluster(**{"placement": "core", "n_workers": 2, **QUIET, **given}) as cluster:
        with Client(cluster) as client:
            yield cluster, client


@pytest.fixture
def running(monkeypatch):
    """Return a context manager: a cluster of two workers by core, and its client; UCX is as the plan says."""
    monkeypatch.setenv("PYTHONPATH", f"{HERE}:{os.environ.get('PYTHONPATH', '')}")
    monkeypatch.setenv("UCXX_LOCAL", "off")
    monkeypatch.delenv("UCX_TLS")
    monkeypatch.delenv("UCX_NET_DEVICES")
    return _running


def policies(pid):
    """Return the policies of memory of a process; None where the kernel does not tell."""
    try:
        with open(f"/proc/{pid}/numa_maps") as file:
            return {line.split()[1] for line in file}
    except FileNotFoundError:  # a kernel without NUMA
        return None


def settings_of_ucx():
    """Return what UCX has been started with in this process."""
    import ucxx

    return {name: ucxx.get_config().get(name) for name in ("TLS", "NET_DEVICES", "SOCKADDR_TLS_PRIORITY")}


@slow
@pytest.mark.parametrize("binding", ["bind", "preferred"])
def test_memory_is_of_the_node(running, binding):
    with running(memory_binding=binding) as (cluster, client):
        assert_pinned(cluster)
        assert sum(client.gather(client.map(tasks.total, [tasks.make(1000)] * 4, pure=False))) == 4000
        for name, nanny in cluster.workers.items():
            nodes = cluster.plan[name].place.nodes
            expected = f"bind:{format_cpus(nodes)}" if binding == "bind" else f"prefer:{nodes[0]}"
            found = policies(nanny.pid)
            assert found is None or expected in found


@slow
def test_settings_of_ucx_are_those_of_the_plan(running):
    with running(enable_tcp_over_ucx=True, ucx_net_devices="lo", enable_rdmacm=False) as (cluster, client):
        expected = {"TLS": "tcp", "NET_DEVICES": "lo", "SOCKADDR_TLS_PRIORITY": "tcp"}
        assert list(client.run(settings_of_ucx).values()) == [expected] * 2
        assert {worker.net_devices for worker in cluster.plan.workers} == {"lo"}
        array = client.submit(tasks.make, 1_000_000, workers=[0])
        assert client.submit(tasks.total, array, workers=[1]).result(30) == 1_000_000
        assert set(client.run(tasks.transports).values()) == {("tcp",)}
        assert settings_of_ucx() == expected  # the scheduler's, which is in this process
        assert_pinned(cluster)


@slow
def test_what_one_worker_has_of_its_own(running):
    options = [
        {"ucx_net_devices": "lo", "cpu_affinity": f"{CPUS[-1]}"}, {"ucx_net_devices": "all", "cpu_affinity": None},
    ]  # fmt: skip
    with running(n_workers=None, worker_options=options, enable_nvlink=False) as (cluster, client):
        devices = client.run(lambda dask_worker: (dask_worker.name, settings_of_ucx()["NET_DEVICES"]))
        assert dict(devices.values()) == {0: "lo", 1: "all"}
        assert affinities(cluster.workers[0].pid) == {frozenset({CPUS[-1]})}
        assert affinities(cluster.workers[1].pid) == {frozenset(CPUS)}


@slow
def test_what_the_environment_says_goes_first(running, monkeypatch):
    monkeypatch.setenv("UCX_TLS", "tcp,self")
    monkeypatch.setenv("UCX_NET_DEVICES", "lo")
    with running(enable_tcp_over_ucx=True) as (_, client):
        for found in client.run(settings_of_ucx).values():
            assert (found["TLS"], found["NET_DEVICES"]) == ("tcp,self", "lo")


@slow
def test_tcp_of_dask_pins_as_well(running):
    with running(protocol="tcp", memory_binding="preferred") as (cluster, client):
        assert cluster.scheduler_address.startswith("tcp://")
        assert_pinned(cluster)
        loaded = client.run(lambda: "ucxx._core" in sys.modules)
        assert set(loaded.values()) == {False}


@slow
def test_cpu_affinity_as_a_plugin(running):
    with running(cpu_affinity=None) as (cluster, client):
        assert {frozenset(CPUS)} == affinities(cluster.workers[0].pid) == affinities(cluster.workers[1].pid)
        client.register_plugin(CPUAffinity([CPUS[0]]))
        assert {frozenset({CPUS[0]})} == affinities(cluster.workers[0].pid) == affinities(cluster.workers[1].pid)
        client.register_plugin(CPUAffinity([9000]), name="not there")  # is logged, and harms nobody
        assert client.submit(tasks.total, tasks.make(10)).result(30) == 10
        logs = str(cluster.get_logs(cluster=False, scheduler=False))
        assert "CPUAffinity: the CPUs [9000] cannot be set" in logs
