# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The machine as a value: lists of CPUs, names, what is near what."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_machines import any_machine, checked, machine

from ucxx.topology import Card, Closeness, Core, Gpu, Link, Machine, Node, format_cpus, parse_cpus
from ucxx.topology.machine import pair_of


@checked()
@given(st.frozensets(st.integers(0, 65_535), min_size=1))
def test_lists_of_cpus_are_read_as_they_are_written(cpus):
    assert parse_cpus(format_cpus(cpus)) == cpus
    assert parse_cpus(f" {format_cpus(cpus)}\n") == cpus


@checked()
@given(st.text(st.sampled_from("0123456789-, \tx٣"), max_size=9) | st.text())
def test_any_text_is_a_list_of_cpus_or_refused(text):
    try:
        cpus = parse_cpus(text)
    except ValueError as error:
        assert repr(text.strip()) in str(error)
    else:
        assert parse_cpus(format_cpus(cpus)) == cpus != frozenset()


@pytest.mark.parametrize(("cpus", "text"), [
    ([], ""), ([7], "7"), ([1, 0], "0-1"), (range(4), "0-3"), ([*range(20), *range(40, 60)], "0-19,40-59"),
    ([0, 2, 4, 5], "0,2,4-5"), (iter([3, 2]), "2-3"),
])  # fmt: skip
def test_cpus_are_written_as_linux_does(cpus, text):
    assert format_cpus(cpus) == text


def test_cpus_are_written_once():
    assert format_cpus([1, 1, 2]) == "1-2"


@pytest.mark.parametrize("text", ["", " ", ",", "0,", "-1", "1-", "3-1", "0--3", "0-1-2", "0x3", "1.5", "all", "0;1",
                                  "0-3,,5"])  # fmt: skip
def test_what_is_no_list_of_cpus_is_told(text):
    with pytest.raises(ValueError, match="is no list of CPUs") as raised:
        parse_cpus(text)
    assert repr(text.strip()) in str(raised.value)


@pytest.mark.parametrize("text", ["65536", "0-65536", "999999", "0-9999999999"])
def test_lists_of_cpus_have_a_limit(text):
    with pytest.raises(ValueError, match="is no list of CPUs"):
        parse_cpus(text)


def test_names_are_those_of_other_programs():
    assert Gpu(11).name == "GPU11"
    assert Card("mlx5_0", port=2).ucx_name == "mlx5_0:2"
    assert Card("eth0").ucx_name == "eth0"


def test_machine_knows_its_parts():
    made = machine(4, nodes=2, threads=2, gpus=(Gpu(3), Gpu(1)), links={(1, 3): Link(width=2)})
    assert made.cores[1] == Core(frozenset({1, 5}), 0, 0)
    assert (made.cpus, made.packages) == (frozenset(range(8)), (0, 1))
    assert (made.cpus_of(1), made.cpus_of(2)) == (frozenset({2, 3, 6, 7}), frozenset())
    assert (made.gpu(3), made.gpu(1)) == (Gpu(3), Gpu(1))
    assert made.link(3, 1) == made.link(1, 3) == Link(width=2)
    assert made.link(1, 2) is None
    with pytest.raises(KeyError, match="0"):
        made.gpu(0)


def test_empty_machine_is_one():
    made = Machine()
    assert (made.cpus, made.packages, made.cpus_of(0), made.link(0, 1)) == (frozenset(), (), frozenset(), None)


def test_package_without_a_core_counts():
    assert Machine(nodes=(Node(0, 5),), cores=(Core(frozenset({0}), 1, 2),)).packages == (2, 5)


@pytest.mark.parametrize("change", [{"name": "x"}, {"cores": ()}, {"links": {}}])
def test_machine_cannot_be_changed(change):
    made = machine()
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(made, *next(iter(change.items())))


# NUMA nodes of a GPU and a card, how many nodes there are, and what is then between them.
@pytest.mark.parametrize(("one", "other", "nodes", "between"), [
    (0, 0, 2, Closeness.NODE), (0, 1, 2, Closeness.SYS), (None, None, 2, Closeness.SYS),
    (None, 1, 2, Closeness.SYS), (0, None, 1, Closeness.NODE), (None, None, 1, Closeness.NODE),
])  # fmt: skip
def test_nodes_tell_closeness_where_nothing_else_does(one, other, nodes, between):
    gpu, card = Gpu(0, node=one), Card("ib0", node=other)
    assert machine(4, nodes).closeness(gpu, card) is between
    told = machine(4, nodes, between={pair_of("GPU0", "ib0"): Closeness.PXB})
    assert told.closeness(gpu, card) is told.closeness(card, gpu) is Closeness.PXB


def test_nearest_is_least():
    assert sorted(reversed(Closeness)) == [Closeness.PIX, Closeness.PXB, Closeness.PHB, Closeness.NODE, Closeness.SYS]


@checked()
@given(any_machine())
def test_closeness_and_links_are_symmetric(made):
    devices = [*made.gpus, *made.cards]
    for one in devices:
        for other in devices:
            assert made.closeness(one, other) is made.closeness(other, one)
    for one in made.gpus:
        for other in made.gpus:
            assert made.link(one.index, other.index) == made.link(other.index, one.index)


def test_planner_loads_neither_ucx_nor_dask(run_python):
    status, said = run_python(
        "import sys\n"
        "from ucxx import topology\n"
        "from ucxx.topology import nearest, paths, placement, priors, sharing, visible\n"
        "print({'ucxx._core', 'dask', 'distributed', 'numpy', 'matplotlib'} & set(sys.modules))"
    )  # fmt: skip
    assert (status, said.strip()) == (0, "set()")
