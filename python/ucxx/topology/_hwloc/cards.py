# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Network cards of hwloc's XML: RDMA devices with their ports and interfaces, and Ethernet."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ucxx.topology import faults, pci, wording
from ucxx.topology._hwloc import cores, gpus, objects
from ucxx.topology._hwloc.cores import Cores
from ucxx.topology._hwloc.objects import Source
from ucxx.topology._hwloc.xmltree import Element
from ucxx.topology.machine import Card

# Format 2 numbers the kinds of devices, format 3 gives each a bit, and an RDMA device both.
_NETWORK = {2: 2, 3: 1 << 4}
_FABRIC = {2: 3, 3: 1 << 5}
_PORT = re.compile(r"Port([1-9][0-9]{0,2})State")
_ACTIVE = "4"  # IBV_PORT_ACTIVE
_BYTES_OF_INFINIBAND = 20  # of an interface's address; Ethernet's has 6


def read(source: Source, known: Cores) -> list[tuple[Card, pci.Place]]:
    """Return the cards, in the order of the PCI bus.

    Raises:
        TopologyError: where a device has no name or kind, or a card is there twice.
    """
    devices = [(gpus.place(source, device), device) for device in source.objects("PCIDev")]
    found = []
    first: dict[str, Element] = {}
    for where, device in sorted(devices, key=lambda item: pci.order(item[0].address)):
        for card, element in _cards(source, known, device, where):
            if card.ucx_name in first:
                said = f"OSDev {wording.clean(card.ucx_name)} is there twice, first in line {first[card.ucx_name].line}"
                raise source.fault(element, said)
            first[card.ucx_name] = element
            found.append((card, where))
    return found


def _cards(source: Source, known: Cores, device: Element, where: pci.Place) -> Iterator[tuple[Card, Element]]:
    children = list(gpus.named(device))
    fabrics = sorted(_of_kind(source, children, _FABRIC), key=_name_order)
    rest = [child for child in children if child not in fabrics]
    networks = sorted(_of_kind(source, rest, _NETWORK), key=_name_order)
    if not (networks or fabrics):
        return
    cpus = cores.near(source, device, known.bits)
    node = known.node_of(sum(1 << cpu for cpu in cpus))
    for fabric in fabrics:
        ports = _ports(fabric)
        for position, (port, is_up) in enumerate(ports):
            name = pci.port_interface([_name(source, each) for each in networks], position, len(ports))
            kind = _kind(networks)
            card = Card(_name(source, fabric), cpus, node, where.address, kind, name, port, is_up=is_up)
            yield card, fabric
    for network in [] if fabrics else networks:
        name = _name(source, network)
        kind = "infiniband" if _is_infiniband(network) else "ethernet"
        yield Card(name, cpus, node, where.address, kind, name), network


def _of_kind(source: Source, children: list[Element], kinds: dict[int, int]) -> Iterator[Element]:
    wanted = kinds[source.format]
    for child in children:
        kind = source.number(child, "osdev_type")
        if (kind & wanted) if source.format > 2 else kind == wanted:
            yield child


def _name_order(element: Element) -> tuple[int, str]:
    return pci.name_order(element.get("name") or "")


def _name(source: Source, element: Element) -> str:
    name = element.get("name")
    if not name:
        raise source.fault(element, f"OSDev has name {faults.shown(name)}; expected one as mlx5_0 or eth0")
    return name


def _ports(fabric: Element) -> list[tuple[int, bool | None]]:
    """Return (number, whether it is up) of each port; hwloc of a machine without the driver tells none."""
    found: list[tuple[int, bool | None]] = [
        (int(port[1]), value.startswith(_ACTIVE) or "active" in value.lower())
        for name, value in objects.infos(fabric).items()
        if (port := _PORT.fullmatch(name))
    ]
    return sorted(found) or [(1, None)]


def _is_infiniband(network: Element) -> bool:
    return objects.infos(network).get("Address", "").count(":") == _BYTES_OF_INFINIBAND - 1


def _kind(networks: list[Element]) -> str:
    if not any(objects.infos(network).get("Address") for network in networks):
        return ""
    return "infiniband" if any(map(_is_infiniband, networks)) else "roce"
