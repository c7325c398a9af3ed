# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""PCI devices and GPUs of sysfs."""

from __future__ import annotations

import dataclasses
import re

from ucxx.topology import pci
from ucxx.topology._sysfs.tree import Tree
from ucxx.topology.machine import Gpu

_PCI = ("sys", "bus", "pci", "devices")
_DRIVER = ("proc", "driver", "nvidia", "gpus")
_HOST = re.compile(r"pci[0-9a-f]{4,8}:[0-9a-f]{2}")
_NOTE = re.compile(r"^([^:\n]+):[ \t]*(.*)$", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Site:
    """Where a device is: on the PCI bus, and near which threads."""

    place: pci.Place = pci.Place()
    cpus: frozenset[int] = frozenset()
    node: int | None = None


def site(tree: Tree, *device: str) -> Site:
    """Return where the device of a folder is; a virtio or USB device is where its PCI device is."""
    names = tree.real(*device)
    address = next((name for name in reversed(names) if pci.ADDRESS.fullmatch(name)), "")
    folder = (*_PCI, address) if address and tree.has(*_PCI, address) else device
    node = tree.number(*folder, "numa_node")
    return Site(
        _place(names, address),
        tree.cpus(*folder, "local_cpulist"),
        node if node is not None and node >= 0 else None,
    )


def _place(names: tuple[str, ...], address: str) -> pci.Place:
    hosts = [position for position, name in enumerate(names) if _HOST.fullmatch(name)]
    if not (hosts and address):
        return pci.Place(address)
    inside = [name for name in names[hosts[-1] :] if pci.ADDRESS.fullmatch(name)]
    return pci.Place(address, names[hosts[-1]], tuple(inside[:-1]))


def gpus(tree: Tree) -> list[tuple[Gpu, pci.Place]]:
    """Return the GPUs, in the order of the PCI bus."""
    found: dict[int, list[str]] = {}
    for address in tree.names(*_PCI):
        kind = tree.number(*_PCI, address, "class", base=16)
        vendor = tree.number(*_PCI, address, "vendor", base=16)
        if pci.ADDRESS.fullmatch(address) and kind is not None and vendor is not None and pci.is_gpu(kind >> 8, vendor):
            found.setdefault(vendor, []).append(address)
    ordered = sorted(pci.of_one_vendor(found), key=pci.order)
    return [_gpu(tree, index, address) for index, address in enumerate(ordered)]


def _gpu(tree: Tree, index: int, address: str) -> tuple[Gpu, pci.Place]:
    where = site(tree, *_PCI, address)
    notes = dict(_NOTE.findall(tree.text(*_DRIVER, address, "information") or ""))
    uuid = notes.get("GPU UUID", "").strip()
    gpu = Gpu(
        index,
        cpus=where.cpus,
        node=where.node,
        address=address,
        model=notes.get("Model", "").strip(),
        uuid="" if "?" in uuid else uuid,  # the driver does not know it before the first use
    )
    return gpu, where.place
