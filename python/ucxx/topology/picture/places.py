# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Where each device belongs in the picture of a machine: packages, and in them NUMA nodes."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from ucxx.topology import neighbours, wording
from ucxx.topology.machine import Card, Closeness, Core, Gpu, Machine, Node, pair_of


@dataclasses.dataclass
class Place:
    """A NUMA node, or what stands for one: its package, words about it, and the devices that are near it."""

    package: str = ""
    words: tuple[str, ...] = ()
    cores: int = 0
    cpus: frozenset[int] = frozenset()
    node: int | None = None
    devices: list[Gpu | Card] = dataclasses.field(default_factory=list)


def places(machine: Machine) -> list[list[Place]]:
    """Return the places of each package, with all devices, each in one place."""
    found = list(_described(machine))
    _fill(machine, found)
    packages: dict[str, list[Place]] = {}
    for place in found:
        packages.setdefault(place.package, []).append(place)
    return list(packages.values())


def _described(machine: Machine) -> Iterator[Place]:
    """Give the NUMA nodes; without any the packages; without any the CPUs to which GPUs are near."""
    if machine.nodes:
        by_node = neighbours.cores_by(machine, "node")
        for node in sorted(machine.nodes, key=lambda node: (node.package, node.index)):
            yield _node(node, by_node.get(node.index, []))
    elif machine.packages:
        for package, cores in sorted(neighbours.cores_by(machine, "package").items()):
            yield _place(f"Package {package}", cores, ())
    else:
        for cpus in sorted({gpu.cpus for gpu in machine.gpus if gpu.cpus}, key=sorted):
            yield Place(f"CPUs {wording.cpus(cpus)}", cpus=cpus)


def _node(node: Node, cores: Sequence[Core]) -> Place:
    memory = f": {wording.memory(node.memory_bytes)}" if node.memory_bytes is not None else ""
    place = _place(f"Package {node.package}", cores, (f"NUMA node {node.index}{memory}",))
    return dataclasses.replace(place, node=node.index)


def _place(package: str, cores: Sequence[Core], words: tuple[str, ...]) -> Place:
    cpus = frozenset().union(*(core.cpus for core in cores))
    named = f": CPUs {wording.cpus(cpus)}" if cpus else ""
    return Place(package, (*words, f"{wording.count(len(cores), 'core')}{named}"), len(cores), cpus)


def _fill(machine: Machine, found: list[Place]) -> None:
    """Put each device into its place; places are added for those that are near several, or near none that is told."""
    homes: dict[str, Place] = {}
    for gpu in machine.gpus:
        homes[gpu.name] = _home(found, gpu)
        homes[gpu.name].devices.append(gpu)
    for card in machine.cards:
        near = [(closeness, gpu.index) for gpu in machine.gpus
                if (closeness := machine.between.get(pair_of(gpu.name, card.name), Closeness.SYS)) < Closeness.SYS]
        is_told = card.node is not None or card.cpus
        home = homes[f"GPU{min(near)[1]}"] if near and not is_told else _home(found, card)
        home.devices.append(card)


def _home(found: list[Place], device: Gpu | Card) -> Place:
    """Return the place of a device by its NUMA node, else by its CPUs."""
    for place in found:
        if device.node is not None and place.node == device.node:
            return place
    shared = [len(place.cpus & device.cpus) for place in found]
    most = max(shared, default=0)
    best = [place for place, number in zip(found, shared, strict=True) if number == most > 0]
    if len(best) == 1:
        return best[0]
    packages = {place.package for place in best}
    return _added(found, packages.pop() if len(packages) == 1 else "")


def _added(found: list[Place], package: str) -> Place:
    """Return the place for devices of a package as a whole, or of the machine as a whole; add it at their first one."""
    words: tuple[str, ...] = ("NUMA node not known",) if any(place.package for place in found) else ()
    if package:
        words = (f"All of {package[:1].lower()}{package[1:]}",)
    for place in found:
        if (place.package, place.node, place.words, place.cpus) == (package, None, words, frozenset()):
            return place
    found.append(Place(package, words))
    return found[-1]
