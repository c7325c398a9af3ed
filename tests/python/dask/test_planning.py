# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The plan of a cluster, out of settings and a description of a machine; nothing is started."""

import dataclasses
import itertools
import time

import dask
import pytest
from plans import DOWN, ETHERNET, GPUS, LINKED, PLAIN, SERVER, column, planned

from ucxx.dask import LocalCUDACluster, LocalUCXCluster, devices, worker_spec
from ucxx.dask.clusters.planning import plan
from ucxx.dask.clusters.settings import Settings
from ucxx.dask.options import Options
from ucxx.topology.machine import Core, Gpu, Machine, Node, TopologyError


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
