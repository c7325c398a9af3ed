# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Clusters with a worker for each GPU, planned for a DGX-1; and what they say on a machine without a GPU."""

import asyncio
import contextlib
import os

import pytest
from distributed.core import Status

from ucxx import topology
from ucxx.dask import DGX, LocalCUDACluster, LocalUCXCluster
from ucxx.topology.machine import parse_cpus

PLAN = """\
worker  cpus         node  threads  GPU  card  net devices  interface  transports                  why
0       0-4,40-44    0     1        0    ib0   ib0          ib0        shared memory, NVLink, TCP  ib0 is nearest (PIX)
1       5-9,45-49    0     1        1    ib0   ib0          ib0        shared memory, NVLink, TCP  ib0 is nearest (PIX)
2       10-14,50-54  0     1        2    ib2   ib2          ib2        shared memory, NVLink, TCP  ib2 is nearest (PIX)
3       15-19,55-59  0     1        3    ib2   ib2          ib2        shared memory, NVLink, TCP  ib2 is nearest (PIX)
4       20-24,60-64  1     1        4    ib1   ib1          ib1        shared memory, NVLink, TCP  ib1 is nearest (PIX)
5       25-29,65-69  1     1        5    ib1   ib1          ib1        shared memory, NVLink, TCP  ib1 is nearest (PIX)
6       30-34,70-74  1     1        6    ib3   ib3          ib3        shared memory, NVLink, TCP  ib3 is nearest (PIX)
7       35-39,75-79  1     1        7    ib3   ib3          ib3        shared memory, NVLink, TCP  ib3 is nearest (PIX)"""


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    """Give back what a cluster with GPUs sets, and have no GPU chosen."""
    monkeypatch.setenv("RAPIDS_NO_INITIALIZE", "True")
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)


@pytest.fixture(scope="module")
def dgx1(root):
    """Return the description of a DGX-1."""
    return root / "tests/python/topology/machines/dgx1.txt"


@pytest.fixture
def planned(dgx1):
    """Return a function that plans a `LocalCUDACluster` for a DGX-1."""
    return lambda **given: LocalCUDACluster(topology=dgx1, dry_run=True, **given).plan


def column(plan, name):
    """Return a column of the plan."""
    return [row.get(name, "") for row in plan.rows()]


def test_the_plan_of_a_dgx1(planned):
    assert str(planned(ucx_net_devices="auto", interface="auto")) == PLAN


def test_one_line_is_enough(planned):
    plan = planned()
    assert column(plan, "cpus") == [line.split()[1] for line in PLAN.splitlines()[1:]]
    assert (column(plan, "net devices"), column(plan, "interface")) == ([""] * 8, [""] * 8)  # UCX decides


def test_faults_of_old_are_not_repeated(planned):
    plan = planned(ucx_net_devices="auto")
    machine = plan.machine
    for worker in plan.workers:
        assert machine.closeness(worker.place.gpu, worker.place.card) is topology.Closeness.PIX  # not ib(gpu // 2)
    cpus = [worker.place.cpus for worker in plan.workers]
    assert sum(map(len, cpus)) == len(frozenset().union(*cpus)) == 80  # each once, and core 79 too
    assert frozenset().union(*cpus[4:]) == parse_cpus("20-39,60-79")


@pytest.mark.parametrize(("given", "gpus"), [
    ([0, 1, 2, 3], "0123"), ("4,5", "45"), ("0,3,7", "037"), ([7, 0], "70"), ("2", "2"), (2, "2"), ([0, 0, 1], "001"),
    ((6,), "6"), (["5"], "5"), (" 1 , 2 ", "12"),
])  # fmt: skip
def test_gpus_that_are_chosen(planned, given, gpus):
    plan = planned(CUDA_VISIBLE_DEVICES=given)
    assert column(plan, "GPU") == list(gpus)
    for worker in plan.workers:  # its own first, then its peers
        assert worker.visible[0] == f"{worker.place.gpu.index}"
        assert sorted(worker.visible.split(",")) == sorted(set(gpus))


def test_workers_are_called_as_their_gpus_where_each_has_one(planned):
    assert list(planned(CUDA_VISIBLE_DEVICES="7,0,3")) == [7, 0, 3]
    assert list(planned(CUDA_VISIBLE_DEVICES=[7, 7, 3])) == [0, 1, 2]
    assert list(planned(CUDA_VISIBLE_DEVICES="4,5", worker_options=[{"name": "a"}, {}])) == ["a", 5]


def test_gpus_that_are_chosen_share_the_cores_near_them(planned):
    assert column(planned(CUDA_VISIBLE_DEVICES="4,5"), "cpus") == ["20-29,60-69", "30-39,70-79"]
    assert column(planned(CUDA_VISIBLE_DEVICES="0,7"), "cpus") == ["0-19,40-59", "20-39,60-79"]


def test_a_gpu_with_two_workers_is_said(planned):
    plan = planned(CUDA_VISIBLE_DEVICES=[0, 0])
    assert column(plan, "cpus") == ["0-9,40-49", "10-19,50-59"]
    assert plan[1].why == "ib0 is nearest (PIX); shares GPU0 with worker 0"
    assert column(planned(CUDA_VISIBLE_DEVICES="0,1", n_workers=3), "GPU") == ["0", "1", "0"]


@pytest.mark.parametrize(("given", "what"), [
    ("9", "CUDA_VISIBLE_DEVICES has '9', and there is no such GPU; there are: 0, 1, 2, 3, 4, 5, 6, 7"),
    ([0, 8], "CUDA_VISIBLE_DEVICES has '8'"), ("GPU-8d6b", "'GPU-8d6b', and there is no such GPU"),
    ("MIG-12", "'MIG-12', and there is no such GPU"), ("foo", "'foo', which is no GPU"),
    ("0,,1", "'', which is no GPU"), ("0.5", "'0.5', which is no GPU"),
    ("", "no GPU to place workers by"), ("-1", "no GPU to place workers by"), ([], "no GPU to place workers by"),
])  # fmt: skip
def test_gpus_that_are_not_there(planned, given, what):
    with pytest.raises(ValueError, match=what):
        planned(CUDA_VISIBLE_DEVICES=given)


def test_the_environment_chooses_no_gpu_of_a_description(planned, monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    assert len(planned()) == 8


@pytest.mark.parametrize(("devices", "expected"), [
    ("ib0", ["ib0"] * 4), ("auto", ["ib0", "ib0", "ib2", "ib2"]), (None, [""] * 4),
    (lambda gpu: f"ib{gpu // 2}", ["ib0", "ib0", "ib1", "ib1"]),
])  # fmt: skip
def test_network_devices(planned, devices, expected):
    assert column(planned(CUDA_VISIBLE_DEVICES=[0, 1, 2, 3], ucx_net_devices=devices), "net devices") == expected


def test_network_devices_that_are_not_there(planned):
    for wanted in ("mlx5_0:1", lambda gpu: f"ib{gpu}"):
        with pytest.raises(ValueError, match="no network device '.*'; there are: ib0, ib1, ib2, ib3"):
            planned(ucx_net_devices=wanted)


def test_dgx_of_old(dgx1):
    with DGX(
        interface="ib", dashboard_address=":8787", threads_per_worker=1, silence_logs=True,
        CUDA_VISIBLE_DEVICES=[0, 1, 2, 3], dry_run=True, topology=dgx1,
    ) as cluster:  # fmt: skip
        assert column(cluster.plan, "interface") == ["ib0", "ib0", "ib2", "ib2"]
        assert column(cluster.plan, "threads") == ["1"] * 4
    everything = DGX("ib", dry_run=True, topology=dgx1).plan
    assert column(everything, "interface") == [line.split()[6] for line in PLAN.splitlines()[1:]]
    assert column(DGX("ib3", dry_run=True, topology=dgx1).plan, "interface") == ["ib3"] * 8
    assert column(DGX(dry_run=True, topology=dgx1).plan, "interface") == [""] * 8
    with pytest.raises(ValueError, match=r"the interface 'eth\*' is not there; network cards have these: ib0, ib1, ib2, ib3"):
        DGX(interface="eth", dry_run=True, topology=dgx1)


def test_flags(planned):
    row = "\n5       20-39,60-79  1     1        5    ib1   shared memory, CUDA IPC, TCP  ib1 is nearest (PIX)"
    with pytest.raises(ValueError, match="no two GPUs of the plan have a link") as caught:
        planned(enable_nvlink=True, CUDA_VISIBLE_DEVICES="0,5")
    assert row in str(caught.value)
    linked = planned(enable_nvlink=True, CUDA_VISIBLE_DEVICES="0,4")
    assert column(linked, "transports") == ["shared memory, NVLink, TCP"] * 2
    assert column(planned(enable_infiniband=True, n_workers=1), "transports") == ["shared memory, InfiniBand, TCP"]
    with pytest.raises(TypeError, match="protocol must be 'ucx', not 'tcp'"):
        planned(protocol="tcp", enable_nvlink=True)


def test_what_dask_cuda_has_and_this_has_not(planned):
    assert planned(device_memory_limit=None, enable_cudf_spill=False, rmm_allocator_external_lib_list=[])
    for name, value in (("device_memory_limit", "10GB"), ("device_memory_limit", 0.8), ("enable_cudf_spill", True),
                        ("log_spilling", True), ("jit_unspill", True)):  # fmt: skip
        with pytest.raises(ValueError, match=f"LocalCUDACluster has no {name}: "):
            planned(**{name: value})


def test_arguments_by_place_as_dask_cuda_has_them(dgx1):
    plan = LocalCUDACluster("1,2", 4, 3, topology=dgx1, dry_run=True).plan
    assert (column(plan, "GPU"), column(plan, "threads")) == (["1", "2", "1", "2"], ["3"] * 4)


@pytest.mark.parametrize("cls", [LocalCUDACluster, DGX])
def test_without_a_gpu_it_names_what_there_is(cls):
    if topology.read().gpus:
        pytest.skip("this machine has GPUs")
    children = _children()
    with pytest.raises(ValueError, match="no GPU to place workers by.*LocalUCXCluster.*topology=FILE with dry_run"):
        cls()
    assert _children() == children  # nothing was started


@pytest.mark.parametrize("cls", [LocalCUDACluster, DGX, LocalUCXCluster])
def test_the_description_of_another_machine_starts_nothing(cls, dgx1):
    if topology.read().gpus:
        pytest.skip("this machine has GPUs")
    children = _children()
    with pytest.raises(ValueError, match=r"dgx1.txt\) has GPU0, .*no GPU: it describes another one; dry_run=True"):
        cls(topology=dgx1)
    assert _children() == children


def _children():
    with open(f"/proc/self/task/{os.getpid()}/children") as file:
        return file.read()


def test_a_dry_run_is_used_as_a_cluster(dgx1):
    def start(**given):
        return LocalCUDACluster(topology=dgx1, dry_run=True, **given)

    async def main():
        async with start(asynchronous=True) as cluster:
            assert len(cluster.plan) == 8
        cluster = await start(asynchronous=True)
        assert await cluster is cluster
        assert await cluster.close() is cluster

    children = _children()
    with start() as cluster:
        assert str(cluster.plan).splitlines()[0].startswith("worker  cpus")
        assert repr(cluster) == repr(cluster.plan)
        assert cluster.status is Status.closed
    cluster.close()
    cluster.close(timeout=1)
    with contextlib.closing(start()):
        pass
    asyncio.run(main())
    assert _children() == children


def test_what_goes_to_the_local_cluster_is_not_in_the_way(planned):
    assert planned(memory_limit="1GB", local_directory="/tmp", dashboard_address=None, host=None, name="x")
