# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What the readers have in common about PCI: addresses, which devices are GPUs, how close two devices are."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from ucxx.topology.machine import Closeness, pair_of

ADDRESS = re.compile(r"[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]")
NVIDIA, AMD = 0x10DE, 0x1002
_DISPLAY, _ACCELERATOR = 0x03, 0x12  # the upper byte of a class
_T = TypeVar("_T")


@dataclasses.dataclass(frozen=True)
class Place:
    """Where a device is: its address, its host bridge, and the bridges (two for each switch) that lead to it."""

    address: str = ""
    host: object = None
    bridges: tuple[object, ...] = ()


def order(address: str) -> tuple[int, ...]:
    """Return the key that sorts addresses as the PCI bus does."""
    return tuple(int(part, 16) for part in re.split("[:.]", address) if part)


def is_gpu(kind: int, vendor: int) -> bool:
    """Tell whether a device computes, by its class (0x0302) and its vendor; the display of a server's BMC does not."""
    upper = kind >> 8
    return (vendor == NVIDIA and upper == _DISPLAY) or (vendor == AMD and upper in {_DISPLAY, _ACCELERATOR})


def of_one_vendor(found: Mapping[int, list[_T]]) -> list[_T]:
    """Return the GPUs that count, of those of each vendor: NVIDIA's where there are any.

    CUDA numbers only these: the graphics inside an AMD processor must not shift the numbers.
    """
    return found.get(NVIDIA) or found.get(AMD) or []


def closeness(one: Place, other: Place) -> Closeness | None:
    """Return what lies between two devices, None where they have no bridge in common: the NUMA nodes tell then."""
    if one.address and one.address == other.address:
        return Closeness.PIX
    if one.bridges and other.bridges and one.bridges[0] == other.bridges[0]:
        pairs = zip(one.bridges, other.bridges, strict=False)
        common = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
        # Below the upstream bridge of a switch each device has the switch's downstream bridge, and no other.
        is_one_switch = max(len(one.bridges), len(other.bridges)) - common <= 1
        return Closeness.PIX if is_one_switch else Closeness.PXB
    return Closeness.PHB if one.host is not None and one.host == other.host else None


def between(devices: Iterable[tuple[str, Place]]) -> dict[tuple[str, str], Closeness]:
    """Return the closeness of each two devices, by their names, where bridges tell it."""
    found = {}
    for group in _by_root(devices):
        for (name, place), (other, another) in itertools.combinations(group, 2):
            near = closeness(place, another)
            if near is not None and name != other:  # two ports of a device have one name
                found[pair_of(name, other)] = near
    return found


def _by_root(devices: Iterable[tuple[str, Place]]) -> Iterable[list[tuple[str, Place]]]:
    """Return the devices in groups between which bridges tell nothing."""
    found: dict[object, list[tuple[str, Place]]] = {}
    for name, place in devices:
        root = place.host or next(iter(place.bridges), place.address)
        found.setdefault(root, []).append((name, place))
    return found.values()


def name_order(name: str) -> tuple[int, str]:
    """Return the key that sorts devices of one kind: mlx5_2 before mlx5_10, ib0 before its child ib0.8001."""
    return len(name), name


def port_interface(interfaces: Sequence[str], position: int, ports: int) -> str:
    """Return the interface of a port of a device: its own where each port has one, else the first's is port one's."""
    if len(interfaces) == ports or position == 0:
        return interfaces[position] if interfaces else ""
    return ""
