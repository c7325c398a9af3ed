# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Shares out cores to workers that may each have some of them: evenly, and none twice where there are enough."""

from __future__ import annotations

import collections
from collections.abc import Sequence


def share(regions: Sequence[Sequence[int]], wanted: Sequence[int]) -> list[list[int]]:
    """Return the cores of each worker, neighbours as far as possible; at least one, which others may have too.

    No core is given twice where each region has as many cores as workers, if of two regions that have a core
    in common one holds the other, as regions of a machine do.

    Args:
        regions: different regions, each with the numbers of its cores, at least one.
        wanted: of each worker, the index of its region.
    """
    counts = _counts(regions, wanted)
    free = [iter(region) for region in regions]
    taken: set[int] = set()
    again = [0] * len(regions)
    given: list[list[int]] = [[] for _ in wanted]
    for worker in sorted(range(len(wanted)), key=lambda worker: (len(regions[wanted[worker]]), worker)):
        region = wanted[worker]
        while len(given[worker]) < counts[worker] and (core := _next(free[region], taken)) is not None:
            given[worker].append(core)
        if not given[worker]:
            given[worker].append(regions[region][again[region] % len(regions[region])])
            again[region] += 1
        taken.update(given[worker])
    return given


def _next(cores: collections.abc.Iterator[int], taken: set[int]) -> int | None:
    return next((core for core in cores if core not in taken), None)


def _counts(regions: Sequence[Sequence[int]], wanted: Sequence[int]) -> list[int]:
    """Return how many cores each worker gets: in turn one more, as long as each region around its own has one left."""
    around = _around(regions)
    left = [len(region) for region in regions]
    counts = [0] * len(wanted)
    waiting = collections.deque(range(len(wanted)))
    while waiting:
        worker = waiting.popleft()
        if all(left[region] for region in around[wanted[worker]]):
            counts[worker] += 1
            for region in around[wanted[worker]]:
                left[region] -= 1
            waiting.append(worker)
    return counts


def _around(regions: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return of each region those that hold it whole, itself too."""
    sets = [frozenset(region) for region in regions]
    holders = collections.defaultdict(list)
    for index, region in enumerate(regions):
        for core in region:
            holders[core].append(index)
    return [[index for index in holders[region[0]] if sets[index] >= cores]
            for region, cores in zip(regions, sets, strict=True)]  # fmt: skip
