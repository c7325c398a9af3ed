# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""A machine as JSON: for programs, and to plan for a machine elsewhere.

    {"format": 1, "name": "dgx1", "gpus": [{"index": 0, "cpus": "0-19,40-59"}, ...], "links": [...], ...}

All keys but `format` may be left out where a file is read; one that is not known is an error. The text of a file is
not trusted: what it says is checked, and what comes out is a machine that is consistent.
"""

from __future__ import annotations

import json
from typing import Any

from ucxx.topology.items import Item, Wrong
from ucxx.topology.machine import (
    MOST_DEVICES,
    Card,
    Closeness,
    Core,
    Gpu,
    Link,
    Machine,
    Node,
    TopologyError,
    format_cpus,
    pair_of,
)

FORMAT = 1
_KINDS = ("infiniband", "roce", "ethernet", "")
_LINKS = ("NVLink", "XGMI")
_MOST = (1 << 16) - 1  # of what has a number
_MOST_BYTES = 1 << 60
_MOST_GB_PER_S = 1e6


def to_json(machine: Machine) -> dict[str, Any]:
    """Return a machine as dicts, lists, texts and numbers, with all keys; null is what is not known."""
    return {
        "format": FORMAT,
        "name": machine.name,
        "source": machine.source,
        "cores": [{**vars(core), "cpus": format_cpus(core.cpus)} for core in machine.cores],
        "nodes": [{**vars(node)} for node in machine.nodes],
        "gpus": [{**vars(gpu), "cpus": format_cpus(gpu.cpus), "slices": list(gpu.slices)} for gpu in machine.gpus],
        "cards": [{**vars(card), "cpus": format_cpus(card.cpus)} for card in machine.cards],
        "links": [{"gpus": list(pair), **vars(link)} for pair, link in machine.links.items()],
        "between": [{"devices": list(pair), "closeness": closeness.name}
                    for pair, closeness in machine.between.items()],
    }  # fmt: skip


def from_text(text: str, name: str = "") -> Machine:
    """Read a machine of a text in JSON; see `from_json`.

    Raises:
        TopologyError: for a text that is no JSON, with the line, or no machine.
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise TopologyError(f"{_prefix(name)}line {error.lineno} is no JSON: {error.msg}") from error
    except (RecursionError, ValueError) as error:
        raise TopologyError(f"{_prefix(name)}this is no JSON of a machine: {error}") from error
    return from_json(data, name)


def from_json(data: object, name: str = "") -> Machine:
    """Read a machine of what `to_json` has returned, or somebody has written so.

    Args:
        data: dicts, lists, texts and numbers.
        name: of the file, for errors; the machine's where the data names none.

    Raises:
        TopologyError: with the key and its value.
    """
    try:
        return _machine(Item(data), name)
    except Wrong as wrong:
        raise TopologyError(f"{_prefix(name)}{wrong}") from None


def _prefix(name: str) -> str:
    return f"{name}: " if name else ""


def _machine(item: Item, name: str) -> Machine:
    item.known("format", "name", "source", "cores", "nodes", "gpus", "cards", "links", "between")
    item.required("format").one_of((FORMAT,))
    gpus = tuple(map(_gpu, item.each("gpus", MOST_DEVICES)))
    cards = tuple(map(_card, item.each("cards", MOST_DEVICES)))
    item.require_different("gpus", [gpu.index for gpu in gpus])
    item.require_different("cards", [card.ucx_name for card in cards])
    nodes = tuple(map(_node, item.each("nodes", MOST_DEVICES)))
    item.require_different("nodes", [node.index for node in nodes])
    cores = tuple(map(_core, item.each("cores")))
    item.require_different("cores", [cpu for core in cores for cpu in core.cpus])
    return Machine(
        name=item.text("name", name), source=item.text("source"), cores=cores, nodes=nodes, gpus=gpus, cards=cards,
        links=_links(item, gpus), between=_between(item, gpus, cards))  # fmt: skip


def _core(item: Item) -> Core:
    item.known("cpus", "node", "package")
    cpus = item.required("cpus").cpus()
    if not cpus:
        raise item.get("cpus").wrong("the CPUs of a core, for example 0,40")
    return Core(cpus, item.required("node").whole(0, _MOST), item.required("package").whole(0, _MOST))


def _node(item: Item) -> Node:
    item.known("index", "package", "memory_bytes")
    return Node(item.required("index").whole(0, _MOST), item.required("package").whole(0, _MOST),
                item.get("memory_bytes").whole_or_none(0, _MOST_BYTES))  # fmt: skip


def _gpu(item: Item) -> Gpu:
    item.known("index", "cpus", "node", "address", "model", "uuid", "slices")
    return Gpu(
        item.required("index").whole(0, _MOST), item.get("cpus").cpus(), item.get("node").whole_or_none(0, _MOST),
        item.text("address"), item.text("model"), item.text("uuid"),
        tuple(slice_.filled() for slice_ in item.each("slices")))  # fmt: skip


def _card(item: Item) -> Card:
    item.known("name", "cpus", "node", "address", "kind", "interface", "port", "gb_per_s", "is_up")
    return Card(
        item.required("name").filled(), item.get("cpus").cpus(), item.get("node").whole_or_none(0, _MOST),
        item.text("address"), item.get("kind", "").one_of(_KINDS), item.text("interface"),
        item.get("port").whole_or_none(0, _MOST), item.get("gb_per_s").number_or_none(_MOST_GB_PER_S),
        item.get("is_up").yes_no_or_none())  # fmt: skip


def _links(item: Item, gpus: tuple[Gpu, ...]) -> dict[tuple[int, int], Link]:
    links: dict[tuple[int, int], Link] = {}
    known = {gpu.index for gpu in gpus}
    for entry in item.each("links"):
        entry.known("gpus", "kind", "width", "gb_per_s")
        one, other = (index.whole(0, _MOST) for index in entry.pair("gpus"))
        pair = (min(one, other), max(one, other))
        if one == other or pair in links or not known.issuperset(pair):
            raise entry.get("gpus").wrong("the indices of two GPUs of the file that no other link has")
        links[pair] = Link(entry.get("kind", "NVLink").one_of(_LINKS), entry.get("width").whole_or_none(1, _MOST),
                           entry.get("gb_per_s").number_or_none(_MOST_GB_PER_S))  # fmt: skip
    return links


def _between(item: Item, gpus: tuple[Gpu, ...], cards: tuple[Card, ...]) -> dict[tuple[str, str], Closeness]:
    between: dict[tuple[str, str], Closeness] = {}
    known = {gpu.name for gpu in gpus} | {card.name for card in cards}
    for entry in item.each("between"):
        entry.known("devices", "closeness")
        one, other = (device.filled() for device in entry.pair("devices"))
        pair = pair_of(one, other)
        if one == other or pair in between or not known.issuperset(pair):
            raise entry.get("devices").wrong("the names of two devices of the file that no other entry has")
        between[pair] = Closeness[entry.required("closeness").one_of(tuple(Closeness.__members__))]
    return between
