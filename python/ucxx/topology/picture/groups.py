# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Which devices stand together in the picture of a machine: those that share PCIe switches."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from ucxx.topology.machine import Card, Closeness, Gpu, Machine


@dataclasses.dataclass(frozen=True)
class Group:
    """GPUs and cards that share PCIe switches, or one device that shares none."""

    gpus: tuple[Gpu, ...] = ()
    cards: tuple[Card, ...] = ()

    @property
    def is_switch(self) -> bool:
        """Tell whether devices share a switch."""
        return len(self.gpus) + len(self.cards) > 1


def switches(machine: Machine) -> dict[str, str]:
    """Return for the name of each device the first device that is behind the same PCIe switches."""
    first = {gpu.name: gpu.name for gpu in machine.gpus}
    first.update({card.name: card.name for card in machine.cards})
    for (one, other), closeness in machine.between.items():
        if closeness <= Closeness.PXB and first[one] != first[other]:
            kept, joined = first[one], first[other]
            first.update({name: kept for name, group in first.items() if group == joined})
    return first


def by_switch(first: dict[str, str], devices: Iterable[Gpu | Card]) -> tuple[Group, ...]:
    """Return devices by the switches that they share, in the order of the first one of each group."""
    groups: dict[str, Group] = {}
    for device in devices:
        group = groups.get(first[device.name], Group())
        if isinstance(device, Gpu):
            group = dataclasses.replace(group, gpus=(*group.gpus, device))
        else:
            group = dataclasses.replace(group, cards=(*group.cards, device))
        groups[first[device.name]] = group
    return tuple(groups.values())
