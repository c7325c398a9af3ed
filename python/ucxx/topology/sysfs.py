# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The reader of sysfs, which Linux shows under /sys, and of a copy of it."""

from __future__ import annotations

import os

from ucxx.topology import pci
from ucxx.topology._sysfs import cards, cores, devices
from ucxx.topology._sysfs.tree import Tree
from ucxx.topology.machine import Card, Core, Machine, Node, TopologyError

ROOT = "/"  # of this machine


def from_tree(root: str | os.PathLike[str] = "/") -> Machine:
    """Read a machine out of the folder that holds its `sys`.

    Args:
        root: the folder; `proc/driver/nvidia` beside `sys` tells more of GPUs, where it is.

    Raises:
        TopologyError: where there are no CPUs, or a file about cores says what it cannot.
    """
    machine = _machine(Tree(root))
    if not machine.cores:
        expected = os.path.join(os.fspath(root), "sys/devices/system/cpu")
        raise TopologyError(f"{os.fspath(root)}: no CPU; expected {expected} as Linux shows it")
    return machine


def live() -> Machine:
    """Read this machine; where its sysfs is hidden, as in some containers, its cores are those that Python sees.

    Raises:
        TopologyError: where a file about cores says what it cannot.
    """
    machine = _machine(Tree(ROOT))
    if machine.cores:
        return machine
    cpus = sorted(frozenset(range(os.cpu_count() or 1)) | os.sched_getaffinity(0))
    cores = tuple(Core(frozenset({cpu}), node=0, package=0) for cpu in cpus)
    return Machine(
        name=machine.name, source="what Python sees", cores=cores, nodes=(Node(0, 0),),
        gpus=machine.gpus, cards=machine.cards, between=machine.between,
    )  # fmt: skip


def live_cards() -> tuple[Card, ...]:
    """Return the network cards of this machine."""
    return tuple(card for card, _ in cards.read(Tree(ROOT)))


def _machine(tree: Tree) -> Machine:
    found, nodes = cores.read(tree)
    gpus = devices.gpus(tree)
    nets = cards.read(tree)
    return Machine(
        name=tree.text("proc", "sys", "kernel", "hostname") or "",
        source="sysfs",
        cores=found,
        nodes=nodes,
        gpus=tuple(gpu for gpu, _ in gpus),
        cards=tuple(card for card, _ in nets),
        between=pci.between([
            *((gpu.name, place) for gpu, place in gpus), *((card.name, place) for card, place in nets)
        ]),
    )  # fmt: skip
