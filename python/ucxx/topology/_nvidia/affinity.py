# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Cores and NUMA nodes, of the affinities of GPUs that `nvidia-smi topo -m` tells."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Mapping

from ucxx.topology import faults
from ucxx.topology._nvidia import table as tables
from ucxx.topology._nvidia.table import Table
from ucxx.topology.machine import Core, Node, parse_cpus

_UNKNOWN = frozenset({"", "N/A", "NaN", "nan", "None"})  # some of pandas
_Cpus = frozenset[int]


@dataclasses.dataclass(frozen=True)
class Affinities:
    """The nearest threads of each GPU, and the node of each set of them."""

    cpus: Mapping[str, _Cpus]
    nodes: Mapping[_Cpus, int]

    def node(self, gpu: str) -> int | None:
        """Return the node of a GPU, None where its affinity is not known."""
        return self.nodes.get(self.cpus[gpu])

    def cores(self) -> tuple[Core, ...]:
        """Return the cores: where sets lie inside one another, a thread belongs to the smallest."""
        taken: set[int] = set()
        found = []
        for cpus, node in sorted(self.nodes.items(), key=lambda item: (len(item[0]), min(item[0]))):
            found += [Core(each, node, package=node) for each in _cores(cpus - taken)]
            taken |= cpus
        return tuple(sorted(found, key=lambda core: min(core.cpus)))

    def all_nodes(self) -> tuple[Node, ...]:
        """Return the nodes that have cores; each is taken for a package, since the text does not say."""
        return tuple(Node(index, package=index) for index in sorted({core.node for core in self.cores()}))


def read(table: Table, gpus: Iterable[str]) -> Affinities:
    """Read the affinities.

    Raises:
        TopologyError: where one is no list of threads or nodes.
    """
    cpus = {}
    said: dict[_Cpus, set[int]] = {}
    for gpu in gpus:
        cpus[gpu] = _list(table, gpu, tables.CPUS)
        nodes = _list(table, gpu, tables.NODE)
        if cpus[gpu]:
            said.setdefault(cpus[gpu], set()).update(nodes if len(nodes) == 1 else ())
    return Affinities(cpus, _nodes(said))


def _list(table: Table, gpu: str, column: str) -> _Cpus:
    cell = table.cells.get((gpu, column))
    if cell is None or cell.text in _UNKNOWN:
        return frozenset()
    try:
        return parse_cpus(cell.text)
    except ValueError:
        said = f"{column} {faults.shown(cell.text)} of {gpu}; expected a list as 0-19,40-59, or N/A"
        raise table.fault(cell.line, said) from None


def _nodes(said: Mapping[_Cpus, set[int]]) -> dict[_Cpus, int]:
    """Return the node of each set: the one that is said, else the lowest free number, in the order of threads."""
    found = {cpus: next(iter(nodes)) for cpus, nodes in said.items() if len(nodes) == 1}
    numbers = itertools.filterfalse(frozenset(found.values()).__contains__, itertools.count())
    for cpus in sorted(said, key=lambda each: (min(each), len(each))):
        if cpus not in found:
            found[cpus] = next(numbers)
    return found


def _cores(cpus: _Cpus) -> list[_Cpus]:
    """Return the cores of a set: two runs of one length are first and second threads, as Linux numbers them."""
    ordered = sorted(cpus)
    half = len(ordered) // 2
    first, second = ordered[:half], ordered[half:]
    if half and len(second) == half and _is_run(first) and _is_run(second) and second[0] > first[-1] + 1:
        return [frozenset(pair) for pair in zip(first, second, strict=True)]
    return [frozenset({cpu}) for cpu in ordered]


def _is_run(cpus: list[int]) -> bool:
    return cpus[-1] - cpus[0] + 1 == len(cpus)
