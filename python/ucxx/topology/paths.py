# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Ways over the direct links between GPUs: for pairs without a link, around in a ring, and groups that are linked."""

from __future__ import annotations

import collections
import dataclasses
import itertools
from typing import TYPE_CHECKING

from ucxx.topology.figures import rate_of_link
from ucxx.topology.machine import Link

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ucxx.topology.machine import Machine


@dataclasses.dataclass(frozen=True)
class Path:
    """A way between two GPUs over direct links: their indices from end to end, and the narrowest link on it."""

    gpus: tuple[int, ...]
    narrowest: Link

    @property
    def is_direct(self) -> bool:
        """Tell whether no third GPU is on it."""
        return len(self.gpus) == 2


def path(machine: Machine, one: int, other: int) -> Path | None:
    """Return the way with the fewest hops, of these the widest, of these the one with the lowest indices.

    So a pair with a link has that link, and the way back is the same one. None: no links lead there.

    Raises:
        ValueError: both ends are the same.
    """
    if one == other:
        raise ValueError(f"GPU{one} is both ends of the path; give two GPUs")
    first, last = min(one, other), max(one, other)
    shortest = _shortest(machine, first, last, None)
    if shortest is None:
        return None
    for narrowest in sorted(set(machine.links.values()), key=rate_of_link, reverse=True):
        way = _shortest(machine, first, last, narrowest)
        if way is not None and len(way) == len(shortest):
            return Path(way if one < other else way[::-1], _narrowest(machine, way))
    raise AssertionError("the shortest way has a narrowest link")


def _shortest(machine: Machine, first: int, last: int, least: Link | None) -> tuple[int, ...] | None:
    """Return the shortest way over links of at least that rate, of several the one with the lowest indices."""
    ways: dict[int, tuple[int, ...]] = {first: (first,)}
    waiting = collections.deque([first])
    while waiting and last not in ways:
        gpu = waiting.popleft()
        for other, link in neighbours(machine, gpu):
            if other not in ways and (least is None or rate_of_link(link) >= rate_of_link(least)):
                ways[other] = (*ways[gpu], other)
                waiting.append(other)
    return ways.get(last)


def _narrowest(machine: Machine, way: tuple[int, ...]) -> Link:
    return min((machine.links[min(pair), max(pair)] for pair in itertools.pairwise(way)), key=rate_of_link)


def neighbours(machine: Machine, gpu: int) -> Iterable[tuple[int, Link]]:
    """Return the GPUs to which a GPU has links, in the order of their indices."""
    return machine.linked.get(gpu, {}).items()


def count_unlinked(machine: Machine) -> int:
    """Return how many pairs of GPUs have no link."""
    count = len(machine.gpus)
    return count * (count - 1) // 2 - sum(map(len, machine.linked.values())) // 2


def unlinked(machine: Machine) -> list[tuple[int, int]]:
    """Return the pairs of GPUs without a link, the lower index first."""
    indices = sorted(gpu.index for gpu in machine.gpus)
    return [(a, b) for a in indices for b in indices if a < b and machine.link(a, b) is None]


def relays(machine: Machine, one: int, other: int) -> list[int]:
    """Return the GPUs that have links to both, the widest way first."""
    there = dict(neighbours(machine, other))
    rates = {gpu: min(map(rate_of_link, (link, there[gpu]))) for gpu, link in neighbours(machine, one) if gpu in there}
    return sorted(rates, key=lambda gpu: (-rates[gpu], gpu))


def groups(machine: Machine) -> list[tuple[int, ...]]:
    """Return the GPUs in groups in which each has a link to each, begun with the lowest index; a GPU is in one."""
    rest = sorted(gpu.index for gpu in machine.gpus)
    found = []
    while rest:
        group: list[int] = []
        for gpu in rest:
            if all(machine.link(gpu, member) for member in group):
                group.append(gpu)
        rest = [gpu for gpu in rest if gpu not in group]
        found.append(tuple(group))
    return found


# A ring of 16 GPUs takes some hundred steps; a file may describe one that would take for ever.
_MOST_STEPS = 50_000


def ring(machine: Machine) -> Path | None:
    """Return a way once around over all GPUs whose narrowest link is as wide as can be, its ends next to each other.

    It begins with the lowest index. None: there is none, or none is found in 50,000 steps, or of fewer than three GPUs.
    """
    indices = sorted(gpu.index for gpu in machine.gpus)
    if len(indices) < 3:
        return None
    rates = sorted({rate_of_link(link) for link in machine.links.values()})
    best, low, high = None, 0, len(rates)
    while low < high:  # what is possible with wide links is possible with narrower ones, too
        middle = (low + high) // 2
        found = _around(_wide(machine, indices, rates[middle]), indices)
        best = found or best
        low, high = (low, middle) if found is None else (middle + 1, high)
    return None if best is None else Path(best, _narrowest(machine, (*best, best[0])))


def _wide(machine: Machine, indices: Sequence[int], least: float) -> dict[int, list[int]]:
    """Return of each GPU those to which it has links of at least that rate."""
    return {gpu: [other for other, link in neighbours(machine, gpu) if rate_of_link(link) >= least] for gpu in indices}


def _around(wide: dict[int, list[int]], indices: Sequence[int]) -> tuple[int, ...] | None:
    """Look for a ring, depth first; the second member is lower than the last, so that each has one form."""
    start, steps = indices[0], 0
    stack = [iter(wide[start])]
    way = [start]
    while stack:
        following = next(stack[-1], None)
        if following is None:
            stack.pop()
            way.pop()
            continue
        steps += 1
        if steps > _MOST_STEPS:
            return None
        if following in way:
            continue
        way.append(following)
        if len(way) == len(indices) and start in wide[following]:
            return tuple(way)
        stack.append(iter(wide[following]))
    return None
