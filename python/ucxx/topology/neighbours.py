# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What a device has near it, as text and pictures show it: cards, links by width, all pairs alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ucxx.topology import nearest, wording
from ucxx.topology.figures import rate_of_link
from ucxx.topology.machine import Card, Closeness, Core, Gpu, Link, Machine, pair_of

_LEAST_FOR_ALL = 3  # of two GPUs, the name of the other one is shorter than "all"


def cards_of(machine: Machine, gpu: Gpu) -> tuple[Card, ...]:
    """Return the nearest ones of the cards that UCX would use, all that are equally near."""
    far = [(nearest.distance(machine, gpu, card), card) for card in nearest.usable(machine)]
    least = min((distance for distance, _ in far), default=None)
    return tuple(card for distance, card in far if distance == least)


def cores_by(machine: Machine, key: str) -> dict[int, list[Core]]:
    """Return the cores of each NUMA node (key "node") or package ("package")."""
    found: dict[int, list[Core]] = {}
    for core in machine.cores:
        found.setdefault(getattr(core, key), []).append(core)
    return found


def known_closeness(machine: Machine, one: Gpu | Card, other: Gpu | Card) -> Closeness | None:
    """Return what lies between two devices, None where neither the description nor their NUMA nodes tell."""
    is_told = pair_of(one.name, other.name) in machine.between or None not in (one.node, other.node)
    has_one_node = machine.has_one_node and bool(machine.cores)
    return machine.closeness(one, other) if is_told or has_one_node else None


def link_of_all(machine: Machine) -> Link | None:
    """Return the link that is the same between all pairs of three and more GPUs, else None."""
    number = len(machine.gpus)
    kinds = set(machine.links.values())
    is_complete = len(machine.links) == number * (number - 1) // 2
    return kinds.pop() if number >= _LEAST_FOR_ALL and is_complete and len(kinds) == 1 else None


def partners(machine: Machine, gpu: Gpu) -> str:
    """Return 'NV1:1,2 NV2:3,4 PHB:5': the GPUs by their links to one, then by closeness those without a link.

    'all' is every other GPU. A GPU that is not named has neither, and is as far as SYS.
    """
    links = machine.linked[gpu.index]
    linked: dict[str, list[int]] = {wording.link(link): [] for link in _by_rate(links.values())}
    near: dict[Closeness, list[int]] = {}
    for other in machine.gpus:
        if other.index == gpu.index:
            continue
        if other.index in links:
            linked[wording.link(links[other.index])].append(other.index)
        elif (closeness := known_closeness(machine, gpu, other)) not in (None, Closeness.SYS):
            near.setdefault(closeness, []).append(other.index)
    groups = [*linked.items(), *((closeness.name, found) for closeness, found in sorted(near.items()))]
    return _listed(groups, len(machine.gpus))


def gpus_of(machine: Machine, card: Card) -> str:
    """Return 'PIX:0,1 PHB:2,3 SYS:4,5': the GPUs by closeness to a card."""
    found: dict[Closeness, list[int]] = {}
    for gpu in machine.gpus:
        closeness = known_closeness(machine, gpu, card)
        if closeness is not None:
            found.setdefault(closeness, []).append(gpu.index)
    groups = [(closeness.name, gpus) for closeness, gpus in sorted(found.items())]
    return _listed(groups, len(machine.gpus) + 1)


def links_by_order(machine: Machine) -> list[Link]:
    """Return one link of each name that a machine has, the narrow ones first."""
    return _by_rate({wording.link(link): link for link in machine.links.values()}.values())


def _by_rate(links: Iterable[Link]) -> list[Link]:
    return sorted(set(links), key=lambda link: (rate_of_link(link), wording.link(link)))


def _listed(groups: Iterable[tuple[str, list[int]]], devices: int) -> str:
    return " ".join(_groups(groups, devices)) or wording.UNKNOWN


def _groups(groups: Iterable[tuple[str, list[int]]], devices: int) -> Iterator[str]:
    for name, found in groups:
        is_all = len(found) == devices - 1 and devices >= _LEAST_FOR_ALL
        yield f"{name}:{'all' if is_all else wording.indices(found)}"
