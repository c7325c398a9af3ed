# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The plan of a cluster on this machine: what its environment, its CPUs and Dask's configuration say of it."""

import dataclasses
import logging
import os

import dask
import pytest
from plans import DOWN, LINKED, PLAIN, RDMA, SERVER, column, planned

import ucxx
from ucxx import topology
from ucxx.dask import LocalCUDACluster, LocalUCXCluster, config, devices, worker_spec
from ucxx.dask.clusters import network
from ucxx.dask.clusters.configuration import configuration
from ucxx.dask.clusters.planning import plan
from ucxx.dask.clusters.settings import Settings
from ucxx.topology.machine import Card, Core, Node


@pytest.fixture
def here(monkeypatch):
    """Return a function that has a description taken for this machine; its CPUs are those of this process."""

    def take(machine):
        cpus = sorted(os.sched_getaffinity(0))
        cores = tuple(Core(frozenset({cpu}), 0, 0) for cpu in cpus)
        gpus = tuple(dataclasses.replace(gpu, cpus=frozenset(cpus)) for gpu in machine.gpus)
        made = dataclasses.replace(machine, cores=cores, gpus=gpus)
        monkeypatch.setattr(topology, "read", lambda source=None: made if source is None else source)
        monkeypatch.setattr(devices, "has_driver", lambda: True)
        monkeypatch.setattr(devices, "has_cuda", lambda: True)  # it keeps its answer
        return made

    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    return take


@pytest.fixture
def started(here, monkeypatch):
    """Return a function that starts UCXX on a described machine, by `net-devices: auto`, and returns the devices."""
    monkeypatch.delenv("UCX_TLS")
    monkeypatch.delenv("UCX_NET_DEVICES")

    def start(machine):
        here(machine)
        config.start()
        return ucxx.get_config().get("NET_DEVICES")

    with dask.config.set({"ucxx.net-devices": "auto"}):
        yield start


def test_a_description_of_another_machine_is_refused_where_workers_would_start(root):
    if topology.read().gpus:
        pytest.skip("this machine has GPUs")
    for cls in (LocalUCXCluster, LocalCUDACluster):
        with pytest.raises(ValueError, match="has GPU0, and this machine has no GPU: it describes another one; dry_run=True plans for it"):
            cls(topology=root / "tests/python/topology/machines/dgx1.txt")


def test_a_description_without_gpus_is_cut_by_what_this_process_may_use():
    here = frozenset(os.sched_getaffinity(0))

    def of(cpus):
        cores = tuple(Core(frozenset({cpu}), 0, 0) for cpu in cpus)
        machine = dataclasses.replace(PLAIN, cores=cores, nodes=(Node(0, 0),))
        return plan(Settings(topology=machine, placement="numa")).workers[0].place.cpus

    assert of(sorted(here)) == here
    with pytest.raises(ValueError, match="has the CPUs 9000-9002, which this machine has not: it describes another one"):
        of(range(9000, 9003))


def test_cuda_visible_devices_of_the_environment_is_of_this_machine(here, monkeypatch):
    here(SERVER)
    assert column(plan(Settings()), "GPU") == ["0", "1"]
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    assert column(plan(Settings()), "GPU") == ["1"]
    assert column(plan(Settings(CUDA_VISIBLE_DEVICES="0")), "GPU") == ["0"]
    assert column(planned(SERVER), "GPU") == ["0", "1"]  # a description is of another one
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    assert "GPU" not in plan(Settings()).rows()[0]
    with pytest.raises(ValueError, match="no GPU to place workers by"):
        plan(Settings(placement="gpu"))


def test_gpus_without_a_driver_have_no_workers(here, monkeypatch):
    here(SERVER)
    monkeypatch.setattr(devices, "has_driver", lambda: False)
    assert "GPU" not in plan(Settings()).rows()[0]
    with pytest.raises(ValueError, match=r"no GPU to place workers by \(CUDA's driver is not there\)"):
        plan(Settings(placement="gpu"))
    assert column(planned(SERVER), "GPU") == ["0", "1"]  # a description alone needs none


def test_a_quota_of_time_below_the_cpus_leaves_workers_where_they_like(here, monkeypatch):
    cpus = here(PLAIN).cpus
    monkeypatch.setattr(dask.system, "CPU_COUNT", len(cpus) - 1)
    for worker in plan(Settings(placement="core", n_workers=2)).workers:
        assert not worker.place.is_pinned
        assert "not pinned: a cgroup gives less time than CPUs" in worker.why
    given = plan(Settings(placement="core", n_workers=2, cpu_affinity=[cpus, cpus]))
    assert all(worker.place.is_pinned and "cgroup" not in worker.why for worker in given.workers)
    one = plan(Settings(placement="core", worker_options=[{"cpu_affinity": cpus}, {}]))
    assert [worker.place.is_pinned for worker in one.workers] == [True, False]
    assert ["cgroup" in worker.why for worker in one.workers] == [False, True]


def test_workers_for_a_spec_cluster(here, monkeypatch):
    monkeypatch.delenv("UCX_NET_DEVICES", raising=False)
    monkeypatch.setattr(network.psutil, "net_if_addrs", lambda: {"ib1": [], "eth1": []})
    machine = here(LINKED)
    more = {"resources": {"x": 1}, "env": {"A": "b"}}
    spec = worker_spec(interface="auto", CUDA_VISIBLE_DEVICES="1,0", enable_nvlink=True, **more)
    assert list(spec) == [1, 0]  # the indices of the GPUs
    options = spec[1]["options"]
    assert options["protocol"] == "ucx"  # flags imply it
    assert (options["interface"], options["host"], options["resources"]) == ("ib1", None, {"x": 1})
    assert options["env"]["CUDA_VISIBLE_DEVICES"] == "1,0"
    assert options["env"]["A"] == "b"
    assert options["config"]["ucxx"] == {"nvlink": True, "create-cuda-context": True}
    assert {"UCXX_CPU_AFFINITY"} < set(options["env"])
    assert (options["dashboard"], options["silence_logs"]) == (False, logging.WARNING)
    assert len(options["preload"]) == len(options["preload_argv"] or options["preload"])
    plain = worker_spec(placement="core", protocol="tcp", dashboard_address=":0")
    assert len(plain) == len(machine.cores)
    assert (plain[0]["options"]["protocol"], plain[0]["options"]["dashboard"]) == ("tcp", True)
    twice = worker_spec(CUDA_VISIBLE_DEVICES=[1, 1])
    assert list(twice) == [0, 1]  # an index alone names no worker here


def test_auto_in_the_configuration_is_the_nearest_card(started):
    loopback = Card("lo", kind="ethernet", interface="lo")
    assert started(dataclasses.replace(PLAIN, cards=(loopback,))) == "lo"


def test_auto_in_the_configuration_without_a_card_is_left_to_ucx(started):
    assert started(dataclasses.replace(PLAIN, cards=())) == "all"


def test_auto_in_the_configuration_prefers_rdma_which_must_be_there(started):
    with pytest.raises(ValueError, match="no network device 'mlx5_1:1'"):
        started(SERVER)


@pytest.mark.parametrize(("visible", "card"), [
    (None, "mlx5_0:1"), ("1", "mlx5_1:1"), ("1,0", "mlx5_1:1"), ("9", "mlx5_0:1"), ("x", "mlx5_0:1"),
])  # fmt: skip
def test_auto_in_the_configuration_is_near_the_first_visible_gpu(here, monkeypatch, visible, card):
    here(dataclasses.replace(SERVER, cards=(dataclasses.replace(DOWN, is_up=True), RDMA)))
    if visible is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    assert devices.nearest_card() == card


def test_keys_of_the_configuration_have_one_spelling(monkeypatch):
    """The environment has them with underscores, and would go before what the cluster says."""
    with dask.config.set({"ucxx": {"net_devices": "lo", "tcp": True}}):
        assert configuration(Settings()) == {"net-devices": "lo", "tcp": True}


def test_the_environment_goes_before_the_settings(here, monkeypatch):
    here(LINKED)
    monkeypatch.setenv("UCX_NET_DEVICES", "lo")
    monkeypatch.setenv("UCX_TLS", "tcp")
    (first, _) = plan(Settings(ucx_net_devices="auto")).workers
    assert (first.net_devices, first.transports) == ("lo", ("shared memory", "UCX_TLS=tcp"))
    assert first.why.endswith("UCX_NET_DEVICES=lo of the environment; UCX_TLS=tcp of the environment")
    assert planned(LINKED, ucx_net_devices="auto")[0].net_devices == "mlx5_1:1"  # a description alone


def test_devices_of_the_configuration_are_in_the_plan(here, monkeypatch):
    here(LINKED)
    monkeypatch.delenv("UCX_NET_DEVICES", raising=False)
    with dask.config.set({"ucxx.net-devices": "auto"}):
        assert column(plan(Settings()), "net devices") == ["mlx5_1:1"] * 2
        assert column(plan(Settings(ucx_net_devices="eth1")), "net devices") == ["eth1"] * 2


def test_gpus_are_counted_as_the_plan_does(here):
    here(LINKED)
    (spec, _) = worker_spec().values()
    assert spec["options"]["env"]["CUDA_DEVICE_ORDER"] == "PCI_BUS_ID"


def test_the_configuration_of_the_user_stays(here, monkeypatch):
    here(PLAIN)
    monkeypatch.delenv("UCX_NET_DEVICES", raising=False)
    spec = worker_spec(placement="core", config={"ucxx": {"rdmacm": False}, "ucxx.tcp": True})
    assert spec[0]["options"]["config"] == {"ucxx": {"rdmacm": False}, "ucxx.tcp": True}
