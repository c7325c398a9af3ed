# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The reader of hwloc's XML, formats 2 and 3, which `lstopo --of xml` writes."""

from __future__ import annotations

import re

from ucxx.topology import faults, pci, programs
from ucxx.topology._hwloc import cards, cores, gpus, links, objects, xmltree
from ucxx.topology._hwloc.objects import Source
from ucxx.topology._hwloc.xmltree import Element
from ucxx.topology.machine import MOST_DEVICES, Machine, TopologyError

LIMIT_S = 10.0  # for lstopo
_PROGRAMS = ("lstopo-no-graphics", "lstopo")
_VERSION = re.compile(r"([23])\.[0-9]{1,3}")


def from_xml(text: str, name: str = "") -> Machine:
    """Read a machine out of hwloc's XML.

    Args:
        text: what `lstopo --of xml` has written.
        name: of the file, for errors, and for the machine where the XML does not name its host.

    Raises:
        TopologyError: for what is no such XML; it names the line.
    """
    file = name or "hwloc's XML"
    root = xmltree.parse(text, file)
    source = Source(file, root, _format(file, root))
    known = cores.read(source)
    found = gpus.read(source, known)
    nets = cards.read(source, known)
    for kind, count in ("GPUs", len(found)), ("network cards", len(nets)):
        if count > MOST_DEVICES:
            raise TopologyError(f"{file}: {count} {kind}; expected are {MOST_DEVICES} at most")
    notes = _notes(source)
    return Machine(
        name=notes.get("HostName") or name,
        source=f"hwloc {notes.get('hwlocVersion', '')}".strip(),
        cores=known.cores,
        nodes=known.nodes,
        gpus=tuple(gpu for gpu, _, _ in found),
        cards=tuple(card for card, _ in nets),
        links=links.read(source, found),
        between=pci.between([
            *((gpu.name, place) for gpu, _, place in found), *((card.name, place) for card, place in nets)
        ]),
    )  # fmt: skip


def _format(file: str, root: Element) -> int:
    if root.tag != "topology":
        raise faults.at(file, root.line, f"the element {faults.shown(root.tag)}; expected hwloc's topology")
    version = root.get("version")
    found = _VERSION.fullmatch(version or "")
    if found is None:
        said = f"version {faults.shown(version)} of hwloc's XML; expected 2.0 or 3.0: write it with lstopo 2 or 3"
        raise faults.at(file, root.line, said)
    return int(found[1])


def _notes(source: Source) -> dict[str, str]:
    """Return what is said of the machine: in format 2 with the object, in format 3 with the topology."""
    notes = objects.infos(source.root)
    for machine in source.objects("Machine")[:1]:
        notes |= objects.infos(machine)
    return notes


def live() -> Machine | None:
    """Read this machine by hwloc's own program; None where it is not installed, or fails, which is logged once."""
    for program in _PROGRAMS:
        if programs.find(program) is not None:
            try:
                return from_xml(programs.output(program, "--of", "xml", limit_s=LIMIT_S), program)
            except (programs.Failed, TopologyError) as error:
                programs.warn_once(f"{program} is left out: {error}")
    return None
