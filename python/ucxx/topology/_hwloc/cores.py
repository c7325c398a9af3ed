# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Cores and NUMA nodes of hwloc's XML."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from ucxx.topology._hwloc import bitmaps, objects
from ucxx.topology._hwloc.objects import Source
from ucxx.topology._hwloc.xmltree import Element
from ucxx.topology.machine import Core, Node, TopologyError

_MOST_BYTES = 1 << 60


@dataclasses.dataclass(frozen=True)
class Cores:
    """Cores and nodes, and which node some threads belong to."""

    cores: tuple[Core, ...]
    nodes: tuple[Node, ...]
    bits: int  # all threads
    _node_bits: tuple[tuple[int, int], ...]  # (threads, index), the smallest set first

    def node_of(self, bits: int) -> int | None:
        """Return the smallest node that holds all of some threads, None where there is none."""
        return _node_of(self._node_bits, bits)


def read(source: Source) -> Cores:
    """Read cores and nodes.

    Raises:
        TopologyError: where a thread or a node is missing, or there twice.
    """
    threads = _threads(source)
    bits = sum(1 << cpu for cpu in threads)
    node_bits = _node_sets(source, bits)
    cores = tuple(_cores(source, threads, node_bits))
    package = {core.node: core.package for core in reversed(cores)}
    nodes = tuple(
        Node(index, package[index] if index in package else _package(source, element), _memory(element))
        for index, element in _nodes(source)
    )
    return Cores(cores, nodes or (Node(0, cores[0].package),), bits, node_bits)


def _threads(source: Source) -> dict[int, Element]:
    """Return the PU of each hardware thread."""
    found = _by_index(source, "PU")
    if not found:
        raise TopologyError(f"{source.name}: no PU (hardware thread); expected one at least")
    return found


def _nodes(source: Source) -> list[tuple[int, Element]]:
    return sorted(_by_index(source, "NUMANode").items(), key=lambda item: item[0])


def _by_index(source: Source, kind: str) -> dict[int, Element]:
    """Return the objects of a kind by the number that the system has for them."""
    found: dict[int, Element] = {}
    for element in source.objects(kind):
        index = source.number(element, "os_index")
        if index in found:
            raise source.fault(element, f"{kind} {index} is there twice, first in line {found[index].line}")
        found[index] = element
    return found


def _node_sets(source: Source, bits: int) -> tuple[tuple[int, int], ...]:
    """Return (threads, index) of each node; where two have the same threads, the lower index comes first."""
    found = [(source.bits(element) & bits, index) for index, element in _nodes(source)]
    return tuple(sorted(found or [(bits, 0)], key=lambda item: (item[0].bit_count(), item[1])))


def _node_of(node_bits: tuple[tuple[int, int], ...], bits: int) -> int | None:
    return next((index for held, index in node_bits if bits and bits & ~held == 0), None)


def _cores(source: Source, threads: dict[int, Element], node_bits: tuple[tuple[int, int], ...]) -> Iterable[Core]:
    together: dict[int, tuple[Element, list[int]]] = {}
    for cpu, element in sorted(threads.items()):
        core = next(objects.above(element, "Core"), element)  # a thread without a core is one
        together.setdefault(id(core), (core, []))[1].append(cpu)
    for core, cpus in together.values():
        node = _node_of(node_bits, sum(1 << cpu for cpu in cpus))
        if node is None:
            raise source.fault(core, f"no NUMANode has all threads {cpus} of a core in its cpuset")
        yield Core(frozenset(cpus), node, _package(source, core))


def _package(source: Source, element: Element) -> int:
    package = next(objects.above(element, "Package"), None)
    return 0 if package is None or package.get("os_index") is None else source.number(package, "os_index")


def _memory(element: Element) -> int | None:
    value = element.get("local_memory") or ""
    is_number = value.isascii() and value.isdigit() and len(value) < 20
    return int(value) if is_number and int(value) < _MOST_BYTES else None


def near(source: Source, element: Element, bits: int) -> frozenset[int]:
    """Return the threads nearest to a device: those of the first object above it that is no device."""
    for parent in element.above():
        if parent.tag == "object" and not objects.is_input_output(parent):
            return bitmaps.members(source.bits(parent) & bits)
    return frozenset()
