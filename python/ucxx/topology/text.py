# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A machine as text: a line for each NUMA node, GPU and card, which begins with its name.

    GPU0  ib0  0-19,40-59  NV1:1,2 NV2:3,4

Fields are two blanks apart, unknown ones are a dash, and a line of titles (`#`) is above each group: programs may
take the text apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ucxx.topology import nearest, neighbours, paths, wording
from ucxx.topology.machine import Card, Core, Gpu, Machine, Node

_GAP = "  "
_MOST_GPUS_BY_PAIR = 64  # of more, pairs without a link are only counted


class Section(NamedTuple):
    """Things of one kind: the titles of their fields, a row for each thing, and what is missing."""

    titles: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    missing: str = ""


def describe(machine: Machine) -> str:
    """Return a machine as text, in lines that end with a line feed."""
    return "".join(f"{line}\n" for line in _lines(machine))


def heading(machine: Machine) -> str:
    """Return the name of a machine, where that is known from, and how much of everything it has."""
    return f"{wording.title(machine)}: {wording.summary(machine)}"


def sections(machine: Machine) -> tuple[Section, ...]:
    """Return all facts of the text: NUMA nodes, or packages where no node is described; GPUs; ways over links; cards.

    Ways are told where some pairs of GPUs have links and others have not.
    """
    ways = (_ways(machine),) if machine.links and paths.count_unlinked(machine) else ()
    return (_cores(machine), _gpus(machine), *ways, _cards(machine))


def _lines(machine: Machine) -> Iterator[str]:
    yield heading(machine)
    for section in sections(machine):
        yield ""
        if section.rows:
            yield f"# {_GAP.join(section.titles)}"
        yield from map(_GAP.join, section.rows)
        if section.missing:
            yield section.missing


def _cores(machine: Machine) -> Section:
    missing = "" if machine.cores else "no cores are described"
    if machine.nodes:
        by_node = neighbours.cores_by(machine, "node")
        rows = tuple(_node(node, by_node.get(node.index, [])) for node in machine.nodes)
        return Section(("node", "package", "memory", "cores", "CPUs"), rows, missing)
    by_package = sorted(neighbours.cores_by(machine, "package").items())
    rows = tuple((f"package{index}", *_core_words(cores)) for index, cores in by_package)
    return Section(("package", "cores", "CPUs"), rows, missing)


def _node(node: Node, cores: Sequence[Core]) -> tuple[str, ...]:
    return (f"node{node.index}", f"package {node.package}", wording.memory(node.memory_bytes), *_core_words(cores))


def _core_words(cores: Sequence[Core]) -> tuple[str, str]:
    return wording.count(len(cores), "core"), wording.cpus(frozenset().union(*(core.cpus for core in cores)))


def _gpus(machine: Machine) -> Section:
    has_slices = any(gpu.slices for gpu in machine.gpus)
    titles = ("GPU", "nearest cards", "CPUs", "links", *(("MIG",) if has_slices else ()))
    missing = "" if machine.gpus else "no GPU"
    return Section(titles, tuple(_gpu(machine, gpu, has_slices) for gpu in machine.gpus), missing)


def _gpu(machine: Machine, gpu: Gpu, has_slices: bool) -> tuple[str, ...]:
    cards = ",".join(wording.clean(card.ucx_name) for card in neighbours.cards_of(machine, gpu))
    slices = (wording.count(len(gpu.slices), "MIG device"),) if has_slices else ()
    return gpu.name, cards or wording.UNKNOWN, wording.cpus(gpu.cpus), neighbours.partners(machine, gpu), *slices


def _ways(machine: Machine) -> Section:
    ring = paths.ring(machine)
    around = () if ring is None else ((f"ring {wording.link(ring.narrowest)}", "-".join(map(str, ring.gpus))),)
    groups = " ".join(_listed(group) for group in paths.groups(machine) if len(group) > 1)
    return Section(("links", "GPUs"), (*around, ("all to all", groups), ("no link", _unlinked(machine))))


def _unlinked(machine: Machine) -> str:
    """Return '0-7:4,3 1-4': pairs, and behind each the GPUs with links to both, the widest way first."""
    if len(machine.gpus) > _MOST_GPUS_BY_PAIR:
        return wording.count(paths.count_unlinked(machine), "pair")
    pairs = ((pair, paths.relays(machine, *pair)) for pair in paths.unlinked(machine))
    return " ".join(f"{one}-{other}" + (f":{_listed(relays)}" if relays else "") for (one, other), relays in pairs)


def _listed(gpus: Iterable[int]) -> str:
    """Return '0,1,2,3': a hyphen would look like a pair."""
    return ",".join(map(str, gpus))


def _cards(machine: Machine) -> Section:
    titles = ("card", "kind", "rate", "state", "interface", "CPUs", "GPUs")
    missing = "" if nearest.usable(machine) else "no network card that UCX would use"
    return Section(titles, tuple(_card(machine, card) for card in machine.cards), missing)


def _card(machine: Machine, card: Card) -> tuple[str, ...]:
    return (wording.clean(card.ucx_name), wording.kind(card), wording.rate(card), wording.state(card),
            wording.clean(card.interface) or wording.UNKNOWN, wording.cpus(card.cpus),
            neighbours.gpus_of(machine, card))  # fmt: skip
