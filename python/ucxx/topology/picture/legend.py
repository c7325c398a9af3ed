# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What is said below the picture: what each line and each box means."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ucxx.benchmarks.drawing import WIDTH
from ucxx.topology import neighbours, wording
from ucxx.topology.machine import Link, Machine
from ucxx.topology.picture.boxes import Box
from ucxx.topology.picture.sheet import LINE, MARGIN, Sheet, plain, width_of

_SAMPLE = 0.42
_GAP = 0.08
_BETWEEN = 0.28
_ROW = 0.24
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


class Entry(NamedTuple):
    """A sample of a link, of a switch or of a core, and the words behind it."""

    sample: Box
    text: str
    link: Link | None = None


def entries(machine: Machine, sheet: Sheet, y: float) -> tuple[list[Entry], float]:
    """Return the entries in rows that begin at a height, and where they end."""
    found: list[Entry] = []
    x, row = MARGIN, y
    for text, link in _texts(machine, sheet):
        sample = _SAMPLE if link is not None or text.startswith("PCIe") else 0.1
        width = sample + _GAP + width_of(text)
        if x > MARGIN and x + width > WIDTH - MARGIN:
            x, row = MARGIN, row + _ROW
        found.append(Entry(Box(x, row, sample, LINE), text, link))
        x += width + _BETWEEN
    return found, row + _ROW if found else y


def name(link: Link, is_from_each: bool) -> str:
    """Return 'NV2: two links', or what leads from each GPU to a switch."""
    label = plain(wording.link(link))
    if link.width is None:
        return f"{label} between each pair" if is_from_each else label
    number = _NUMBERS[link.width] if link.width < len(_NUMBERS) else str(link.width)
    return f"{label}: {number} link{'s' if link.width > 1 else ''}{' from each GPU' if is_from_each else ''}"


def _texts(machine: Machine, sheet: Sheet) -> Iterator[tuple[str, Link | None]]:
    for link in neighbours.links_by_order(machine):
        yield name(link, sheet.bar is not None), link
    if sheet.switches:
        yield "PCIe switch", None
    if sheet.cores:
        yield "core", None
