# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Network cards of sysfs: ports of RDMA devices, and interfaces of Ethernet."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from ucxx.topology import pci
from ucxx.topology._sysfs import devices
from ucxx.topology._sysfs.devices import Site
from ucxx.topology._sysfs.tree import Tree
from ucxx.topology.machine import Card

_RDMA = ("sys", "class", "infiniband")
_NET = ("sys", "class", "net")
_RATE = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,3})?) Gb/sec\b.*")
_STATE = re.compile(r"([0-9]+): *[A-Z_]+")
_ACTIVE = 4
_KINDS = {"InfiniBand": "infiniband", "Ethernet": "roce"}
_INTERFACE_KINDS = {1: "ethernet", 32: "infiniband"}  # ARPHRD_ETHER, ARPHRD_INFINIBAND
_BITS_PER_BYTE = 8
_MBIT_PER_GB = 8000
_MOST_MBIT = 10**9


@dataclasses.dataclass(frozen=True)
class _Interface:
    name: str
    site: Site
    device: tuple[str, ...]  # the names on its path
    port: int | None  # of that device


def read(tree: Tree) -> list[tuple[Card, pci.Place]]:
    """Return the cards: the ports of RDMA devices, then what is left of the interfaces, each by name."""
    interfaces = list(_interfaces(tree))
    taken: set[tuple[str, ...]] = set()
    found = []
    for name in sorted(tree.names(*_RDMA), key=pci.name_order):
        where = devices.site(tree, *_RDMA, name, "device")
        device = tree.real(*_RDMA, name, "device")
        taken.add(device)
        own = [each for each in interfaces if each.device == device]
        found += [(card, where.place) for card in _ports(tree, name, where, own)]
    for each in interfaces:
        if each.device not in taken:
            found.append((_ethernet(tree, each), each.site.place))
    return found


def _interfaces(tree: Tree) -> Iterator[_Interface]:
    for name in sorted(tree.names(*_NET), key=pci.name_order):
        if tree.has(*_NET, name, "device"):  # lo, docker0 and veth have none
            port = tree.number(*_NET, name, "dev_port")
            where = devices.site(tree, *_NET, name, "device")
            yield _Interface(name, where, tree.real(*_NET, name, "device"), port)


def _ports(tree: Tree, name: str, where: Site, interfaces: list[_Interface]) -> Iterator[Card]:
    ports = sorted(int(port) for port in tree.names(*_RDMA, name, "ports") if re.fullmatch("[1-9][0-9]{0,2}", port))
    for position, port in enumerate(ports or [1]):
        folder = (*_RDMA, name, "ports", str(port))
        yield Card(
            name, where.cpus, where.node, where.place.address,
            kind=_KINDS.get(tree.text(*folder, "link_layer") or "", ""),
            interface=_of_port(interfaces, position, len(ports or [1])),
            port=port,
            gb_per_s=_rate(tree.text(*folder, "rate")),
            is_up=_is_active(tree.text(*folder, "state")),
        )  # fmt: skip


def _of_port(interfaces: list[_Interface], position: int, ports: int) -> str:
    """Return the interface of a port, by the number that the driver gives it; not every driver does."""
    numbers = {each.port for each in interfaces}
    if ports > 1 and len(numbers) > 1:
        return next((each.name for each in interfaces if each.port == position), "")
    return pci.port_interface([each.name for each in interfaces], position, ports)


def _rate(text: str | None) -> float | None:
    found = _RATE.fullmatch(text or "")
    return float(found[1]) / _BITS_PER_BYTE if found else None


def _is_active(text: str | None) -> bool | None:
    found = _STATE.fullmatch(text or "")
    return int(found[1][:9]) == _ACTIVE if found else None


def _ethernet(tree: Tree, interface: _Interface) -> Card:
    folder = (*_NET, interface.name)
    speed = tree.number(*folder, "speed")
    state = tree.text(*folder, "operstate")
    kind = tree.number(*folder, "type")
    return Card(
        interface.name, interface.site.cpus, interface.site.node, interface.site.place.address,
        kind="ethernet" if kind is None else _INTERFACE_KINDS.get(kind, ""),
        interface=interface.name,
        gb_per_s=speed / _MBIT_PER_GB if speed is not None and 0 < speed < _MOST_MBIT else None,
        is_up=None if state in {None, "", "unknown"} else state == "up",
    )  # fmt: skip
