# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Machines for the tests of the planner: of given sizes, drawn by hypothesis, and the DGX-1 of a file."""

import datetime
import functools
import itertools
import pathlib

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from ucxx.topology import Card, Closeness, Core, Gpu, Link, Machine, Node, read

# The deadline of one example ends what hangs, also on a busy machine; it measures nothing.
checked = functools.partial(
    settings, deadline=datetime.timedelta(seconds=5), max_examples=100, derandomize=True, database=None,
    suppress_health_check=[HealthCheck.too_slow],
)  # fmt: skip


@functools.cache
def dgx1():
    """Return the DGX-1 as its file describes it."""
    return read(pathlib.Path(__file__).resolve().parent / "machines/dgx1.txt")


def cores(count, nodes=1, threads=1):
    """Return cores in as many NUMA nodes, each in its own package; second hardware threads follow all first ones."""
    numbers = range(count)
    nodes_of = [number * nodes // count for number in numbers]
    threads_of = [frozenset(range(number, count * threads, count)) for number in numbers]
    return tuple(Core(threads_of[number], nodes_of[number], nodes_of[number]) for number in numbers)


def machine(count=4, nodes=1, threads=1, **more):
    """Return a machine of so many cores, with what else is given."""
    return Machine(cores=cores(count, nodes, threads), nodes=tuple(Node(node, node) for node in range(nodes)), **more)


def linked(count, links):
    """Return a machine of so many GPUs, whose pairs have links of these widths (or bandwidths, where it is a float)."""
    made = {pair: Link(gb_per_s=size) if isinstance(size, float) else Link(width=size) for pair, size in links.items()}
    return machine(gpus=tuple(map(Gpu, range(count))), links=made)


def big(count, nodes, *, tells_cpus=True):
    """Return a big machine: 16 GPUs and 8 cards on NUMA nodes; these tell their CPUs, or their node alone."""
    made = machine(count, nodes, threads=2)
    near = [made.cpus_of(node) if tells_cpus else frozenset() for node in range(nodes)]
    gpus = tuple(Gpu(index, near[index * nodes // 16], index * nodes // 16) for index in range(16))
    cards = tuple(
        Card(f"mlx5_{number}", near[number * nodes // 8], number * nodes // 8, kind="infiniband", port=1)
        for number in range(8)
    )
    return Machine(cores=made.cores, nodes=made.nodes, gpus=gpus, cards=cards)


KINDS = ["infiniband", "roce", "ethernet", ""]
RATES = st.none() | st.floats(0.001, 400)


@st.composite
def any_links(draw, indices):
    """Draw links between some pairs of GPUs: all of them tell a width, or all a bandwidth, or nothing."""
    kinds = draw(st.sampled_from([
        [Link(width=width) for width in (1, 2, 3)],
        [Link(gb_per_s=rate) for rate in (12.5, 25.0, 50.0)],
        [Link("XGMI")],
    ]))  # fmt: skip
    pairs = list(itertools.combinations(sorted(indices), 2))
    chosen = draw(st.lists(st.sampled_from([None, None, *kinds]), min_size=len(pairs), max_size=len(pairs)))
    return {pair: link for pair, link in zip(pairs, chosen, strict=True) if link is not None}


@st.composite
def linked_gpus(draw, most=6):
    """Draw a machine of up to so many GPUs, numbered with gaps, with links at random."""
    indices = draw(st.lists(st.integers(0, 9), min_size=1, max_size=most, unique=True))
    return machine(gpus=tuple(map(Gpu, indices)), links=draw(any_links(indices)))


@st.composite
def any_cores(draw):
    """Draw cores: 1 to 4 packages of 1 or 2 NUMA nodes, of which some have no core; numbered with gaps."""
    sizes = draw(st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=2), min_size=1, max_size=4)
                 .filter(lambda sizes: any(map(sum, sizes))))  # fmt: skip
    threads, gap = draw(st.sampled_from([1, 2])), draw(st.sampled_from([1, 3]))
    count = sum(map(sum, sizes))
    numbers, indices = itertools.count(), itertools.count(0, gap)
    made, nodes = [], []
    for package, inside in enumerate(sizes):
        for size in inside:
            nodes.append(Node(next(indices), package))
            made += [Core(frozenset(range(number, count * threads, count)), nodes[-1].index, package)
                     for number in itertools.islice(numbers, size)]  # fmt: skip
    return tuple(made), tuple(nodes)


@st.composite
def any_region(draw, made, nodes):
    """Draw what a device is near: (CPUs, NUMA node), nested in each other or apart; nothing where it is not known."""
    node = draw(st.sampled_from(nodes))
    own = [core for core in made if core.node == node.index]
    around = [core for core in made if core.package == node.package]
    half = (len(own) + 1) // 2
    near = draw(st.sampled_from([[], own, own[:half], own[half:], own[:1], around, made]))
    return frozenset().union(*(core.cpus for core in near)), draw(st.sampled_from([None, node.index]))


@st.composite
def any_gpus(draw, made, nodes, least):
    """Draw up to 6 GPUs, numbered with gaps."""
    indices = draw(st.lists(st.integers(0, 9), min_size=least, max_size=6, unique=True))
    return tuple(Gpu(index, *draw(any_region(made, nodes))) for index in sorted(indices))


@st.composite
def any_cards(draw, made, nodes):
    """Draw up to 4 cards of all kinds, up and down."""
    return tuple(
        Card(f"card{number}", *draw(any_region(made, nodes)), kind=draw(st.sampled_from(KINDS)),
             interface=draw(st.sampled_from(["", f"net{number}"])), port=draw(st.sampled_from([None, 1])),
             gb_per_s=draw(RATES), is_up=draw(st.sampled_from([None, True, False])))
        for number in range(draw(st.integers(0, 4)))
    )  # fmt: skip


@st.composite
def any_machine(draw, least_gpus=0, *, is_bare=False):
    """Draw a machine: cores, GPUs near some of them, and, unless it is bare, cards, links, closeness of some pairs."""
    made, nodes = draw(any_cores())
    gpus = draw(any_gpus(made, nodes, least_gpus))
    if is_bare:
        return Machine("drawn", "hypothesis", made, nodes, gpus)
    cards = draw(any_cards(made, nodes))
    pairs = list(itertools.combinations(sorted(device.name for device in (*gpus, *cards)), 2))
    told = draw(st.lists(st.sampled_from([None, *Closeness]), min_size=len(pairs), max_size=len(pairs)))
    between = {pair: near for pair, near in zip(pairs, told, strict=True) if near is not None}
    links = draw(any_links([gpu.index for gpu in gpus]))
    return Machine("drawn", "hypothesis", made, nodes, gpus, cards, links, between)


@st.composite
def any_allowed(draw, made):
    """Draw the CPUs that a process may use: None, or some of a machine's and one that it has not."""
    if draw(st.booleans()):
        return None
    return frozenset(draw(st.sets(st.sampled_from(sorted(made.cpus)), min_size=1))) | {max(made.cpus) + 1}
