# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The nearest network card of each worker."""

import dataclasses

import pytest
from hypothesis import given
from made_machines import any_machine, checked, dgx1, machine

from ucxx.topology import Card, Closeness, Core, Gpu, Machine, Node
from ucxx.topology.machine import pair_of
from ucxx.topology.nearest import Nearest, nearest_cards, usable
from ucxx.topology.neighbours import cards_of, known_closeness

NONE = frozenset()


def rdma(name, **more):
    """Return a card of InfiniBand."""
    return Card(name, kind="infiniband", **more)


def names_of_gpus(made):
    """Return the names of the nearest cards of all GPUs."""
    return [found.card.ucx_name for found in nearest_cards(made, [(gpu, NONE) for gpu in made.gpus])]


@checked()
@given(any_machine(least_gpus=1))
def test_no_usable_card_is_nearer(made):
    cards = usable(made)
    for gpu, found in zip(made.gpus, nearest_cards(made, [(gpu, NONE) for gpu in made.gpus]), strict=True):
        if not cards:
            assert found == Nearest(None, None)
            continue
        assert found.card in cards
        assert found.closeness is made.closeness(gpu, found.card)
        assert found.closeness == min(made.closeness(gpu, card) for card in cards)


@checked()
@given(any_machine())
def test_usable_cards_are_of_rdma_or_have_an_interface(made):
    found = usable(made)
    assert all(card.is_up is not False for card in found)
    of_rdma = [card for card in found if card.kind != "ethernet"]
    assert found == of_rdma or not of_rdma and all(card.interface for card in found)
    left_out = [card for card in made.cards if card not in found and card.is_up is not False]
    assert all(card.kind == "ethernet" and (of_rdma or not card.interface) for card in left_out)


@checked()
@given(any_machine())
def test_workers_without_a_gpu_have_a_card_of_their_node_where_there_is_one(made):
    cards = usable(made)
    for core in made.cores:
        (found,) = nearest_cards(made, [(None, core.cpus)])
        assert found.card in cards if cards else found == Nearest(None, None)
        near = [card for card in cards if core.cpus & (card.cpus or made.cpus_of(card.node))]
        if near and not made.has_one_node:
            assert found.card in near and found.closeness is Closeness.NODE


@pytest.mark.parametrize(("cards", "names"), [
    ([], []),
    ([Card("eth0", kind="ethernet", interface="eth0")], ["eth0"]),
    ([Card("eth0", kind="ethernet")], []),
    ([Card("eth0", kind="ethernet", interface="eth0"), Card("mlx5_0", kind="roce")], ["mlx5_0"]),
    ([Card("eth0", kind="ethernet", interface="eth0"), rdma("mlx5_0", is_up=False)], ["eth0"]),
    ([rdma("mlx5_0", is_up=False), rdma("mlx5_1", is_up=True), rdma("mlx5_2")], ["mlx5_1", "mlx5_2"]),
    ([Card("NIC0")], ["NIC0"]),
])  # fmt: skip
def test_usable_cards(cards, names):
    assert [card.name for card in usable(machine(cards=tuple(cards)))] == names


def test_cards_are_shared_out_evenly():
    made = machine(gpus=tuple(map(Gpu, range(6))), cards=tuple(rdma(f"ib{number}") for number in range(3)))
    assert names_of_gpus(made) == ["ib0", "ib1", "ib2"] * 2


def test_ports_of_a_card_are_shared_out_evenly():
    made = machine(gpus=tuple(map(Gpu, range(4))), cards=(rdma("mlx5_0", port=1), rdma("mlx5_0", port=2)))
    assert names_of_gpus(made) == ["mlx5_0:1", "mlx5_0:2"] * 2


def test_a_nearer_card_counts_before_one_that_fewer_have():
    between = {pair_of(f"GPU{gpu}", "ib1"): Closeness.PIX for gpu in range(3)}
    made = machine(gpus=tuple(map(Gpu, range(3))), cards=(rdma("ib0"), rdma("ib1")), between=between)
    assert names_of_gpus(made) == ["ib1"] * 3


def test_card_that_is_down_is_passed_over():
    between = {pair_of("GPU0", "ib0"): Closeness.PIX, pair_of("GPU0", "ib1"): Closeness.SYS}
    cards = (rdma("ib0", is_up=False), rdma("ib1", is_up=True))
    (found,) = nearest_cards(machine(gpus=(Gpu(0),), cards=cards, between=between), [(Gpu(0), NONE)])
    assert found == Nearest(cards[1], Closeness.SYS)


@pytest.mark.parametrize("near", [{"cpus": frozenset({2, 3})}, {"node": 1}], ids=["CPUs", "node"])
def test_workers_of_cores_get_the_card_of_their_node(near):
    made = machine(4, nodes=2, cards=(rdma("ib0", cpus=frozenset({0, 1})), rdma("ib1", **near)))
    found = nearest_cards(made, [(None, frozenset({cpu})) for cpu in range(4)])
    assert [(one.card.name, one.closeness) for one in found] == [
        ("ib0", Closeness.NODE), ("ib0", Closeness.NODE), ("ib1", Closeness.NODE), ("ib1", Closeness.NODE)]  # fmt: skip


def test_one_card_is_for_all_nodes():
    made = machine(4, nodes=2, cards=(rdma("ib0", node=1),))
    found = nearest_cards(made, [(None, frozenset({cpu})) for cpu in range(4)])
    assert [one.closeness for one in found] == [Closeness.SYS, Closeness.SYS, Closeness.NODE, Closeness.NODE]


def test_card_of_which_nothing_is_known_is_near_where_there_is_one_node():
    found = nearest_cards(machine(4, cards=(rdma("ib0"),)), [(None, frozenset({0}))])
    assert [one.closeness for one in found] == [Closeness.NODE]


def test_dgx1_has_the_nearest_card_of_each_gpu():
    made = dgx1()
    found = nearest_cards(made, [(gpu, NONE) for gpu in made.gpus])
    assert [one.card.name for one in found] == ["ib0", "ib0", "ib2", "ib2", "ib1", "ib1", "ib3", "ib3"]
    assert {one.closeness for one in found} == {Closeness.PIX}


def test_dgx1_has_a_second_card_behind_the_host_bridge():
    made = dgx1()
    order = [sorted(made.cards, key=lambda card, gpu=gpu: made.closeness(gpu, card)) for gpu in made.gpus]
    assert [cards[1].name for cards in order] == ["ib2", "ib2", "ib0", "ib0", "ib3", "ib3", "ib1", "ib1"]
    for gpu, cards in zip(made.gpus, order, strict=True):
        assert [made.closeness(gpu, card).name for card in cards] == ["PIX", "PHB", "SYS", "SYS"]


def test_dgx1_has_no_gpu_with_a_card_across_the_socket():
    # The fault of old: the rule ib(gpu // 2) does it to four of them.
    made = dgx1()
    cards = {card.name: card for card in made.cards}
    assert [made.closeness(gpu, cards[f"ib{gpu.index // 2}"]) for gpu in made.gpus].count(Closeness.SYS) == 4
    found = nearest_cards(made, [(gpu, NONE) for gpu in made.gpus])
    assert all(one.closeness is not Closeness.SYS and one.card.cpus == gpu.cpus
               for gpu, one in zip(made.gpus, found, strict=True))  # fmt: skip


@pytest.mark.parametrize("down", ["ib0", "ib1", "ib2", "ib3"])
def test_dgx1_takes_the_second_card_where_the_nearest_is_down(down):
    made = dgx1()
    cards = tuple(dataclasses.replace(card, is_up=card.name != down) for card in made.cards)
    found = nearest_cards(dataclasses.replace(made, cards=cards), [(gpu, NONE) for gpu in made.gpus])
    assert {one.closeness for one in found} == {Closeness.PIX, Closeness.PHB}
    assert down not in {one.card.name for one in found}


def nps4():
    """Return two sockets of four NUMA nodes each, with a card at node 4 and one at node 1."""
    cores = tuple(Core(frozenset({cpu}), cpu // 4, cpu // 16) for cpu in range(32))
    nodes = tuple(Node(node, node // 4) for node in range(8))
    near = [frozenset(range(4 * node, 4 * node + 4)) for node in range(8)]
    cards = (rdma("mlx5_0", cpus=near[4], node=4), rdma("mlx5_1", cpus=near[1], node=1))
    gpus = (Gpu(0, near[0], 0), Gpu(1, near[7], 7), Gpu(2, frozenset(range(16))))
    return Machine(cores=cores, nodes=nodes, gpus=gpus, cards=cards)


def test_card_of_the_same_package_is_nearer_than_one_of_another():
    made = nps4()
    assert names_of_gpus(made) == ["mlx5_1", "mlx5_0", "mlx5_1"]
    assert [cards_of(made, gpu) for gpu in made.gpus] == [(made.cards[number],) for number in (1, 0, 1)]
    found = nearest_cards(made, [(None, made.cpus_of(node)) for node in range(8)])
    assert [(one.card.name, one.closeness.name) for one in found] == [
        ("mlx5_1", "SYS"), ("mlx5_1", "NODE"), ("mlx5_1", "SYS"), ("mlx5_1", "SYS"),
        ("mlx5_0", "NODE"), ("mlx5_0", "SYS"), ("mlx5_0", "SYS"), ("mlx5_0", "SYS")]  # fmt: skip


def test_card_of_the_same_package_has_all_its_workers():
    made = nps4()
    found = nearest_cards(made, [(made.gpus[0], NONE)] * 3)
    assert {one.card.name for one in found} == {"mlx5_1"}


def test_package_is_that_of_the_cores_where_no_node_is_described():
    made = dataclasses.replace(nps4(), nodes=())
    assert names_of_gpus(made) == ["mlx5_1", "mlx5_0", "mlx5_1"]


@pytest.mark.parametrize("gpu", [Gpu(0), Gpu(0, node=0)], ids=["unknown GPU", "GPU of node 0"])
def test_card_whose_node_is_not_known_is_behind_one_of_the_same_node(gpu):
    made = machine(4, nodes=2, gpus=(gpu,), cards=(rdma("ib0"), rdma("ib1", node=0)))
    (found,) = nearest_cards(made, [(gpu, frozenset())])
    assert found == (Nearest(made.cards[1], Closeness.NODE) if gpu.node == 0 else Nearest(made.cards[0], Closeness.SYS))


def test_node_of_memory_alone_sets_nothing_apart():
    # As an expander's (CXL), or the memory of a GPU (Grace).
    made = machine(4, gpus=(Gpu(0), Gpu(1, node=1)), cards=(rdma("ib0", node=0),))
    made = dataclasses.replace(made, nodes=(*made.nodes, Node(1, 0)))
    found = nearest_cards(made, [(gpu, NONE) for gpu in made.gpus] + [(None, frozenset({3}))])
    assert [one.closeness for one in found] == [Closeness.NODE] * 3
    assert known_closeness(made, made.gpus[0], made.cards[0]) is Closeness.NODE


@checked()
@given(any_machine(least_gpus=1))
def test_closeness_that_is_known_is_that_of_the_machine(made):
    for gpu in made.gpus:
        for other in (*made.gpus, *made.cards):
            known = known_closeness(made, gpu, other)
            assert known in (None, made.closeness(gpu, other))
            assert known is not None or made.closeness(gpu, other) is Closeness.SYS
