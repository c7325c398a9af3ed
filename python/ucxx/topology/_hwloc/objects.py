# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The objects of a topology of hwloc: their attributes, checked, and where they are in the tree."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator

from ucxx.topology import faults, wording
from ucxx.topology._hwloc import bitmaps
from ucxx.topology._hwloc.xmltree import Element
from ucxx.topology.machine import TopologyError

_INPUT_OUTPUT = frozenset({"Bridge", "PCIDev", "OSDev", "Misc"})
_MOST = 1 << 16


@dataclasses.dataclass(frozen=True)
class Source:
    """What is read: the name of the file, its root, the major version of its format."""

    name: str
    root: Element
    format: int

    @functools.cached_property
    def _by_type(self) -> dict[str | None, list[Element]]:
        found: dict[str | None, list[Element]] = {}
        for element in self.root.within():
            if element.tag == "object":
                found.setdefault(element.get("type"), []).append(element)
        return found

    def objects(self, kind: str) -> list[Element]:
        """Return all objects of a type, in the order of the text."""
        return self._by_type.get(kind, [])

    def fault(self, element: Element, said: str) -> TopologyError:
        """Return an error that names the line of an element."""
        return faults.at(self.name, element.line, said)

    def number(self, element: Element, attribute: str) -> int:
        """Return an attribute that must be a number.

        Raises:
            TopologyError: where it is missing or none.
        """
        value = element.get(attribute)
        if value is not None and value.isascii() and value.isdigit() and len(value) < 10 and int(value) < _MOST:
            return int(value)
        kind = wording.clean(element.get("type") or element.tag)
        raise self.fault(element, f"{kind} has {attribute} {faults.shown(value)}; expected a number below {_MOST}")

    def bits(self, element: Element, attribute: str = "cpuset") -> int:
        """Return a set of hardware threads.

        Raises:
            TopologyError: where it is missing or none.
        """
        value = element.get(attribute)
        try:
            return bitmaps.parse(value or "")
        except ValueError:
            kind = wording.clean(element.get("type") or element.tag)
            said = f"{kind} has {attribute} {faults.shown(value)}; expected a set as 0x00000001,0xffffffff"
            raise self.fault(element, said) from None


def infos(element: Element) -> dict[str, str]:
    """Return the notes of an object: names and values."""
    return {
        child.get("name") or "": child.get("value") or ""
        for child in element.children
        if child.tag == "info"
    }  # fmt: skip


def above(element: Element, *kinds: str) -> Iterator[Element]:
    """Give the objects of some types that hold an object, the nearest first."""
    return (parent for parent in element.above() if parent.get("type") in kinds)


def is_input_output(element: Element) -> bool:
    """Tell whether an object is a device or a bridge, which have no threads of their own."""
    return element.get("type") in _INPUT_OUTPUT
