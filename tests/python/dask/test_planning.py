# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The plan of a cluster, out of settings and a description of a machine; nothing is started."""

import dataclasses
import itertools
import logging
import os
import time

import dask
import pytest

import ucxx
from ucxx import topology
from ucxx.dask import LocalCUDACluster, LocalUCXCluster, config, devices, worker_spec
from ucxx.dask.clusters import network
from ucxx.dask.clusters.configuration import configuration
from ucxx.dask.clusters.planning import plan
from ucxx.dask.clusters.settings import Settings
from ucxx.dask.options import Options
from ucxx.topology.machine import Card, Core, Gpu, Link, Machine, Node, TopologyError

RDMA = Card("mlx5_1", frozenset({2, 3}), 1, kind="infiniband", interface="ib1", port=1, is_up=True)
DOWN = Card("mlx5_0", frozenset({0, 1}), 0, kind="infiniband", interface="ib0", port=1, is_up=False)
ETHERNET = Card("eth1", frozenset({0, 1}), 0, kind="ethernet", interface="eth1", is_up=True)
NODES = (Node(0, 0), Node(1, 1))
CORES = tuple(Core(frozenset({cpu}), cpu // 2, cpu // 2) for cpu in range(4))
GPUS = tuple(Gpu(index, frozenset({2 * index, 2 * index + 1}), index) for index in range(2))
# Two sockets with a GPU each, no link between them, an InfiniBand port that is down, and one on the second socket.
SERVER = Machine("server", "test", CORES, NODES, GPUS, (DOWN, RDMA, ETHERNET))
PLAIN = dataclasses.replace(SERVER, gpus=(), cards=(ETHERNET,))
LINKED = dataclasses.replace(SERVER, links={(0, 1): Link("NVLink", 2)})


def planned(machine, **given):
    """Return the plan for a described machine."""
    return plan(Settings(topology=machine, dry_run=True, **given))


def column(made, name):
    """Return a column of the plan."""
    return [row.get(name, "") for row in made.rows()]


def test_auto_is_by_gpu_where_there_is_one_else_as_dask_has_it():
    assert column(planned(SERVER), "GPU") == ["0", "1"]
    assert len(planned(PLAIN)) == 4
    assert column(planned(PLAIN, n_workers=2), "cpus") == ["0-1", "2-3"]
    assert column(planned(PLAIN, n_workers=2), "threads") == ["2", "2"]
    assert column(planned(PLAIN, threads_per_worker=2), "cpus") == ["0-1", "2-3"]


def test_by_numa_and_by_core():
    assert column(planned(SERVER, placement="numa"), "cpus") == ["0-1", "2-3"]
    assert column(planned(SERVER, placement="numa"), "node") == ["0", "1"]
    by_core = planned(SERVER, placement="core")
    assert (column(by_core, "cpus"), column(by_core, "threads")) == (["0", "1", "2", "3"], ["1"] * 4)
    two = planned(SERVER, placement="core", threads_per_worker=2)
    assert (column(two, "cpus"), column(two, "threads")) == (["0-1", "2-3"], ["2", "2"])


def test_more_workers_than_there_is_are_said():
    made = planned(SERVER, n_workers=3)
    assert column(made, "GPU") == ["0", "1", "0"]
    assert made.workers[2].why.endswith("shares GPU0 with worker 0")
    made = planned(PLAIN, placement="core", n_workers=5)
    assert "shares cores with worker 0" in made.workers[4].why
    assert all("shares" not in worker.why for worker in made.workers[:4])


def test_no_gpu_to_place_by():
    with pytest.raises(ValueError, match="server has no GPU to place workers by.*LocalUCXCluster"):
        planned(PLAIN, placement="gpu")


def test_the_plan_is_the_set_of_the_names_of_its_workers():
    made = planned(SERVER, worker_options=[{"name": "a"}, {}])
    assert list(made) == ["a", 1] and len(made) == 2
    assert "a" in made and "b" not in made
    assert made == {"a", 1} and made - {"a"} == {1} and made | {2} == {"a", 1, 2}
    assert made["a"].place.gpu == GPUS[0]
    with pytest.raises(KeyError):
        made["b"]


TABLE = """\
worker  cpus  node  threads  GPU  card      net devices  interface  transports                                why
0       0-1   0     1        0    mlx5_1:1  mlx5_1:1     ib1        shared memory, CUDA IPC, InfiniBand, TCP  mlx5_1 is nearest (SYS)
1       2-3   1     1        1    mlx5_1:1  mlx5_1:1     ib1        shared memory, CUDA IPC, InfiniBand, TCP  mlx5_1 is nearest (NODE)"""


def test_the_table():
    assert str(planned(SERVER, ucx_net_devices="auto", interface="auto")) == TABLE
    made = planned(PLAIN, placement="numa")
    assert list(made.rows()[0]) == ["worker", "cpus", "node", "threads", "card", "transports", "why"]  # nothing else to say
    assert repr(made) == f"<Plan of 2 workers on server>\n{made}"


def test_what_is_believed_of_a_way_between_two_workers():
    made = planned(LINKED, worker_options=[{"name": "a"}, {"name": "b"}, {"name": "host", "gpu": None}])
    assert made.prior("a", "b").why == "shared memory"
    assert made.prior("a", "b", on_gpus=True).why == "2 NVLinks"
    assert made.prior("a", "b", on_gpus=True) == made.prior("b", "a", on_gpus=True)
    assert "host" in made.prior("a", "host", on_gpus=True).why
    assert made.prior("host", "host", on_gpus=True).why == "shared memory"
    with pytest.raises(KeyError):
        made.prior("a", "nobody")


# Flags and what they leave on a machine that has all; host memory goes by shared memory whatever they say.
@pytest.mark.parametrize(("flags", "left"), [
    ({}, "NVLink, InfiniBand, TCP"),
    ({"nvlink": True}, "NVLink, TCP"), ({"infiniband": True}, "InfiniBand, TCP"), ({"tcp_over_ucx": True}, "TCP"),
    ({"nvlink": True, "infiniband": True}, "NVLink, InfiniBand, TCP"),
    ({"nvlink": True, "infiniband": True, "tcp_over_ucx": True}, "NVLink, InfiniBand, TCP"),
    ({"infiniband": True, "rdmacm": True}, "InfiniBand, TCP"),
    ({"nvlink": False}, "InfiniBand, TCP"), ({"infiniband": False}, "NVLink, TCP"),
    ({"tcp_over_ucx": False}, "NVLink, InfiniBand"), ({"rdmacm": False}, "NVLink, InfiniBand, TCP"),
    ({"nvlink": False, "infiniband": False}, "TCP"),
    ({"tcp_over_ucx": False, "nvlink": True}, "NVLink"), ({"nvlink": False, "infiniband": True}, "InfiniBand, TCP"),
], ids=str)  # fmt: skip
def test_transports_that_flags_leave(flags, left):
    made = planned(LINKED, **{f"enable_{name}": value for name, value in flags.items()})
    assert column(made, "transports") == [f"shared memory, {left}"] * 2


CALLED = {"tcp": "TCP", "rc": "InfiniBand", "cuda_ipc": "NVLink"}


@pytest.mark.parametrize("values", [*itertools.product((None, True, False), repeat=3)][:-1], ids=str)
def test_the_plan_says_what_ucx_is_told(values, monkeypatch):
    monkeypatch.setattr(devices, "of_rdma", lambda: ["mlx5_1:1"])
    monkeypatch.setattr(devices, "has_cuda", lambda: True)
    settings = Settings(**dict(zip(("enable_tcp_over_ucx", "enable_infiniband", "enable_nvlink"), values, strict=True)))
    with dask.config.set({"ucxx": settings.flags}):
        told = Options.read().transports()
    (said, *_) = column(plan(dataclasses.replace(settings, topology=LINKED, dry_run=True)), "transports")
    assert set(said.split(", ")) == {"shared memory", *(name for key, name in CALLED.items() if key in told or not told)}
    assert not told or "cuda_copy" in told  # any flag brings it


def test_transports_of_another_protocol():
    assert column(planned(LINKED, protocol="tcp://"), "transports") == ["tcp", "tcp"]


def test_nvlink_without_links_is_an_error_with_the_plan():
    for machine in (SERVER, PLAIN):
        with pytest.raises(ValueError, match="no two GPUs of the plan have a link") as caught:
            planned(machine, enable_nvlink=True)
        assert "\nworker  cpus" in str(caught.value)
    assert planned(LINKED, enable_nvlink=True)
    alone = planned(SERVER, enable_nvlink=True, CUDA_VISIBLE_DEVICES="1")  # it has no peer
    assert column(alone, "transports") == ["shared memory, TCP"]


def test_infiniband_without_a_card_is_an_error_with_the_plan():
    for cards, there in (((ETHERNET,), "eth1"), ((DOWN, ETHERNET), r"mlx5_0:1 \(down\), eth1"), ((), "no card")):
        with pytest.raises(ValueError, match=rf"no such card that is up \({there}\)") as caught:
            planned(dataclasses.replace(SERVER, cards=cards), enable_infiniband=True)
        assert "\nworker  cpus" in str(caught.value)
    assert planned(SERVER, enable_infiniband=True)


@pytest.mark.parametrize(("affinity", "cpus"), [
    ("auto", ["0-1", "2-3"]), (None, ["0-1 (not pinned)", "2-3 (not pinned)"]),
    (["1", [0, 3]], ["1", "0,3"]), (["auto", None], ["0-1", "2-3 (not pinned)"]),
    (lambda gpu: f"{gpu}", ["0", "1"]), (lambda gpu: [3 - gpu], ["3", "2"]),
    ([lambda gpu: {gpu}, range(4)], ["0", "0-3"]),
])  # fmt: skip
def test_cpus_that_the_user_gives(affinity, cpus):
    assert column(planned(SERVER, cpu_affinity=affinity), "cpus") == cpus


def test_a_function_gets_the_index_of_the_gpu():
    asked = []
    planned(SERVER, CUDA_VISIBLE_DEVICES="1", cpu_affinity=lambda gpu: asked.append(gpu) or "0")
    planned(SERVER, CUDA_VISIBLE_DEVICES="1", ucx_net_devices=lambda gpu: asked.append(gpu))
    assert asked == [1, 1]


@pytest.mark.parametrize(("affinity", "what"), [
    (["0"], "cpu_affinity has 1 lists of CPUs, and there are 2 workers"),
    ([0, 1], "cpu_affinity has 0 where a worker's CPUs are wanted"),
    (["0", "x"], "cpu_affinity of worker 1 is 'x', which are no CPUs"),
    (["0", []], "cpu_affinity of worker 1 has no CPU"),
    (["0", "77"], "cpu_affinity of worker 1 is 77"),
    (lambda gpu: None, "cpu_affinity of worker 0 has no CPU"),
])  # fmt: skip
def test_cpus_that_are_none(affinity, what):
    with pytest.raises(ValueError, match=what):
        planned(SERVER, cpu_affinity=affinity)
    with pytest.raises(ValueError, match=what):  # one that has it of its own does not change that
        planned(SERVER, cpu_affinity=affinity, worker_options=[{}, {"nthreads": 2}])


def test_what_is_special_about_each_worker():
    options = [
        {"gpu": 1, "nthreads": 4, "resources": {"big": 1}},
        {"gpu": None, "name": "host", "cpu_affinity": "0", "ucx_net_devices": "eth1", "interface": "eth1"},
        {"gpu": 1},
    ]
    first, second, third = planned(SERVER, worker_options=options, ucx_net_devices="auto").workers
    assert (first.visible, first.nthreads, first.net_devices) == ("1", 4, "mlx5_1:1")
    assert first.options == {"resources": {"big": 1}}
    assert (second.visible, second.place.gpu, second.net_devices, second.interface) == ("", None, "eth1", "eth1")
    assert (second.place.cpus, second.options) == ({0}, {})
    assert (third.nthreads, third.place.gpu) == (1, GPUS[1])
    assert "shares GPU1 with worker 0" in third.why


@pytest.mark.parametrize(("given", "what"), [
    ({"worker_options": [{"name": "a"}, {"name": "a"}]}, "worker_options has the name 'a' for 2 workers"),
    ({"worker_options": [{"name": 1}, {}]}, "worker_options has the name 1 for 2 workers"),
    ({"worker_options": [{}], "n_workers": 2}, "worker_options has 1 mappings, and n_workers is 2"),
    ({"worker_options": [{"gpu": 7}]}, "worker_options has gpu=7 for worker 0; the GPUs of the cluster are: 0, 1"),
    ({"worker_options": [{"gpu": 0}], "placement": "core"}, "gpu=0, and workers are placed by core"),
    ({"worker_options": [{"ucx_net_devices": "nowhere"}]}, "no network device 'nowhere'"),
])  # fmt: skip
def test_options_of_workers_that_do_not_fit(given, what):
    with pytest.raises(ValueError, match=what):
        planned(SERVER, **given)


@pytest.mark.parametrize(("wanted", "devices"), [
    (None, ["", ""]), ("auto", ["mlx5_1:1"] * 2), ("mlx5_1:1", ["mlx5_1:1"] * 2), ("eth1,mlx5_1", ["eth1,mlx5_1"] * 2),
    ("mlx5_*", ["mlx5_*"] * 2), ("^eth1", ["^eth1"] * 2), ("all", ["all"] * 2),
    (lambda gpu: ["eth1", "auto"][gpu], ["eth1", "mlx5_1:1"]), (lambda gpu: None, ["", ""]),
])  # fmt: skip
def test_network_devices(wanted, devices):
    assert column(planned(SERVER, ucx_net_devices=wanted), "net devices") == devices


@pytest.mark.parametrize(("wanted", "error", "what"), [
    ("mlx5_9:1", ValueError, r"no network device 'mlx5_9:1'; there are: mlx5_0:1 \(down\), mlx5_1:1, eth1"),
    ("eth1,", ValueError, "no network device ''"),
    ("mlx5_0:1", ValueError, "the network device 'mlx5_0:1' is down"),
    ("eth1,ib0", ValueError, "the network device 'ib0' is down"),
    (lambda gpu: f"mlx5_{gpu + 1}:1", ValueError, "no network device 'mlx5_2:1'"),
    (lambda gpu: gpu, TypeError, "the devices of worker 0 must be a text as mlx5_0:1, or None, not 0"),
])  # fmt: skip
def test_network_devices_that_are_not_there_or_down(wanted, error, what):
    with pytest.raises(error, match=what):
        planned(SERVER, ucx_net_devices=wanted)


def test_auto_without_a_card_that_is_up_leaves_it_to_ucx():
    made = planned(dataclasses.replace(SERVER, cards=(DOWN,)), ucx_net_devices="auto", interface="auto")
    for worker in made.workers:
        assert (worker.net_devices, worker.interface, worker.why) == (None, None, "no card")


def test_interfaces():
    assert column(planned(SERVER, interface="bond0"), "interface") == ["bond0", "bond0"]
    assert column(planned(SERVER, interface="eth*"), "interface") == ["eth1", "eth1"]
    with pytest.raises(ValueError, match=r"interface 'en\*' is not there; network cards have these: ib0 \(down\), ib1, eth1"):
        planned(SERVER, interface="en*")
    for wanted in ("ib0", "*0"):
        with pytest.raises(ValueError, match="the interface .* is down; network cards have these: ib0"):
            planned(SERVER, interface=wanted)


def test_what_is_no_topology(tmp_path):
    (tmp_path / "text").write_text("no machine\n")
    with pytest.raises(TopologyError, match="text: no GPU; expected"):
        planned(tmp_path / "text")
    with pytest.raises(FileNotFoundError):
        planned(tmp_path / "nowhere")


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


def test_a_big_machine_is_planned_fast():
    cores = tuple(Core(frozenset({cpu}), cpu // 64, cpu // 512) for cpu in range(4096))
    nodes = tuple(Node(node, node // 8) for node in range(64))
    gpus = tuple(Gpu(node, frozenset(range(64 * node, 64 * node + 64)), node) for node in range(64))
    machine = Machine("big", "test", cores, nodes, gpus)

    def seconds(**given):
        start = time.process_time()
        planned(machine, **given)
        return time.process_time() - start

    for given, most in (({}, 0.2), ({"placement": "numa"}, 0.2), ({"placement": "core"}, 0.4)):
        assert min(seconds(**given) for _ in range(3)) < most, given


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


def test_transports_follow_the_devices():
    assert column(planned(LINKED, ucx_net_devices="eth1"), "transports") == ["shared memory, NVLink, TCP"] * 2
    assert column(planned(LINKED, ucx_net_devices="eth1,mlx5_1:1"), "transports") == [
        "shared memory, NVLink, InfiniBand, TCP"] * 2  # fmt: skip


@pytest.mark.parametrize(("options", "what"), [
    ({"foo": 1}, "worker_options of worker 0 has no argument 'foo'"),
    ({"threads_per_worker": 2}, "no argument 'threads_per_worker'"), ({"memory_binding": "bind"}, "no argument 'memory_binding'"),
])  # fmt: skip
def test_options_of_one_worker_that_nobody_has(options, what):
    with pytest.raises(TypeError, match=what):
        planned(SERVER, worker_options=[options])


@pytest.mark.parametrize("gpu", [-1, 9, True, "x"])
def test_a_gpu_of_one_worker_is_one_of_the_cluster(gpu):
    with pytest.raises(ValueError, match="worker_options has gpu=.* for worker 0; the GPUs of the cluster are: 0"):
        planned(SERVER, CUDA_VISIBLE_DEVICES="0", worker_options=[{"gpu": gpu}])


def test_a_worker_without_a_gpu_sees_none():
    made = planned(SERVER, worker_options=[{"gpu": 0}, {"gpu": None, "name": None}])
    assert [worker.visible for worker in made.workers] == ["0", ""]
    assert list(made) == [0, 1]


def test_gpus_are_counted_as_the_plan_does(here):
    here(LINKED)
    (spec, _) = worker_spec().values()
    assert spec["options"]["env"]["CUDA_DEVICE_ORDER"] == "PCI_BUS_ID"


def test_the_configuration_of_the_user_stays(here, monkeypatch):
    here(PLAIN)
    monkeypatch.delenv("UCX_NET_DEVICES", raising=False)
    spec = worker_spec(placement="core", config={"ucxx": {"rdmacm": False}, "ucxx.tcp": True})
    assert spec[0]["options"]["config"] == {"ucxx": {"rdmacm": False}, "ucxx.tcp": True}


def test_what_a_description_says_is_clean_in_a_terminal():
    card = dataclasses.replace(ETHERNET, name="\x1b]0;x\x07eth", interface="\x1b]0;x\x07eth")
    made = planned(dataclasses.replace(PLAIN, name="\x1b[2J", cards=(card,)), ucx_net_devices="auto", interface="auto")
    assert "\x1b" not in repr(made) and "\x07" not in repr(made)


@pytest.mark.parametrize(("given", "what"), [
    ({"n_worker": 2}, "LocalUCXCluster has no argument 'n_worker'; did you mean n_workers"),
    ({"nthreads": 2}, "no argument 'nthreads'; here it is 'threads_per_worker'"),
    ({"cuda_visible_devices": "0"}, "did you mean CUDA_VISIBLE_DEVICES"),
    ({"kwargs": 1}, "no argument 'kwargs'"), ({"worker_kwargs": {}}, "no argument 'worker_kwargs'"),
])  # fmt: skip
def test_arguments_that_nobody_has(given, what):
    with pytest.raises(TypeError, match=what):
        LocalUCXCluster(topology=PLAIN, dry_run=True, **given)
    with pytest.raises(TypeError, match="LocalUCXCluster takes its arguments by name, as n_workers=4, not 2"):
        LocalUCXCluster(2)


@pytest.mark.parametrize("call", [LocalUCXCluster, LocalCUDACluster, worker_spec])
def test_what_dask_cuda_has_and_this_has_not(call):
    with pytest.raises(ValueError, match="has no device_memory_limit: nothing spills"):
        call(topology=SERVER, dry_run=True, device_memory_limit=0.8)
