# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The C functions of OpenSHMEM: their names and prototypes, from the patterns of `c_table`."""

import functools
import re
from collections.abc import Iterator
from typing import NamedTuple

from ucxx._shmem_adapters import c_table


class Function(NamedTuple):
    """A function: its pattern, of which the name alone is not expanded, its C name, T's name."""

    pattern: str
    name: str
    type: str

    def prototype(self) -> str:
        """Return it as in C."""
        result, _, parameters = parts(self.pattern)
        text = f"{result} {self.name}({', '.join(parameters) or 'void'})"
        return re.sub(r"\bT\b", c_table.TYPES[self.type], text) if self.type else text


@functools.cache
def functions() -> dict[str, Function]:
    """Return all functions by their names without `shmem_`."""
    found = {}
    for pattern in _patterns(c_table.PATTERNS):
        for name, type_name in _names(parts(pattern)[1]):
            found[name.removeprefix("shmem_")] = Function(pattern, name, type_name)
    return found


def standard() -> list[Function]:
    """Return the functions of OpenSHMEM 1.6 that are not deprecated."""
    newest = set(_patterns(c_table.PATTERNS.partition("// Deprecated")[0]))
    return [function for function in functions().values() if function.pattern in newest]


def _patterns(table: str) -> Iterator[str]:
    """Yield each pattern without, and with, what stands in [...]."""
    for text in re.sub("//.*", "", table).split(";"):
        if pattern := " ".join(text.split()):
            yield re.sub(r"\[.*?\]", "", pattern)
            if "[" in pattern:
                yield re.sub(r"[][]", "", pattern)


def parts(prototype: str) -> tuple[str, str, list[str]]:
    """Return result, name and parameters."""
    start, _, parameters = prototype.removesuffix(")").partition("(")
    result, _, name = start.rpartition(" ")
    return result, name, parameters.split(", ") if parameters not in ("", "void") else []


def _names(text: str) -> list[tuple[str, str]]:
    """Return the names that a pattern's name stands for, each with the name of its type."""
    if braces := re.search("{(.*?)}", text):
        return [pair for word in braces[1].split(",")
                for pair in _names(text.replace(braces[0], word, 1))]
    if table := re.search("<(.*?)>", text):
        return [(text.replace(table[0], name), name) for name in c_table.TABLES[table[1]].split()]
    return [(text, "")]
