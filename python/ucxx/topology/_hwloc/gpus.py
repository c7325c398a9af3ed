# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""PCI devices and GPUs of hwloc's XML."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ucxx.topology import faults, pci
from ucxx.topology._hwloc import cores, objects
from ucxx.topology._hwloc.cores import Cores
from ucxx.topology._hwloc.objects import Source
from ucxx.topology._hwloc.xmltree import Element
from ucxx.topology.machine import Gpu

_TYPE = re.compile(r"([0-9a-f]{4})[0-9a-f]* \[([0-9a-f]{4}):[0-9a-f]{4}\].*")


def kind_and_vendor(source: Source, device: Element) -> tuple[int, int]:
    """Return the class (0x0302) and the vendor of a PCI device.

    Raises:
        TopologyError: where the XML does not say them as hwloc does.
    """
    value = device.get("pci_type")
    found = _TYPE.fullmatch(value or "")
    if found is None:
        said = f"PCIDev has pci_type {faults.shown(value)}; expected one as 0302 [10de:1db1]"
        raise source.fault(device, said)
    return int(found[1], 16), int(found[2], 16)


def place(source: Source, device: Element) -> pci.Place:
    """Return where a PCI device is.

    Raises:
        TopologyError: where its address is none.
    """
    value = device.get("pci_busid")
    if value is None or not pci.ADDRESS.fullmatch(value):
        raise source.fault(device, f"PCIDev has pci_busid {faults.shown(value)}; expected one as 0000:06:00.0")
    bridges = list(objects.above(device, "Bridge"))[::-1]
    is_host = bool(bridges) and (bridges[0].get("bridge_type") or "").startswith("0-")
    host = id(bridges.pop(0)) if is_host else None
    return pci.Place(value, host, tuple(map(id, bridges)))


def named(device: Element) -> Iterator[Element]:
    """Give what the operating system names under a PCI device."""
    for child in device.children:
        if child.get("type") == "OSDev":
            yield child
            yield from named(child)


def read(source: Source, known: Cores) -> list[tuple[Gpu, Element, pci.Place]]:
    """Return the GPUs, in the order of the PCI bus.

    Raises:
        TopologyError: where a device has no class or no address, or one that another device has.
    """
    found: dict[int, list[tuple[pci.Place, Element]]] = {}
    addresses: dict[str, Element] = {}
    for device in source.objects("PCIDev"):
        where = place(source, device)
        if where.address in addresses:
            said = f"PCIDev {where.address} is there twice, first in line {addresses[where.address].line}"
            raise source.fault(device, said)
        addresses[where.address] = device
        kind, vendor = kind_and_vendor(source, device)
        if pci.is_gpu(kind, vendor):
            found.setdefault(vendor, []).append((where, device))
    ordered = sorted(pci.of_one_vendor(found), key=lambda item: pci.order(item[0].address))
    return [
        (_gpu(source, known, index, device, where.address), device, where)
        for index, (where, device) in enumerate(ordered)
    ]


def _gpu(source: Source, known: Cores, index: int, device: Element, address: str) -> Gpu:
    cpus = cores.near(source, device, known.bits)
    notes = objects.infos(device)
    for child in named(device):
        notes |= objects.infos(child)
    return Gpu(
        index,
        cpus=cpus,
        node=known.node_of(sum(1 << cpu for cpu in cpus)),
        address=address,
        model=notes.get("GPUModel") or notes.get("PCIDevice", ""),
        uuid=notes.get("NVIDIAUUID") or notes.get("AMDUUID", ""),
    )
