# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Values of a file in JSON that nobody has checked: each knows where it stands, and says what it should have been."""

from __future__ import annotations

import collections
import math
import reprlib
from collections.abc import Hashable, Sequence
from typing import Any, TypeVar

from ucxx.topology.machine import parse_cpus

_T = TypeVar("_T")
_LONGEST = 4096  # characters of a text

_repr = reprlib.Repr()
_repr.maxstring = _repr.maxother = 60


class Wrong(Exception):
    """What is wrong with a value, and where."""


class Item:
    """A value of any type, and its place in the file: gpus[0].cpus."""

    def __init__(self, value: Any, place: str = "") -> None:
        """Take a value of the file, which is not checked yet."""
        self.value = value
        self.place = place

    def wrong(self, expected: str) -> Wrong:
        """Return the error that something else is expected here."""
        place = self.place or "the whole"
        return Wrong(f"{place} is {_shown(self.value)}; expected is {expected}")

    def get(self, key: str, default: Any = None) -> Item:
        """Return the value of a key of a dict; where the key is not there, a default in its place."""
        if not isinstance(self.value, dict):
            raise self.wrong("an object with keys and values")
        return Item(self.value.get(key, default), f"{self.place}.{key}".lstrip("."))

    def required(self, key: str) -> Item:
        """Return the value of a key that has to be there."""
        found = self.get(key)
        if key not in self.value:
            raise Wrong(f"{found.place} is missing")
        return found

    def known(self, *keys: str) -> None:
        """Require that a dict has no other keys."""
        self.get("")
        for key in self.value:
            if key not in keys:
                raise Wrong(f"{_within(self.place)}{_shown(key)} is no key here; there are {', '.join(keys)}")

    def require_different(self, key: str, names: Sequence[Hashable]) -> None:
        """Require that no two of the things under a key have the same name or number."""
        for name, number in collections.Counter(names).items():
            if number > 1:
                raise Wrong(f"{key}: {_shown(name)} is there {number} times; each has its own")

    def each(self, key: str, most: int = 1 << 20) -> list[Item]:
        """Return the values of a list under a key, at most so many; none where the key is not there."""
        found = self.get(key, [])
        if not isinstance(found.value, list):
            raise found.wrong("a list")
        if len(found.value) > most:
            raise Wrong(f"{found.place} has {len(found.value)} entries; expected are {most} at most")
        return [Item(value, f"{found.place}[{number}]") for number, value in enumerate(found.value)]

    def pair(self, key: str) -> list[Item]:
        """Return the two values of a list under a key."""
        found = self.each(key)
        if len(found) != 2:
            raise self.required(key).wrong("a list of two")
        return found

    def text(self, key: str, default: str = "") -> str:
        """Return the text under a key, which may be empty."""
        return self.get(key, default)._text("a text without control characters", 0)

    def filled(self) -> str:
        """Return a text that is not empty."""
        return self._text("a name without control characters", 1)

    def cpus(self) -> frozenset[int]:
        """Return CPUs of a text as Linux writes it; none where the key is not there."""
        if self.value in (None, ""):
            return frozenset()
        try:
            return parse_cpus(self._text("a text", 1))
        except (ValueError, Wrong):
            raise self.wrong("a list of CPUs as a text, for example 0-19,40-59") from None

    def whole(self, low: int, high: int) -> int:
        """Return a whole number from low to high."""
        if type(self.value) is not int or not low <= self.value <= high:
            raise self.wrong(f"a whole number from {low} to {high}")
        return self.value

    def whole_or_none(self, low: int, high: int) -> int | None:
        """Return a whole number, or None for null."""
        return None if self.value is None else self.whole(low, high)

    def number_or_none(self, high: float) -> float | None:
        """Return a number above 0, or None for null."""
        if self.value is None:
            return None
        if type(self.value) not in (int, float) or not 0 < self.value <= high or not math.isfinite(self.value):
            raise self.wrong(f"a number above 0, at most {high:g}, or null")
        return float(self.value)

    def yes_no_or_none(self) -> bool | None:
        """Return true or false, or None for null."""
        if self.value is not None and type(self.value) is not bool:
            raise self.wrong("true, false or null")
        return self.value

    def one_of(self, values: tuple[_T, ...]) -> _T:
        """Return a value that is one of these."""
        for value in values:
            if type(self.value) is type(value) and self.value == value:
                return value
        raise self.wrong(f"one of {', '.join(map(repr, values))}" if len(values) > 1 else repr(values[0]))

    def _text(self, expected: str, least: int) -> str:
        value = self.value
        if not isinstance(value, str) or not least <= len(value) <= _LONGEST or not value.isprintable():
            raise self.wrong(expected)
        return value


def _within(place: str) -> str:
    return f"{place}: " if place else ""


def _shown(value: object) -> str:
    """Return a value as text, short whatever its length and depth."""
    try:
        return _repr.repr(value)
    except ValueError:  # an int of too many digits
        return f"a very large {type(value).__name__}"
