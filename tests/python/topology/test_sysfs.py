# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The reader of sysfs: trees that Linux would show, trees with holes, damaged values, and this machine."""

import os
import shutil

import pytest
from trees import CPU, NODE, PCI, link, plant_cores, plant_device, plant_interface, plant_rdma, plant_server, write

from ucxx.topology import Closeness, Node, TopologyError, read, sysfs


@pytest.fixture
def server(tmp_path):
    """Return the folder of a server with two sockets."""
    plant_server(tmp_path)
    return tmp_path


def cards(root):
    return {card.ucx_name: card for card in sysfs.from_tree(root).cards}


def test_cores_and_nodes(server):
    machine = sysfs.from_tree(server)
    assert (machine.name, machine.source) == ("planted", "sysfs")
    assert [(sorted(core.cpus), core.node, core.package) for core in machine.cores] == [
        ([0, 4], 0, 0), ([1, 5], 0, 0), ([2, 6], 1, 1), ([3, 7], 1, 1),
    ]  # fmt: skip
    assert machine.nodes == (Node(0, 0, 1 << 30), Node(1, 1, 1 << 30))


def test_gpus(server):
    (gpu,) = sysfs.from_tree(server).gpus  # and not the display of the BMC
    assert (gpu.index, gpu.address, gpu.node, sorted(gpu.cpus)) == (0, "0000:13:00.0", 0, [0, 1, 4, 5])
    assert (gpu.model, gpu.uuid) == ("NVIDIA H200", "GPU-1234")


def test_cards(server):
    found = cards(server)
    assert list(found) == ["mlx5_0:1", "mlx5_1:1", "mlx5_1:2", "eth0"]
    told = {name: (card.kind, card.interface, card.gb_per_s, card.is_up, card.node) for name, card in found.items()}
    assert told == {
        "mlx5_0:1": ("infiniband", "ib0", 12.5, True, 0),
        "mlx5_1:1": ("roce", "ens0", 3.125, True, 1),
        "mlx5_1:2": ("roce", "ens1", 3.125, True, 1),
        "eth0": ("ethernet", "eth0", 1.25, True, None),
    }
    assert (found["eth0"].address, sorted(found["eth0"].cpus)) == ("0000:00:03.0", list(range(8)))


def test_closeness(server):
    machine = sysfs.from_tree(server)
    near = {card.ucx_name: machine.closeness(machine.gpu(0), card).name for card in machine.cards}
    assert near == {"mlx5_0:1": "PIX", "mlx5_1:1": "SYS", "mlx5_1:2": "SYS", "eth0": "SYS"}


def test_closeness_by_bridges(tmp_path):
    plant_cores(tmp_path)
    switch = ("pci0000:10", "0000:10:01.0", "0000:11:00.0")
    chains = [
        (*switch, "0000:12:00.0", "0000:13:00.0"),
        (*switch, "0000:12:01.0", "0000:14:00.0", "0000:15:00.0", "0000:16:00.0"),  # a switch behind the switch
        ("pci0000:10", "0000:10:02.0", "0000:17:00.0"),
        ("pci0000:20", "0000:20:01.0", "0000:21:00.0"),
        ("pci0000:10", "0000:10:0e.0", "pci10000:e0", "10000:e0:01.0", "10000:e1:00.0"),  # a domain of its own
        ("pci0000:10", "0000:10:0e.0", "pci10000:e0", "10000:e0:02.0", "10000:e2:00.0"),
    ]
    for chain in chains:
        plant_device(tmp_path, *chain, kind="0x120000", vendor="0x1002")
    machine = sysfs.from_tree(tmp_path)
    pairs = {(0, 1): "PXB", (0, 2): "PHB", (0, 3): "NODE", (0, 4): "NODE", (4, 5): "PHB"}
    assert {pair: machine.closeness(*map(machine.gpu, pair)).name for pair in pairs} == pairs


def test_each_missing_file_takes_only_what_it_tells(server):
    """Take the files away one after another: a machine is left until the CPUs go."""
    files = sorted(path for path in server.rglob("*") if path.is_file() and CPU not in str(path))
    for file in files:
        file.unlink()
        assert len(sysfs.from_tree(server).cpus) == 8
    machine = sysfs.from_tree(server)
    assert machine.gpus == () and {core.node for core in machine.cores} == {0}
    shutil.rmtree(server / "sys/class")
    shutil.rmtree(server / "sys/bus")
    shutil.rmtree(server / NODE)
    assert [node.index for node in sysfs.from_tree(server).nodes] == [0]


def test_cores_without_what_tells_of_threads(server):
    for path in server.glob(f"{CPU}/cpu*"):
        shutil.rmtree(path / "topology")
    assert [sorted(core.cpus) for core in sysfs.from_tree(server).cores] == [[cpu] for cpu in range(8)]


def test_old_name_of_threads(server):
    for path in server.glob(f"{CPU}/cpu*/topology/core_cpus_list"):
        path.rename(path.with_name("thread_siblings_list"))
    assert [sorted(core.cpus) for core in sysfs.from_tree(server).cores] == [[cpu, cpu + 4] for cpu in range(4)]


def test_some_cpus_are_off(server):
    write(server, {f"{CPU}/online": "0-1,3,5-7"})
    assert [sorted(core.cpus) for core in sysfs.from_tree(server).cores] == [[0], [1, 5], [3, 7], [6]]
    (server / f"{CPU}/online").unlink()
    shutil.rmtree(server / f"{CPU}/cpu7")
    assert sysfs.from_tree(server).cpus == frozenset(range(7))


def test_node_without_cpus(server):
    write(server, {f"{NODE}/node2/cpulist": "", f"{NODE}/node2/meminfo": "Node 2 MemTotal: 4 kB"})
    node = sysfs.from_tree(server).nodes[2]
    assert (node.index, node.package, node.memory_bytes) == (2, 0, 4096)


@pytest.mark.parametrize(("file", "text", "said"), [
    (f"{CPU}/online", "0-x", "'0-x' is no list of CPUs"),
    (f"{CPU}/online", "0-99999999", "'0-99999999' is no list of CPUs"),
    (f"{CPU}/cpu1/topology/core_cpus_list", "1;5", "'1;5' is no list of CPUs"),
    (f"{CPU}/cpu1/topology/core_cpus_list", "5", "the threads [5] of the core of CPU 1 leave it out"),
    (f"{CPU}/cpu1/topology/physical_package_id", "one", "the package 'one'; expected a number"),
    (f"{NODE}/node1/cpulist", "2-1", "'2-1' is no list of CPUs"),
])  # fmt: skip
def test_damaged_values_of_cores_are_errors(server, file, text, said):
    write(server, {file: text})
    with pytest.raises(TopologyError) as raised:
        sysfs.from_tree(server)
    assert str(raised.value).startswith(f"{server / file}, line 1: {said}")


@pytest.mark.parametrize("text", ["", "-1", "x", "99999999999999999999", "\ufffd", "0x", "-"])
def test_damaged_values_of_devices_are_not_known(server, text):
    for name in ("numa_node", "local_cpulist", "speed", "rate", "state", "link_layer", "type"):
        for path in server.rglob(name):
            path.write_text(text)
    machine = sysfs.from_tree(server)
    assert {gpu.node for gpu in machine.gpus} == {None}
    told = {(card.kind, card.gb_per_s, card.is_up, card.node, card.cpus) for card in machine.cards if card.port}
    assert told == {("", None, None, None, frozenset())}


@pytest.mark.parametrize(("state", "is_up"), [("1: DOWN", False), ("2: INIT", False), ("4: ACTIVE", True), ("4", None)])
def test_state_of_a_port(server, state, is_up):
    (server / "sys/class/infiniband/mlx5_0/ports/1/state").write_text(state)
    assert cards(server)["mlx5_0:1"].is_up is is_up


@pytest.mark.parametrize(("state", "is_up"), [
    ("down", False), ("lowerlayerdown", False), ("unknown", None), ("up", True),
])  # fmt: skip
def test_state_of_an_interface(server, state, is_up):
    (server / "sys/class/net/eth0/operstate").write_text(state)
    assert cards(server)["eth0"].is_up is is_up


def test_interfaces_whose_driver_numbers_no_port(tmp_path):
    plant_cores(tmp_path)
    device = plant_device(tmp_path, "pci0000:00", "0000:01:00.0", kind="0x020700")
    plant_rdma(tmp_path, "mlx4_0", device, ports=2)
    plant_interface(tmp_path, "ib0", device)
    assert [card.interface for card in sysfs.from_tree(tmp_path).cards] == ["ib0", ""]
    plant_interface(tmp_path, "ib1", device)
    assert [card.interface for card in sysfs.from_tree(tmp_path).cards] == ["ib0", "ib1"]


def test_names_are_in_the_order_of_their_numbers(tmp_path):
    plant_cores(tmp_path)
    for number in (10, 2):
        device = plant_device(tmp_path, "pci0000:00", f"0000:{number:02x}:00.0", kind="0x020700")
        plant_rdma(tmp_path, f"mlx5_{number}", device)
    assert list(cards(tmp_path)) == ["mlx5_2:1", "mlx5_10:1"]


def test_package_that_is_not_known(server):
    for path in server.rglob("physical_package_id"):
        path.write_text("-1\n")
    assert sysfs.from_tree(server).packages == (0,)


def test_device_without_ports_or_bus(tmp_path):
    plant_cores(tmp_path)
    write(tmp_path, {"sys/devices/platform/soc/rdma/numa_node": "1"})
    link(tmp_path, "sys/class/infiniband/rxe0/device", "sys/devices/platform/soc/rdma")
    plant_interface(tmp_path, "ib5", "sys/devices/vmbus/1", type="32")
    rdma, net = sysfs.from_tree(tmp_path).cards
    assert (rdma.ucx_name, rdma.node, rdma.address, rdma.is_up) == ("rxe0:1", 1, "", None)
    assert (net.ucx_name, net.kind) == ("ib5", "infiniband")


def test_gpus_of_one_vendor(tmp_path):
    plant_cores(tmp_path)
    plant_device(tmp_path, "pci0000:00", "0000:01:00.0", kind="0x030000", vendor="0x1002")
    assert [gpu.address for gpu in sysfs.from_tree(tmp_path).gpus] == ["0000:01:00.0"]
    for bus in ("c1", "0a"):
        plant_device(tmp_path, "pci0000:00", f"0000:{bus}:00.0", kind="0x030000", vendor="0x10de")
    assert [gpu.address for gpu in sysfs.from_tree(tmp_path).gpus] == ["0000:0a:00.0", "0000:c1:00.0"]


def test_uuid_that_the_driver_does_not_know_yet(server):
    write(server, {"proc/driver/nvidia/gpus/0000:13:00.0/information": "Model: A\nGPU UUID: GPU-????????-????"})
    assert sysfs.from_tree(server).gpu(0).uuid == ""


def test_folder_that_is_no_tree(tmp_path):
    with pytest.raises(TopologyError, match="no CPU; expected .*/sys/devices/system/cpu as Linux shows it"):
        read(tmp_path)


def test_read_of_a_folder(server):
    assert read(server) == read(str(server)) == sysfs.from_tree(server)
    (server / "proc/sys/kernel/hostname").unlink()
    assert read(server).name == server.name


def test_this_machine():
    machine = sysfs.live()
    assert os.sched_getaffinity(0) <= machine.cpus
    assert len(machine.cpus) == os.cpu_count()
    assert machine.cpus == frozenset().union(*(machine.cpus_of(node.index) for node in machine.nodes))
    assert sysfs.live_cards() == machine.cards
    assert all(card.interface != "lo" for card in machine.cards)


def test_this_machine_where_sysfs_is_hidden(tmp_path, monkeypatch):
    monkeypatch.setattr(sysfs, "ROOT", str(tmp_path))
    machine = sysfs.live()
    assert machine.cpus >= os.sched_getaffinity(0) and len(machine.cores) >= os.cpu_count()
    assert {core.node for core in machine.cores} == {0} and len(machine.nodes) == 1
    assert (machine.gpus, machine.cards) == ((), ())


def test_pci_devices_of_a_copied_tree(server):
    """Turn the links to PCI devices to folders: what is near is told by the nodes alone."""
    for path in (server / PCI).iterdir():
        target = path.resolve()
        path.unlink()
        shutil.copytree(target, path, symlinks=True)
    machine = sysfs.from_tree(server)
    assert machine.gpu(0).node == 0
    assert machine.closeness(machine.gpu(0), machine.cards[0]) == Closeness.NODE


@pytest.mark.parametrize("name", [f"{CPU}/online", "proc/sys/kernel/hostname", f"{PCI}/0000:13:00.0/class"])
def test_link_that_leads_out_of_a_copied_tree_is_refused(server, name, tmp_path_factory):
    secret = tmp_path_factory.mktemp("other") / "secret"
    secret.write_text("a secret\n")
    (server / name).unlink()
    (server / name).symlink_to(secret)
    with pytest.raises(TopologyError, match=f"/{name}, line 1: a link that leads out of {server}; expected") as raised:
        read(server)
    assert "secret" not in str(raised.value)


def test_tree_whose_root_is_a_link_is_read(server, tmp_path_factory):
    other = tmp_path_factory.mktemp("other") / "link"
    other.symlink_to(server)
    assert read(other) == read(server)


def test_long_values_are_cut(server):
    write(server, {f"{CPU}/online": "x" * 1000})
    with pytest.raises(TopologyError, match="'x{60}' and so on is no list of CPUs; expected one as 0-19,40-59"):
        read(server)
