# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Machines as text: whole texts of machines as files describe them, and what is said where little is known."""

import dataclasses

import pytest
from made_machines import linked

from ucxx.topology import neighbours, reading, text, wording
from ucxx.topology.machine import Card, Core, Gpu, Link, Machine, Node

DGX1 = """\
dgx1.txt (nvidia-smi): 2 packages, 2 NUMA nodes, 40 cores, 8 GPUs, 4 network cards

# node  package  memory  cores  CPUs
node0  package 0  -  20 cores  0-19,40-59
node1  package 1  -  20 cores  20-39,60-79

# GPU  nearest cards  CPUs  links
GPU0  ib0  0-19,40-59  NV1:1,2 NV2:3,4
GPU1  ib0  0-19,40-59  NV1:0,3 NV2:2,5
GPU2  ib2  0-19,40-59  NV1:0,6 NV2:1,3
GPU3  ib2  0-19,40-59  NV1:1,7 NV2:0,2
GPU4  ib1  20-39,60-79  NV1:5,6 NV2:0,7
GPU5  ib1  20-39,60-79  NV1:4,7 NV2:1,6
GPU6  ib3  20-39,60-79  NV1:2,4 NV2:5,7
GPU7  ib3  20-39,60-79  NV1:3,5 NV2:4,6

# links  GPUs
ring NV2  0-3-2-1-5-6-7-4
all to all  0,1,2,3 4,5,6,7
no link  0-5:1,4 0-6:2,4 0-7:4,3 1-4:0,5 1-6:5,2 1-7:3,5 2-4:0,6 2-5:1,6 2-7:3,6 3-4:0,7 3-5:1,7 3-6:2,7

# card  kind  rate  state  interface  CPUs  GPUs
ib0  InfiniBand  -  -  ib0  0-19,40-59  PIX:0,1 PHB:2,3 SYS:4-7
ib1  InfiniBand  -  -  ib1  20-39,60-79  PIX:4,5 PHB:6,7 SYS:0-3
ib2  InfiniBand  -  -  ib2  0-19,40-59  PIX:2,3 PHB:0,1 SYS:4-7
ib3  InfiniBand  -  -  ib3  20-39,60-79  PIX:6,7 PHB:4,5 SYS:0-3
"""
TWO_SOCKETS = """\
two-sockets (hwloc 2.9.0): 2 packages, 2 NUMA nodes, 8 cores, no GPU, 2 network cards

# node  package  memory  cores  CPUs
node0  package 0  1 GiB  4 cores  0-3,8-11
node1  package 1  1 GiB  4 cores  4-7,12-15

no GPU

# card  kind  rate  state  interface  CPUs  GPUs
eno1  Ethernet  -  -  eno1  0-3,8-11  -
mlx5_0:1  InfiniBand  -  up  ib0  4-7,12-15  -
"""
NOTHING = """\
this machine: no GPU, no network card

no cores are described

no GPU

no network card that UCX would use
"""
HALVES = ("0-7,16-23", "8-15,24-31")
GPU_LINES = {
    "bridged.txt": ["GPU0  mlx5_0:1  0-15  NV4:1", "GPU1  mlx5_0:1  0-15  NV4:0",
                    "GPU2  mlx5_0:1  16-31  NV4:3", "GPU3  mlx5_0:1  16-31  NV4:2"],
    "switched.txt": [f"GPU{gpu}  mlx5_{gpu}:1  {HALVES[gpu // 4]}  NV18:all" for gpu in range(8)],
    "switched.xml": [f"GPU{gpu}  mlx5_{gpu}:1  {HALVES[gpu // 4]}  NVLink 450 GB/s:all" for gpu in range(8)],
    "amd.xml": ["GPU0  mlx5_0:1  0-3  XGMI 100 GB/s:3 XGMI 200 GB/s:1",
                "GPU1  mlx5_0:1  0-3  XGMI 100 GB/s:2 XGMI 200 GB/s:0",
                "GPU2  mlx5_0:1  4-7  XGMI 100 GB/s:1 XGMI 200 GB/s:3",
                "GPU3  mlx5_0:1  4-7  XGMI 100 GB/s:0 XGMI 200 GB/s:2"],
    "laptop.xml": [],
}  # fmt: skip


@pytest.mark.parametrize(("name", "said"), [("dgx1.txt", DGX1), ("two_sockets.xml", TWO_SOCKETS)])
def test_whole_texts(machines, name, said):
    assert text.describe(reading.read(machines / name)) == said


@pytest.mark.parametrize(("name", "lines"), GPU_LINES.items(), ids=str)
def test_each_gpu_is_a_line(machines, name, lines):
    said = text.describe(reading.read(machines / name)).splitlines()
    assert [line for line in said if line.startswith("GPU")] == lines


def test_machine_of_which_nothing_is_known():
    assert text.describe(Machine()) == NOTHING


def test_unknown_fields_are_dashes():
    machine = Machine(gpus=(Gpu(0), Gpu(1)), cards=(Card("mlx5_0"),), links={(0, 1): Link()})
    said = text.describe(machine).splitlines()
    assert "GPU0  mlx5_0  -  NVLink:1" in said and "mlx5_0  -  -  -  -  -  -" in said


def test_cores_without_nodes_are_those_of_packages():
    cores = (Core(frozenset({0, 2}), 0, 0), Core(frozenset({1, 3}), 0, 1))
    said = text.describe(Machine(cores=cores)).splitlines()
    assert said[2:5] == ["# package  cores  CPUs", "package0  1 core  0,2", "package1  1 core  1,3"]


def test_node_of_memory_alone():
    said = text.describe(Machine(cores=(Core(frozenset({0}), 0, 0),), nodes=(Node(0, 0), Node(1, 0, 96 << 30))))
    assert "node1  package 0  96 GiB  no core  -" in said.splitlines()


def test_slices_have_a_field_where_there_are_some(machines):
    machine = reading.read(machines / "bridged.txt")
    first, *others = machine.gpus
    cut = dataclasses.replace(machine, gpus=(dataclasses.replace(first, slices=("MIG-1", "MIG-2")), *others))
    said = text.describe(cut).splitlines()
    assert "# GPU  nearest cards  CPUs  links  MIG" in said
    assert "GPU0  mlx5_0:1  0-15  NV4:1  2 MIG devices" in said and "GPU1  mlx5_0:1  0-15  NV4:0  no MIG device" in said


def test_cards_that_are_down_are_near_nobody(machines):
    machine = reading.read(machines / "dgx1.txt")
    down = [dataclasses.replace(card, is_up=card.name != "ib0") for card in machine.cards]
    only = [dataclasses.replace(card, is_up=False) for card in machine.cards]
    said = text.describe(dataclasses.replace(machine, cards=tuple(down)))
    assert "GPU0  ib2  0-19,40-59  NV1:1,2 NV2:3,4\n" in said and "ib0  InfiniBand  -  down" in said
    said = text.describe(dataclasses.replace(machine, cards=tuple(only)))
    assert "GPU0  -  0-19" in said and said.endswith("\nno network card that UCX would use\n")


def test_gpus_without_a_link_are_told_by_closeness(machines):
    machine = dataclasses.replace(reading.read(machines / "bridged.txt"), links={})
    assert [neighbours.partners(machine, gpu) for gpu in machine.gpus] == ["NODE:1", "NODE:0", "NODE:3", "NODE:2"]


def test_no_name_takes_a_second_line_or_steers_a_terminal():
    machine = Machine(name="a\nb", source="\x1b[31mred", gpus=(Gpu(0, model="x\ty"),), cards=(Card("eth\r0\x07"),))
    said = text.describe(machine)
    assert said.startswith("a b (?[31mred): 1 GPU (x y), 1 network card\n")
    assert "\neth 0?  -" in said
    assert {letter for letter in said if not letter.isprintable()} == {"\n"}


@pytest.mark.parametrize(("link", "name"), [
    (Link(width=2), "NV2"), (Link(width=4, gb_per_s=80), "NV4"), (Link("XGMI", 1), "XGMI1"), (Link(), "NVLink"),
    (Link("XGMI", gb_per_s=50), "XGMI 50 GB/s"), (Link(gb_per_s=18.75), "NVLink 18.75 GB/s")])  # fmt: skip
def test_names_of_links(link, name):
    assert wording.link(link) == name


@pytest.mark.parametrize(("size", "said"), [
    (None, "-"), (0, "0 B"), (1023, "1023 B"), (1 << 30, "1 GiB"), (270_000_000_000, "251 GiB"),
    (8277458944, "7.71 GiB"), (1000 << 30, "1000 GiB"), (3 << 39, "1.5 TiB"), (5000 << 40, "5000 TiB")])  # fmt: skip
def test_memory_has_three_digits(size, said):
    assert wording.memory(size) == said


@pytest.mark.parametrize(("gb_per_s", "said"), [(None, "-"), (12.5, "100 Gb/s"), (50, "400 Gb/s"), (0.0125, "100 Mb/s"),
                                                (6.25, "50 Gb/s"), (0.3125, "2.5 Gb/s")])
def test_rates_are_those_that_cards_are_sold_by(gb_per_s, said):
    assert wording.rate(Card("eth0", gb_per_s=gb_per_s)) == said


@pytest.mark.parametrize(("numbers", "said"), [([], ""), ([3], "3"), ([2, 1], "1,2"), ([1, 2, 3], "1-3"),
                                               ([0, 1, 3, 4, 5, 6, 9], "0,1,3-6,9")])
def test_three_and_more_numbers_are_a_range(numbers, said):
    assert wording.indices(numbers) == said


def test_lists_of_gpus_over_links_have_no_hyphen():
    made = linked(5, {(0, 1): 1, (0, 2): 1, (1, 2): 1, (3, 4): 1})
    assert "\nall to all  0,1,2 3,4\nno link  0-3 0-4 1-3 1-4 2-3 2-4\n" in text.describe(made)
    assert "\nall to all  0,1\nno link  0-2 1-2\n" in text.describe(linked(3, {(0, 1): 1}))  # 2 is alone


@pytest.mark.parametrize(("count", "said"), [(64, "0-2:1"), (65, "2016 pairs\n"), (1024, "522753 pairs\n")])
def test_pairs_without_a_link_are_counted_where_they_are_many(count, said):
    made = linked(count, {(gpu, gpu + 1): 1 for gpu in range(count - 1)})
    assert f"\nno link  {said}" in text.describe(made)
