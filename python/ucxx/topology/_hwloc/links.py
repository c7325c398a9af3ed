# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Direct links between GPUs, of the matrices in hwloc's XML: NVLinkBandwidth, XGMIBandwidth, XGMIHops."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from ucxx.topology import faults, pci
from ucxx.topology._hwloc import gpus
from ucxx.topology._hwloc.objects import Source
from ucxx.topology._hwloc.xmltree import Element
from ucxx.topology.machine import Gpu, Link

_TAGS = frozenset({"distances2", "distances2hetero"})
_MB_PER_GB = 1000
_MOST_OBJECTS = 4096
_SWITCH_CLASS = 0x0680
_Pairs = dict[tuple[int, int], int]


def read(source: Source, found: Sequence[tuple[Gpu, Element, pci.Place]]) -> dict[tuple[int, int], Link]:
    """Return the links, by the indices of two GPUs.

    Raises:
        TopologyError: for a matrix that is cut, or of objects that are not there.
    """
    matrices = {
        element.get("name"): element
        for element in source.root.children
        if element.tag in _TAGS and element.get("name") in {"NVLinkBandwidth", "XGMIBandwidth", "XGMIHops"}
    }
    if not matrices:
        return {}
    numbered = _Numbered(source, {device: gpu.index for gpu, device, _ in found})
    read = {name: _pairs(source, element, numbered) for name, element in matrices.items()}
    links = {pair: _link("NVLink", value) for pair, value in read.get("NVLinkBandwidth", {}).items()}
    return links | _xgmi(read.get("XGMIBandwidth", {}), read.get("XGMIHops"))


def _link(kind: str, mb_per_s: int | None) -> Link:
    return Link(kind, gb_per_s=None if mb_per_s is None else mb_per_s / _MB_PER_GB)


def _xgmi(bandwidth: _Pairs, hops: _Pairs | None) -> dict[tuple[int, int], Link]:
    """Return the pairs that are one hop apart; the bandwidth alone tells of relayed pairs too."""
    pairs = bandwidth if hops is None else [pair for pair, count in hops.items() if count == 1]
    return {pair: _link("XGMI", bandwidth.get(pair)) for pair in pairs}


class _Numbered:
    """The objects that a matrix names by their gp_index: which GPU each is, or whether it is a switch of links."""

    def __init__(self, source: Source, index: dict[Element, int]) -> None:
        self._source = source
        self._index = index
        self._objects = {
            element.get("gp_index"): element
            for element in source.root.within()
            if element.tag == "object"
        }  # fmt: skip

    def find(self, matrix: Element, number: str) -> int | str | None:
        """Return the index of a GPU, "switch", or None for what is neither.

        Raises:
            TopologyError: where no object has the number.
        """
        element = self._objects.get(number)
        if element is None:
            raise self._source.fault(matrix, f"no object has the gp_index {faults.shown(number)} of this matrix")
        device = next((each for each in (element, *element.above()) if each.get("type") == "PCIDev"), None)
        if device in self._index:
            return self._index[device]
        return "switch" if device is not None and self._is_switch(device) else None

    def _is_switch(self, device: Element) -> bool:
        kinds = gpus.kind_and_vendor(self._source, device)
        return device.get("subtype") == "NVSwitch" or kinds == (_SWITCH_CLASS, pci.NVIDIA)


def _pairs(source: Source, matrix: Element, numbered: _Numbered) -> _Pairs:
    """Return what a matrix says of each two GPUs, where it is not zero; the lesser of both directions."""
    names = _words(matrix, "indexes")
    values = _values(source, matrix, len(names))
    what = [numbered.find(matrix, name.rpartition(":")[2]) for name in names]
    rows = {index: row for row, index in enumerate(what) if isinstance(index, int)}
    switches = [row for row, kind in enumerate(what) if kind == "switch"]
    # What all switches together let through, where there is no direct value.
    sent = {row: sum(values[row][each] for each in switches) for row in rows.values()}
    received = {row: sum(values[each][row] for each in switches) for row in rows.values()}
    found = {}
    for pair in itertools.combinations(sorted(rows), 2):
        one, other = rows[pair[0]], rows[pair[1]]
        there = values[one][other] or min(sent[one], received[other])
        back = values[other][one] or min(sent[other], received[one])
        if value := min(there, back):
            found[pair] = value
    return found


def _words(matrix: Element, tag: str) -> list[str]:
    return " ".join(child.text for child in matrix.children if child.tag == tag).split()


def _values(source: Source, matrix: Element, count: int) -> list[list[int]]:
    name = matrix.get("name")
    expected = source.number(matrix, "nbobjs")
    words = _words(matrix, "u64values")
    if count != expected or len(words) != count * count or count > _MOST_OBJECTS:
        said = f"{name} has {count} indexes and {len(words)} values; expected {expected} and their square"
        raise source.fault(matrix, said)
    for word in words:
        if not (word.isascii() and word.isdigit() and len(word) < 10):
            said = f"{name} has the value {faults.shown(word)}; expected a number of at most 9 digits"
            raise source.fault(matrix, said)
    numbers = list(map(int, words))
    return [numbers[row * count : (row + 1) * count] for row in range(count)]
