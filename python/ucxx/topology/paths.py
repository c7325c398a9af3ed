# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Ways over the direct links between GPUs: for pairs without a link, around in a ring, and groups that are linked."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from ucxx.topology.machine import Link

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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


def strength(link: Link) -> tuple[float, int]:
    """Return what links are compared by: the bandwidth where it is told, and the width."""
    return (link.gb_per_s or 0.0, link.width or 1)


def path(machine: Machine, one: int, other: int) -> Path | None:
    """Return the way with the fewest hops, of these the widest, of these the one with the lowest indices.

    So a pair with a link has that link, and the way back is the same one. None: no links lead there.

    Raises:
        ValueError: both ends are the same.
    """
    if one == other:
        raise ValueError(f"GPU{one} is both ends of the path; give two GPUs")
    first, last = min(one, other), max(one, other)
    found: dict[tuple[int, ...], Link | None] = {(first,): None}
    reached = {first}
    while found:
        found = _longer(machine, found, reached)
        ends = {ways[-1]: ways for ways in found}
        if last in ends:
            gpus, narrowest = ends[last], found[ends[last]]
            assert narrowest is not None
            return Path(gpus if one < other else gpus[::-1], narrowest)
        reached |= set(ends)
    return None


def _longer(
    machine: Machine, found: dict[tuple[int, ...], Link | None], reached: set[int]
) -> dict[tuple[int, ...], Link | None]:
    """Return the ways with one hop more, for each GPU that they reach first the best one."""
    best: dict[int, tuple[tuple[int, ...], Link]] = {}
    for way, narrowest in sorted(found.items(), key=lambda item: item[0]):
        for gpu, link in neighbours(machine, way[-1]):
            if gpu in reached:
                continue
            least = link if narrowest is None or strength(link) < strength(narrowest) else narrowest
            if gpu not in best or strength(least) > strength(best[gpu][1]):
                best[gpu] = (*way, gpu), least
    return dict(best.values())


def neighbours(machine: Machine, gpu: int) -> Iterator[tuple[int, Link]]:
    """Give the GPUs to which a GPU has links, in the order of their indices."""
    for other in sorted(found.index for found in machine.gpus):
        if other != gpu and (link := machine.link(gpu, other)) is not None:
            yield other, link


def unlinked(machine: Machine) -> list[tuple[int, int]]:
    """Return the pairs of GPUs without a link, the lower index first."""
    indices = sorted(gpu.index for gpu in machine.gpus)
    return [(a, b) for a in indices for b in indices if a < b and machine.link(a, b) is None]


def relays(machine: Machine, one: int, other: int) -> list[int]:
    """Return the GPUs that have links to both, the widest way first."""
    there = dict(neighbours(machine, other))
    ways = {gpu: min(link, there[gpu], key=strength) for gpu, link in neighbours(machine, one) if gpu in there}
    return sorted(ways, key=lambda gpu: (*(-part for part in strength(ways[gpu])), gpu))


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

    It begins with the lowest index. None: there is none, or it is not found in 50,000 steps, or of fewer than three GPUs.
    """
    links = sorted(set(machine.links.values()), key=strength, reverse=True)
    indices = sorted(gpu.index for gpu in machine.gpus)
    if len(indices) < 3:
        return None
    for narrowest in links:
        wide = {
            gpu: [other for other, link in neighbours(machine, gpu) if strength(link) >= strength(narrowest)]
            for gpu in indices
        }
        if (found := _around(wide, indices)) is not None:
            return Path(found, narrowest)
    return None


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
