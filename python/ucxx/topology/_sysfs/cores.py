# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Cores and NUMA nodes of sysfs."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ucxx.topology import faults
from ucxx.topology._sysfs.tree import Tree
from ucxx.topology.machine import Core, Node

_CPU = ("sys", "devices", "system", "cpu")
_NODE = ("sys", "devices", "system", "node")
_MEMORY = re.compile(r"^Node [0-9]+ MemTotal: +([0-9]{1,14}) kB$", re.MULTILINE)
_SIBLINGS = ("core_cpus_list", "thread_siblings_list")  # the new name, the old one
_MOST_PACKAGE = 1 << 16


def read(tree: Tree) -> tuple[tuple[Core, ...], tuple[Node, ...]]:
    """Read cores and nodes; there are none where the tree does not show its CPUs.

    Raises:
        TopologyError: where a file says what it cannot.
    """
    online = _online(tree)
    if not online:
        return (), ()
    held = _nodes(tree)
    node_of = {cpu: index for index, cpus in reversed(held.items()) for cpu in cpus}
    lowest = min(held)
    cores = tuple(
        Core(cpus, node_of.get(min(cpus), lowest), package) for cpus, package in _cores(tree, online).items()
    )
    return cores, _with_packages(tree, held, cores)


def _online(tree: Tree) -> frozenset[int]:
    listed = tree.needed_cpus(*_CPU, "online")
    return listed if listed is not None else frozenset(_numbered(tree, "cpu", _CPU))


def _numbered(tree: Tree, word: str, folder: tuple[str, ...]) -> list[int]:
    found = (re.fullmatch(f"{word}([0-9]{{1,5}})", name) for name in tree.names(*folder))
    return sorted(int(each[1]) for each in found if each is not None)


def _nodes(tree: Tree) -> dict[int, frozenset[int]]:
    """Return the threads of each node; a kernel without NUMA shows none, and has one."""
    found = {
        index: tree.needed_cpus(*_NODE, f"node{index}", "cpulist") or frozenset()
        for index in _numbered(tree, "node", _NODE)
    }
    return found or {0: frozenset()}


def _cores(tree: Tree, online: frozenset[int]) -> Mapping[frozenset[int], int]:
    """Return the package of each core, a core being the threads that its first one names."""
    found: dict[frozenset[int], int] = {}
    left = set(online)
    for cpu in sorted(online):
        if cpu in left:
            cpus = _siblings(tree, cpu) & left
            left -= cpus
            found[cpus] = _package(tree, cpu)
    return found


def _siblings(tree: Tree, cpu: int) -> frozenset[int]:
    for name in _SIBLINGS:
        where = (*_CPU, f"cpu{cpu}", "topology", name)
        cpus = tree.needed_cpus(*where)
        if cpus is not None:
            if cpu not in cpus:
                said = f"the threads {sorted(cpus)} of the core of CPU {cpu} leave it out"
                raise tree.fault(said, *where)
            return cpus
    return frozenset({cpu})


def _package(tree: Tree, cpu: int) -> int:
    where = (*_CPU, f"cpu{cpu}", "topology", "physical_package_id")
    text = tree.text(*where)
    if text is None:
        return 0
    package = tree.number(*where)
    if package is None or abs(package) >= _MOST_PACKAGE:
        raise tree.fault(f"the package {faults.shown(text)}; expected a number below {_MOST_PACKAGE}", *where)
    return max(package, 0)  # -1: not known


def _with_packages(tree: Tree, held: Mapping[int, frozenset[int]], cores: tuple[Core, ...]) -> tuple[Node, ...]:
    package = {core.node: core.package for core in reversed(cores)}
    lowest = min(package.values())  # for a node that has memory alone
    return tuple(Node(index, package.get(index, lowest), _memory(tree, index)) for index in held)


def _memory(tree: Tree, node: int) -> int | None:
    found = _MEMORY.search(tree.text(*_NODE, f"node{node}", "meminfo") or "")
    return int(found[1]) * 1024 if found else None
