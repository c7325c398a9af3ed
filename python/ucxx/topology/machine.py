# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A machine as a value: cores, NUMA nodes, GPUs, network cards, and what lies between them.

Readers make it (`ucxx.topology.read`), the planner and the pictures look at it. Nothing here asks the machine
that runs the program, so a plan for another machine is made of its description.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import re
from collections.abc import Iterable, Mapping

MOST_DEVICES = 1024  # GPUs of a description, and cards; more are refused


class TopologyError(ValueError):
    """A description that is no topology; it names the file, the line, and what was expected."""


class Closeness(enum.IntEnum):
    """What a transfer between two devices has to cross, as `nvidia-smi topo -m` names it; the least is the nearest."""

    PIX = 1  # one PCIe switch
    PXB = 2  # several PCIe switches
    PHB = 3  # the PCIe host bridge
    NODE = 4  # the host bridges of one NUMA node
    SYS = 5  # the interconnect between NUMA nodes


@dataclasses.dataclass(frozen=True)
class Core:
    """A core of a processor, with its hardware threads (`cpus`, as Linux numbers them)."""

    cpus: frozenset[int]
    node: int
    package: int


@dataclasses.dataclass(frozen=True)
class Node:
    """A NUMA node; `memory_bytes` is None where the description does not say."""

    index: int
    package: int
    memory_bytes: int | None = None


@dataclasses.dataclass(frozen=True)
class Gpu:
    """A GPU. `index` is the one that CUDA_VISIBLE_DEVICES means, in the order of the PCI bus.

    `cpus` are those nearest to it, empty where the description does not say; `slices` the UUIDs of its MIG devices.
    """

    index: int
    cpus: frozenset[int] = frozenset()
    node: int | None = None
    address: str = ""  # PCI: 0000:06:00.0
    model: str = ""
    uuid: str = ""
    slices: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Return the name by which `nvidia-smi` has it: GPU0."""
        return f"GPU{self.index}"


@dataclasses.dataclass(frozen=True)
class Card:
    """A network card: a port of an InfiniBand or RoCE device, or an Ethernet interface.

    `name` is that of the RDMA device (mlx5_0) where there is one, else that of the interface; `kind` infiniband,
    roce, ethernet, or nothing where the description does not say. `gb_per_s` (1e9 bytes) and `is_up` are None there.
    """

    name: str
    cpus: frozenset[int] = frozenset()
    node: int | None = None
    address: str = ""
    kind: str = ""
    interface: str = ""  # where IP goes over it: ib0, eth0
    port: int | None = None  # of an RDMA device
    gb_per_s: float | None = None
    is_up: bool | None = None

    @property
    def ucx_name(self) -> str:
        """Return the name in UCX_NET_DEVICES: mlx5_0:1, eth0."""
        return self.name if self.port is None else f"{self.name}:{self.port}"


@dataclasses.dataclass(frozen=True)
class Link:
    """Direct links between two GPUs: `width` of them. None: the description tells the bandwidth alone, or neither."""

    kind: str = "NVLink"  # or XGMI
    width: int | None = None
    gb_per_s: float | None = None  # of all of them, in one direction


@dataclasses.dataclass(frozen=True)
class Machine:
    """A machine, as far as its description tells. Fields that it does not tell are empty.

    Args:
        name: of the host or of the file.
        source: what was read, for people: "hwloc 2.9", "sysfs and nvidia-smi".
        links: by the indices of two GPUs, the lower one first.
        between: closeness by the names of two devices, in the order of the alphabet.
    """

    name: str = ""
    source: str = ""
    cores: tuple[Core, ...] = ()
    nodes: tuple[Node, ...] = ()
    gpus: tuple[Gpu, ...] = ()
    cards: tuple[Card, ...] = ()
    links: Mapping[tuple[int, int], Link] = dataclasses.field(default_factory=dict)
    between: Mapping[tuple[str, str], Closeness] = dataclasses.field(default_factory=dict)

    @functools.cached_property
    def cpus(self) -> frozenset[int]:
        """Return all hardware threads."""
        return frozenset().union(*(core.cpus for core in self.cores))

    @functools.cached_property
    def packages(self) -> tuple[int, ...]:
        """Return the numbers of all packages (sockets)."""
        return tuple(sorted({core.package for core in self.cores} | {node.package for node in self.nodes}))

    @functools.cached_property
    def has_one_node(self) -> bool:
        """Tell whether no two NUMA nodes have cores; others are memory alone."""
        return len({core.node for core in self.cores} or self.nodes) < 2

    @functools.cached_property
    def linked(self) -> Mapping[int, Mapping[int, Link]]:
        """Return of each GPU the others to which it has direct links, in the order of their indices."""
        found: dict[int, dict[int, Link]] = {gpu.index: {} for gpu in self.gpus}
        for (one, other), link in sorted(self.links.items(), key=lambda item: item[0]):
            if one in found and other in found:
                found[one][other] = found[other][one] = link
        return found

    @functools.cached_property
    def _package_of_cpu(self) -> Mapping[int, int]:
        return {cpu: core.package for core in self.cores for cpu in core.cpus}

    @functools.cached_property
    def _package_of_node(self) -> Mapping[int, int]:
        return {core.node: core.package for core in self.cores} | {node.index: node.package for node in self.nodes}

    def packages_of(self, cpus: Iterable[int], node: int | None = None) -> frozenset[int]:
        """Return the packages of a NUMA node, and where that is not known of hardware threads."""
        if node is not None and node in self._package_of_node:
            return frozenset({self._package_of_node[node]})
        return frozenset(self._package_of_cpu[cpu] for cpu in cpus if cpu in self._package_of_cpu)

    def cpus_of(self, node: int) -> frozenset[int]:
        """Return the hardware threads of a NUMA node."""
        return frozenset().union(*(core.cpus for core in self.cores if core.node == node))

    def gpu(self, index: int) -> Gpu:
        """Return a GPU by its index; KeyError where there is none."""
        for gpu in self.gpus:
            if gpu.index == index:
                return gpu
        raise KeyError(index)

    def link(self, one: int, other: int) -> Link | None:
        """Return the direct links between two GPUs by their indices, None where there are none."""
        return self.links.get((min(one, other), max(one, other)))

    def closeness(self, one: Gpu | Card, other: Gpu | Card) -> Closeness:
        """Return what lies between two devices; where the description does not say, the NUMA nodes tell it.

        A device whose node is not known is as far as another node, if there are several.
        """
        known = self.between.get(pair_of(one.name, other.name))
        if known is not None:
            return known
        is_near = self.has_one_node or one.node == other.node is not None
        return Closeness.NODE if is_near else Closeness.SYS


def pair_of(one: str, other: str) -> tuple[str, str]:
    """Return the key of two devices in `Machine.between`."""
    return (one, other) if one <= other else (other, one)


_MOST_CPUS = 1 << 16  # Linux has 8,192 at most
_RANGE = re.compile(r"([0-9]{1,6})(?:-([0-9]{1,6}))?")


def parse_cpus(text: str) -> frozenset[int]:
    """Read a list of hardware threads as Linux writes it: 0-19,40-59.

    Raises:
        ValueError: for what is none.
    """
    cpus: set[int] = set()
    for part in text.strip().split(","):
        found = _RANGE.fullmatch(part)
        if found is None:
            raise ValueError(f"{text.strip()!r} is no list of CPUs; one looks like 0-19,40-59")
        first, last = int(found[1]), int(found[2] or found[1])
        if not first <= last < _MOST_CPUS:
            raise ValueError(f"{text.strip()!r} is no list of CPUs: {part} is no range below {_MOST_CPUS}")
        cpus.update(range(first, last + 1))
    return frozenset(cpus)


def format_cpus(cpus: Iterable[int]) -> str:
    """Write hardware threads as Linux does: 0-19,40-59."""
    runs: list[list[int]] = []
    for cpu in sorted(set(cpus)):
        if runs and cpu == runs[-1][1] + 1:
            runs[-1][1] = cpu
        else:
            runs.append([cpu, cpu])
    return ",".join(f"{first}" if first == last else f"{first}-{last}" for first, last in runs)
