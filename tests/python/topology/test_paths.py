# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Ways over the links between GPUs: against all ways that there are, and of a DGX-1."""

import itertools

import pytest
from hypothesis import given
from made_machines import checked, dgx1, linked, linked_gpus, machine

from ucxx.topology import Gpu, Link, neighbours, paths
from ucxx.topology.figures import rate_of_link


def pairs(made):
    """Return each two GPUs by their indices, the lower one first."""
    return list(itertools.combinations(sorted(gpu.index for gpu in made.gpus), 2))


def narrowest(made, way):
    """Return the least rate of a way's links, None where one is missing."""
    links = [made.link(*hop) for hop in itertools.pairwise(way)]
    return None if None in links else min(map(rate_of_link, links))


def best_way(made, one, other):
    """Return (hops, rate) of the best way, found among all; None where there is none."""
    between = {gpu.index for gpu in made.gpus} - {one, other}
    ways = [
        (-len(middle) - 1, least)
        for size in range(len(between) + 1)
        for middle in itertools.permutations(between, size)
        if (least := narrowest(made, (one, *middle, other))) is not None
    ]
    if not ways:
        return None
    hops, least = max(ways)
    return -hops, least


@checked()
@given(linked_gpus(5))
def test_paths_are_the_best_of_all_and_symmetric(made):
    for one, other in pairs(made):
        found, back = paths.path(made, one, other), paths.path(made, other, one)
        if found is None:
            assert back is best_way(made, one, other) is None
            continue
        assert (found.gpus[0], found.gpus[-1]) == (one, other)
        assert (back.gpus, back.narrowest) == (found.gpus[::-1], found.narrowest)
        assert found.narrowest in [made.link(*hop) for hop in itertools.pairwise(found.gpus)]
        assert narrowest(made, found.gpus) == rate_of_link(found.narrowest)
        assert (len(found.gpus) - 1, rate_of_link(found.narrowest)) == best_way(made, one, other)


@checked()
@given(linked_gpus(9))
def test_linked_pairs_have_their_link_as_path(made):
    for one, other in pairs(made):
        found, link = paths.path(made, one, other), made.link(one, other)
        assert (link is not None) == (found is not None and found.is_direct)
        if link is not None:
            assert found == paths.Path((one, other), link)


@checked()
@given(linked_gpus(9))
def test_unlinked_are_all_pairs_without_a_link(made):
    assert paths.count_unlinked(made) == len(paths.unlinked(made))
    assert sorted([*paths.unlinked(made), *made.links]) == pairs(made)
    assert set(paths.unlinked(made)).isdisjoint(made.links)


@checked()
@given(linked_gpus(9))
def test_relays_are_the_common_neighbours_widest_first(made):
    for one, other in pairs(made):
        found = paths.relays(made, one, other)
        others = [gpu.index for gpu in made.gpus if gpu.index not in (one, other)]
        assert sorted(found) == sorted(gpu for gpu in others if made.link(one, gpu) and made.link(gpu, other))
        widths = [narrowest(made, (one, relay, other)) for relay in found]
        assert widths == sorted(widths, reverse=True)
        assert found == paths.relays(made, other, one)
        way = paths.path(made, one, other)
        if made.link(one, other) is None and found:
            assert way == paths.Path((one, found[0], other), way.narrowest)


@checked()
@given(linked_gpus(9))
def test_groups_are_cliques_and_each_gpu_is_in_one(made):
    found = paths.groups(made)
    assert sorted(itertools.chain(*found)) == sorted(gpu.index for gpu in made.gpus)
    assert [group[0] for group in found] == sorted(min(group) for group in found)
    for group in found:
        assert all(made.link(*pair) for pair in itertools.combinations(group, 2))
    for group, later in itertools.combinations(found, 2):
        assert not any(all(made.link(gpu, member) for member in group) for gpu in later)


@checked()
@given(linked_gpus(6))
def test_ring_is_the_widest_of_all(made):
    first, *others = sorted(gpu.index for gpu in made.gpus)
    around = [(first, *middle, first) for middle in itertools.permutations(others)] if len(others) > 1 else []
    widths = [least for way in around if (least := narrowest(made, way)) is not None]
    found = paths.ring(made)
    assert (found is None) == (not widths)
    if found is not None:
        assert found.gpus[0] == first and sorted(found.gpus) == [first, *others]
        assert narrowest(made, (*found.gpus, first)) == rate_of_link(found.narrowest) == max(widths)


def test_path_to_itself_is_refused():
    with pytest.raises(ValueError, match=r"GPU1 is both ends of the path; give two GPUs"):
        paths.path(linked(2, {(0, 1): 1}), 1, 1)


def test_no_links_lead_to_a_gpu_that_is_not_there():
    assert paths.path(linked(2, {(0, 1): 1}), 0, 7) is None


def test_bandwidth_counts_before_width():
    # By 1: both links at 50 GB/s; by 2: one at 25 GB/s.
    made = linked(4, {(0, 1): 50.0, (1, 3): 50.0, (0, 2): 50.0, (2, 3): 25.0})
    assert paths.path(made, 0, 3) == paths.Path((0, 1, 3), Link(gb_per_s=50.0))


def test_of_equal_ways_the_lowest_indices_are_taken():
    made = linked(5, {(0, 1): 1, (0, 2): 1, (0, 3): 1, (1, 4): 1, (2, 4): 1, (3, 4): 2})
    assert paths.path(made, 0, 4).gpus == (0, 1, 4)


def test_of_equal_ways_over_two_relays_the_lowest_indices_are_taken():
    made = linked(5, {(0, 1): 1, (0, 2): 2, (1, 3): 2, (2, 3): 2, (3, 4): 1})
    assert paths.path(made, 0, 4).gpus == (0, 1, 3, 4)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_rings_need_three(count):
    assert paths.ring(linked(count, {(0, 1): 1} if count == 2 else {})) is None


def test_rings_of_many_are_found():
    made = linked(64, {pair: 18 for pair in itertools.combinations(range(64), 2)})
    assert paths.ring(made) == paths.Path(tuple(range(64)), Link(width=18))


def test_looking_for_a_ring_ends():
    # Two groups with nothing between: each order of the first, of 15!, would be tried.
    groups = [*itertools.combinations(range(16), 2), *itertools.combinations(range(16, 32), 2)]
    made = linked(32, dict.fromkeys(groups, 1))
    assert paths.ring(made) is None
    assert paths.path(made, 0, 31) is None


def equal_links():
    """Give rings of 4 GPUs of one link, with another one of equal rate across: (link, machine)."""
    equal = [Link(), Link(width=1), Link(gb_per_s=20.0), Link("XGMI", gb_per_s=20.0), Link("XGMI", 1, 20.0)]
    assert {rate_of_link(link) for link in equal} == {20}
    for own, across in itertools.permutations(equal, 2):
        links = {(0, 1): own, (1, 2): own, (2, 3): own, (0, 3): own, (0, 2): across}
        yield own, machine(gpus=tuple(map(Gpu, range(4))), links=links)


def test_narrowest_link_is_one_of_the_path():
    for own, made in equal_links():
        assert paths.path(made, 1, 3) == paths.Path((1, 0, 3), own)


def test_narrowest_link_is_one_of_the_ring():
    for own, made in equal_links():
        assert paths.ring(made) == paths.Path((0, 1, 2, 3), own)


def test_one_order_of_links():
    """A wide link whose rate is not told is wider than a slow one that tells it: for ways, rings and texts alike."""
    slow, wide = Link(width=1, gb_per_s=25.0), Link(width=4)
    made = machine(gpus=tuple(map(Gpu, range(4))), links={(0, 1): slow, (1, 3): slow, (0, 2): wide, (2, 3): wide})
    assert paths.relays(made, 0, 3) == [2, 1]
    assert paths.path(made, 0, 3) == paths.Path((0, 2, 3), wide)
    assert paths.ring(made).narrowest == slow
    assert neighbours.links_by_order(made) == [slow, wide]
    told = machine(gpus=made.gpus, links={(0, 1): Link(width=4, gb_per_s=10.0), (0, 2): Link("XGMI")})
    assert neighbours.partners(told, told.gpu(0)) == "NV4:1 XGMI:2 NODE:3"
    assert paths.relays(machine(gpus=made.gpus, links={**told.links, (1, 3): wide, (2, 3): wide}), 0, 3) == [2, 1]


def test_links_of_one_name_are_together():
    links = {(0, 1): Link(width=2, gb_per_s=40.0), (0, 2): Link(width=2, gb_per_s=50.0), (0, 3): Link(width=1)}
    made = machine(gpus=tuple(map(Gpu, range(5))), links=links)
    assert neighbours.partners(made, made.gpu(0)) == "NV1:3 NV2:1,2 NODE:4"
    assert len(neighbours.links_by_order(made)) == 2


def test_links_without_figures_are_equal():
    made = machine(gpus=tuple(map(Gpu, range(3))), links=dict.fromkeys([(0, 1), (1, 2), (0, 2)], Link("XGMI")))
    assert paths.ring(made) == paths.Path((0, 1, 2), Link("XGMI"))


def test_dgx1_has_six_links_a_gpu():
    made = dgx1()
    assert [sum(link.width for _, link in paths.neighbours(made, gpu)) for gpu in range(8)] == [6] * 8
    widths = [link.width for link in made.links.values()]
    assert (widths.count(2), widths.count(1), len(widths)) == (8, 8, 16)


def test_dgx1_has_two_relays_for_each_of_twelve_pairs():
    made = dgx1()
    unlinked = paths.unlinked(made)
    assert len(unlinked) == 12
    assert {len(paths.relays(made, *pair)) for pair in unlinked} == {2}
    assert {len(paths.path(made, *pair).gpus) for pair in unlinked} == {3}


def test_dgx1_has_four_relays_of_double_width():
    made = dgx1()
    found = {pair: paths.path(made, *pair) for pair in paths.unlinked(made)}
    wide = {pair: way.gpus[1] for pair, way in found.items() if way.narrowest.width == 2}
    assert wide == {(0, 7): 4, (1, 6): 5, (2, 5): 1, (3, 4): 0}
    relays = {pair: paths.relays(made, *pair) for pair in wide}
    assert all(narrowest(made, (one, relays[one, other][1], other)) == 20 for one, other in wide)


def test_dgx1_has_one_ring_of_double_links():
    made = dgx1()
    assert paths.ring(made) == paths.Path((0, 3, 2, 1, 5, 6, 7, 4), Link(width=2))
    double = {pair for pair, link in made.links.items() if link.width == 2}
    # Each GPU has two of them, so there is no other ring.
    assert [sum(gpu in pair for pair in double) for gpu in range(8)] == [2] * 8


def test_dgx1_has_two_groups():
    assert paths.groups(dgx1()) == [(0, 1, 2, 3), (4, 5, 6, 7)]
