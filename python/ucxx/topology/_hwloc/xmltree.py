# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""XML as a tree whose elements know their line; nothing outside the text is read, and no entity is defined."""

from __future__ import annotations

from collections.abc import Iterator
from xml.parsers import expat

from ucxx.topology import faults
from ucxx.topology.machine import TopologyError

_DEEPEST = 200  # hwloc's own limit is lower


class Element:
    """An element: its tag, attributes, line, parent, children and text."""

    __slots__ = ("attributes", "children", "line", "parent", "tag", "text")

    def __init__(self, tag: str, attributes: dict[str, str], line: int, parent: Element | None) -> None:
        """Join it to its parent."""
        self.tag, self.attributes, self.line, self.parent = tag, attributes, line, parent
        self.children: list[Element] = []
        self.text = ""
        if parent is not None:
            parent.children.append(self)

    def get(self, attribute: str) -> str | None:
        """Return an attribute, None where it is missing."""
        return self.attributes.get(attribute)

    def within(self) -> Iterator[Element]:
        """Give all elements below this one, in the order of the text."""
        for child in self.children:
            yield child
            yield from child.within()

    def above(self) -> Iterator[Element]:
        """Give all elements that hold this one, the nearest first."""
        parent = self.parent
        while parent is not None:
            yield parent
            parent = parent.parent


class _Builder:
    def __init__(self, name: str) -> None:
        self._name = name
        self._open: Element | None = None
        self._depth = 0
        self._parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._data
        parser.EntityDeclHandler = self._refuse_entity
        self.root: Element | None = None

    def feed(self, text: str) -> None:
        self._parser.Parse(text, True)

    def _fault(self, said: str) -> TopologyError:
        return faults.at(self._name, self._parser.CurrentLineNumber, said)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._fault(f"{_DEEPEST} elements inside one another; expected fewer")
        self._open = Element(tag, attributes, self._parser.CurrentLineNumber, self._open)
        if self.root is None:
            self.root = self._open

    def _end(self, _tag: str) -> None:
        self._depth -= 1
        if self._open is not None:
            self._open = self._open.parent

    def _data(self, text: str) -> None:
        if self._open is not None and not text.isspace():
            self._open.text += text

    def _refuse_entity(self, entity: str, *_: object) -> None:
        raise self._fault(f"the entity {faults.shown(entity)} is defined; a topology defines none")


def parse(text: str, name: str) -> Element:
    """Read XML and return its root.

    Raises:
        TopologyError: for what is no XML, defines entities, or is nested too deep.
    """
    builder = _Builder(name)
    try:
        builder.feed(text)
    except expat.ExpatError as error:
        raise faults.at(name, error.lineno, f"no XML: {expat.ErrorString(error.code)}") from None
    except UnicodeEncodeError:
        raise TopologyError(f"{name}: characters that are no Unicode; expected XML") from None
    assert builder.root is not None  # expat refuses a text without an element
    return builder.root
