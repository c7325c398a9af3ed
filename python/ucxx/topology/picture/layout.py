# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Where the parts of a machine are on the sheet.

Two columns that mirror each other: packages side by side, or the parts of one package. GPUs are at the inner side,
where links cross, cards at the outer one.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from ucxx.benchmarks.drawing import WIDTH
from ucxx.topology.machine import Machine
from ucxx.topology.picture import devices, headers
from ucxx.topology.picture.boxes import Box, around
from ucxx.topology.picture.groups import by_switch, switches
from ucxx.topology.picture.places import Place, places
from ucxx.topology.picture.shape import Part, Shape
from ucxx.topology.picture.sheet import BAND, MARGIN, PAD, Half, Sheet

_BAR = 0.3
_LEAST = 2.4  # width of a package
_LEAST_GUTTER = 0.3


def lay_out(machine: Machine, top: float = 0.0) -> Sheet:
    """Return the sheet of a machine, whose boxes begin at `top`."""
    packages = places(machine)
    layout = _Alone(machine, packages) if len(packages) == 1 else _Pairs(machine, packages)
    return layout.run(top)


class _Pairs:
    """Packages side by side, two in a row."""

    def __init__(self, machine: Machine, packages: list[list[Place]]) -> None:
        self.sheet = Sheet()
        self.machine = machine
        self.packages = packages
        self.switches = switches(machine)
        self.nesting = PAD if max(map(len, packages), default=0) > 1 else 0.0
        self.shape = Shape.of(machine, self.stacks(), is_nested=self.nesting > 0)

    def run(self, top: float) -> Sheet:
        """Lay out all packages, and what links all GPUs alike."""
        self.sheet.bottom = top
        for number in range(0, len(self.packages), 2):
            self.sheet.bottom = self.put(self.packages[number : number + 2], self.sheet.bottom) + PAD
        if self.shape.has_bar:
            self.sheet.bar = self.bar()
        return self.sheet

    def stacks(self) -> list[list[Part]]:
        """Return what stands in each column, from top to bottom."""
        return [[self.groups(place) for package in self.packages[side::2] for place in package] for side in (0, 1)]

    def groups(self, place: Place) -> Part:
        """Return the devices of a place."""
        return by_switch(self.switches, place.devices)

    def words_width(self) -> float:
        """Return how wide the longest words are."""
        every = [place for package in self.packages for place in package]
        return max(headers.width(place) for place in every)

    def halves(self) -> tuple[Half, Half]:
        """Return both columns, with their frames."""
        frames = 2 * (PAD + self.nesting)
        width, gutter = self.fitted(max(_LEAST, self.words_width() + frames), self.shape.width() + frames, MARGIN)
        begin = (WIDTH - gutter) / 2 - width
        return Half(begin, width), Half(WIDTH - begin - width, width, is_mirrored=bool(self.machine.gpus))

    def fitted(self, for_words: float, for_devices: float, margin: float) -> tuple[float, float]:
        """Return the width of a column, and that of the gutter, which is less where devices need the room."""
        room = (WIDTH - self.shape.gutter) / 2 - margin
        most = room if self.shape.columns == 2 else (WIDTH - _LEAST_GUTTER) / 2 - margin
        width = max(min(for_words, room), min(for_devices, most))
        return width, min(self.shape.gutter, WIDTH - 2 * (width + margin))

    def put(self, packages: Sequence[Sequence[Place]], y: float) -> float:
        """Put one or two packages side by side, each in a frame; return where they end."""
        halves = self.halves()
        self.sheet.middle = WIDTH / 2
        inner = [half.inside(PAD) for half in halves]
        end = max(headers.title(self.sheet, half, package[0].package, y + PAD)
                  for half, package in zip(inner, packages, strict=False))  # fmt: skip
        for row in itertools.zip_longest(*packages):
            end = self.row(list(zip(inner, row, strict=False)), end)
        for half, _ in zip(halves, packages, strict=False):
            self.sheet.packages.append(half.box(0, y, half.width, end + PAD - y))
        return end + PAD

    def row(self, cells: Sequence[tuple[Half, Place | None]], y: float) -> float:
        """Put places beside each other, their words and their devices each at the same height."""
        filled = [(half, place) for half, place in cells if place is not None]
        inner = [(half.inside(self.nesting), place) for half, place in filled]
        begin = y + (self.nesting and 1.6 * PAD)
        top = max(headers.words(self.sheet, half, place, begin) for half, place in inner)
        end = max(devices.put(self.sheet, self.shape, half, self.groups(place), top) for half, place in inner)
        if not self.nesting:
            return end
        for half, _ in filled:
            self.sheet.nodes.append(half.box(0, y + 0.6 * PAD, half.width, end + PAD - y - 0.6 * PAD))
        return end + PAD

    def bar(self) -> Box:
        """Return the bar between the halves, or beside the only column of GPUs."""
        gpus = around(list(self.sheet.gpus.values()))
        x = self.sheet.middle - _BAR / 2
        return Box(x if x > gpus.x else gpus.right + self.shape.inner - _BAR, gpus.y, _BAR, gpus.height)


class _Alone(_Pairs):
    """The only package: its NUMA nodes in two columns, or the devices of its only one; or one column."""

    def stacks(self) -> list[list[Part]]:
        """Return what stands in each column, from top to bottom."""
        (package,) = self.packages
        if len(package) == 1:
            return [[part] for part in _split(self.groups(package[0]))]
        middle = (len(package) + 1) // 2
        return [[self.groups(place) for place in column] for column in (package[:middle], package[middle:])]

    def halves(self) -> tuple[Half, Half]:
        """Return both columns, around which the frame is."""
        frames = 2 * self.nesting
        for_words = self.words_width() + frames if self.nesting else 0.0
        width, gutter = self.fitted(for_words, self.shape.width() + frames, MARGIN + PAD)
        begin = MARGIN + PAD
        right = Half(begin + width + gutter, width, is_mirrored=bool(self.machine.gpus))
        return Half(begin, width), right

    def put(self, packages: Sequence[Sequence[Place]], y: float) -> float:
        """Put the package in a frame; return where it ends."""
        (package,) = packages
        halves = self.halves()
        right = halves[1] if len(self.stacks()) > 1 else halves[0]
        self.sheet.middle = (halves[0].right + halves[1].x) / 2 if right is halves[1] else 0.0
        wanted = max(right.right - MARGIN + PAD, _LEAST, 0 if self.nesting else self.words_width() + 2 * PAD)
        frame = Half(MARGIN, min(wanted, WIDTH - 2 * MARGIN))
        end = headers.title(self.sheet, frame.inside(PAD), package[0].package, y + PAD)
        if self.nesting:
            middle = (len(package) + 1) // 2
            for row in itertools.zip_longest(package[:middle], package[middle:]):
                end = self.row(list(zip(halves, row, strict=True)), end)
        else:
            end = self.only(frame.inside(PAD), package[0], end)
        self.sheet.packages.append(frame.box(0, y, frame.width, end + PAD - y))
        return end + PAD

    def only(self, inner: Half, place: Place, y: float) -> float:
        """Put the only place, its devices in two halves where there are several; return where they end."""
        top = headers.words(self.sheet, inner, place, y)
        parts = _split(self.groups(place))
        if len(parts) == 1:
            return devices.put(self.sheet, self.shape, inner, parts[0], top)
        left, right = self.halves()
        shift = (inner.right - right.right) / 2
        self.sheet.middle += shift
        columns = [Half(half.x + shift, half.width, half.is_mirrored) for half in (left, right)]
        end = max(devices.put(self.sheet, self.shape, half, part, top)
                  for half, part in zip(columns, parts, strict=False))  # fmt: skip
        return devices.put(self.sheet, self.shape, inner, parts[2], end + 2 * BAND) if len(parts) > 2 else end


def _split(groups: Part) -> tuple[Part, ...]:
    """Return groups in two halves, and the cards that stand alone; all of them as one where one group has GPUs."""
    with_gpus = [group for group in groups if group.gpus]
    if len(with_gpus) < 2:
        return (groups,)
    middle = (len(with_gpus) + 1) // 2
    alone = tuple(group for group in groups if not group.gpus)
    return tuple(with_gpus[:middle]), tuple(with_gpus[middle:]), *((alone,) if alone else ())
