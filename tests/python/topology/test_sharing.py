# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""How cores are shared out among workers, each of which may have some of them."""

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_machines import checked

from ucxx.topology.sharing import share


@st.composite
def wanted_of(draw, regions):
    """Draw the region of each worker."""
    return draw(st.lists(st.integers(0, len(regions) - 1), max_size=12))


@st.composite
def any_regions(draw):
    """Draw different regions, and the region of each worker."""
    region = st.lists(st.integers(0, 9), min_size=1, max_size=6, unique=True).map(sorted).map(tuple)
    regions = draw(st.lists(region, min_size=1, max_size=5, unique=True))
    return regions, draw(wanted_of(regions))


@st.composite
def nested_regions(draw):
    """Draw regions of which two are apart, or one holds the other, in any order; and the region of each worker."""
    cuts = draw(st.lists(st.integers(1, 11), max_size=5))
    parts = [(0, 12)]
    for cut in cuts:
        first, last = next((first, last) for first, last in reversed(parts) if first <= cut < last)
        parts += [part for part in ((first, cut), (cut, last)) if part[0] < part[1] and part not in parts]
    regions = draw(st.permutations([tuple(range(*part)) for part in parts]))
    regions = regions[: draw(st.integers(1, len(regions)))]
    return regions, draw(wanted_of(regions))


@st.composite
def separate_regions(draw):
    """Draw regions without a core in common, and the region of each worker."""
    sizes = draw(st.lists(st.integers(1, 7), min_size=1, max_size=4))
    ends = list(itertools.accumulate(sizes))
    regions = [tuple(range(end - size, end)) for size, end in zip(sizes, ends, strict=True)]
    return regions, draw(wanted_of(regions))


@checked()
@given(any_regions())
def test_any_worker_gets_cores_of_its_region(drawn):
    regions, wanted = drawn
    given_cores = share(regions, wanted)
    assert len(given_cores) == len(wanted)
    for own, region in zip(given_cores, wanted, strict=True):
        assert own and set(own) <= set(regions[region]) and len(set(own)) == len(own)


def inside(regions, wanted, region):
    """Return how many workers may only have cores of this region."""
    return sum(set(regions[own]) <= set(regions[region]) for own in wanted)


@checked(max_examples=300)
@given(nested_regions())
def test_no_core_is_given_twice_where_there_are_enough(drawn):
    regions, wanted = drawn
    given_cores = share(regions, wanted)
    too_small = [set(cores) for index, cores in enumerate(regions) if inside(regions, wanted, index) > len(cores)]
    shared = {core for core, count in Counter(itertools.chain(*given_cores)).items() if count > 1}
    for own, region in zip(given_cores, wanted, strict=True):
        if shared & set(own):
            assert any(set(regions[region]) <= small or small <= set(regions[region]) for small in too_small)
    if not too_small:
        assert not shared


@checked()
@given(nested_regions())
def test_workers_of_one_region_get_as_many_but_for_one(drawn):
    regions, wanted = drawn
    counts = {}
    for own, region in zip(share(regions, wanted), wanted, strict=True):
        counts.setdefault(region, []).append(len(own))
    assert all(max(sizes) - min(sizes) <= 1 for sizes in counts.values())


@checked()
@given(separate_regions())
def test_all_cores_of_a_region_are_shared_out(drawn):
    regions, wanted = drawn
    users = {}
    for own, region in zip(share(regions, wanted), wanted, strict=True):
        users.setdefault(region, []).append(own)
    for region, owns in users.items():
        assert set(itertools.chain(*owns)) == set(regions[region])
        times = Counter(itertools.chain(*owns)).values()
        assert max(times) - min(times) <= 1


@pytest.mark.parametrize(("regions", "wanted", "given_cores"), [
    ([(0,)], [], []),
    ([(0, 1, 2, 3)], [0], [[0, 1, 2, 3]]),
    ([(0, 1, 2, 3)], [0, 0], [[0, 1], [2, 3]]),
    ([(0, 1, 2, 3)], [0, 0, 0], [[0, 1], [2], [3]]),
    ([(0, 1)], [0, 0, 0, 0, 0], [[0], [1], [0], [1], [0]]),
    ([(0, 1, 2, 3), (0, 1)], [0, 1], [[2, 3], [0, 1]]),
    ([(0, 1, 2, 3), (2,)], [0, 1], [[0, 1, 3], [2]]),
    ([(0, 1, 2), (0,)], [0, 0, 1], [[1], [2], [0]]),
    ([(0, 1), (1, 2)], [0, 1], [[0, 1], [2]]),
])  # fmt: skip
def test_shares(regions, wanted, given_cores):
    assert share(regions, wanted) == given_cores
