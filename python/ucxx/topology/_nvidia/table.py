# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The table of `nvidia-smi topo -m` as cells, before their meaning: by tabs or blanks, in one block or several."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence

from ucxx.topology import faults
from ucxx.topology.machine import MOST_DEVICES, TopologyError

CPUS, NODE, MEMORY = "CPU Affinity", "NUMA Affinity", "GPU NUMA ID"
EXTRAS = (CPUS, NODE, MEMORY)
_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_HEADER = re.compile("|".join([*EXTRAS, r"\S+"]))
_DEVICE = re.compile(r"GPU[0-9]{1,4}|(?!GPU)[A-Za-z][A-Za-z0-9_.\-]{0,63}")
_LEGEND = re.compile(r"Legend:")
_CARDS = re.compile(r"NIC Legend:")
_CARD = re.compile(r"(NIC[0-9]{1,4}): *([A-Za-z][A-Za-z0-9_.\-]{0,63})")
_CONTINUED = "\\"  # pandas puts it after the last column of a block that has a next one


@dataclasses.dataclass(frozen=True)
class Cell:
    """A cell, and the line that it is in."""

    text: str
    line: int


@dataclasses.dataclass
class Table:
    """Cells by the names of their row and column; `cards` are the names that the legend tells."""

    name: str
    columns: dict[str, int] = dataclasses.field(default_factory=dict)  # and the line of each
    rows: dict[str, int] = dataclasses.field(default_factory=dict)
    cells: dict[tuple[str, str], Cell] = dataclasses.field(default_factory=dict)
    cards: dict[str, str] = dataclasses.field(default_factory=dict)

    def fault(self, line: int, said: str) -> TopologyError:
        """Return an error that names a line."""
        return faults.at(self.name, line, said)


def parse(text: str, name: str) -> Table:
    """Read the cells.

    Raises:
        TopologyError: for a line that is no part of such a table.
    """
    table = Table(name)
    lines = _lines(text)
    columns: list[str] = []
    for number, line in lines:
        if not line.strip():
            columns = []  # the next block has a header of its own
        elif _LEGEND.fullmatch(line.strip()) or _CARDS.fullmatch(line.strip()):
            _read_legend(table, lines, is_cards=_CARDS.fullmatch(line.strip()) is not None)
        elif not columns:
            columns = _header(table, number, line)
        else:
            _row(table, number, line, columns)
    return table


def _lines(text: str) -> Iterator[tuple[int, str]]:
    return iter([
        (number, _ESCAPE.sub("", line).rstrip("\r"))
        for number, line in enumerate(text.split("\n"), 1)
    ])  # fmt: skip


def _header(table: Table, number: int, line: str) -> list[str]:
    columns = _HEADER.findall(line)
    if columns[-1] == _CONTINUED:
        columns.pop()
    for column in columns:
        if column not in EXTRAS and not _DEVICE.fullmatch(column):
            said = f"unknown column {faults.shown(column)}; expected GPU0, NIC0, mlx5_0 or {', '.join(EXTRAS)}"
            raise table.fault(number, said)
        if column in table.columns:
            raise table.fault(number, f"column {column} is there twice, first in line {table.columns[column]}")
        table.columns[column] = number
    if len(table.columns) > MOST_DEVICES:
        raise table.fault(number, f"{len(table.columns)} columns; expected {MOST_DEVICES} at most")
    return columns


def _row(table: Table, number: int, line: str, columns: Sequence[str]) -> None:
    row, *words = line.split()
    if not _DEVICE.fullmatch(row):
        raise table.fault(number, f"unknown row {faults.shown(row)}; expected GPU0, NIC0 or mlx5_0")
    if (row, columns[0]) in table.cells:
        raise table.fault(number, f"row {row} is there twice, first in line {table.rows[row]}")
    devices = [column for column in columns if column not in EXTRAS]
    if len(words) < len(devices):
        raise table.fault(number, f"row {row} has {len(words)} cells; expected {len(devices)} at least")
    extras = [column for column in columns if column in EXTRAS]
    rest = _rest(line, words, len(devices), len(extras))
    if len(rest) > len(extras):
        raise table.fault(number, f"row {row} has {len(devices) + len(rest)} cells; expected {len(columns)} at most")
    rest += [""] * (len(extras) - len(rest))
    table.rows.setdefault(row, number)
    for column, cell in zip([*devices, *extras], [*words[: len(devices)], *rest], strict=True):
        table.cells[row, column] = Cell(cell, number)


def _rest(line: str, words: Sequence[str], devices: int, extras: int) -> list[str]:
    """Return the cells after those of devices; only tabs tell which of them are empty."""
    cells = [cell.strip() for cell in line.split("\t")]
    if len(cells) == 1 or cells[1 : devices + 1] != list(words[:devices]):
        return list(words[devices:])
    rest = cells[devices + 1 :]
    if len(rest) > len(EXTRAS) == extras and not rest[2]:
        del rest[2]  # nvidia-smi puts two tabs before the last column
    while rest and not rest[-1]:
        rest.pop()
    return rest


def _read_legend(table: Table, lines: Iterator[tuple[int, str]], *, is_cards: bool) -> None:
    """Read to the end: words for people, then the names of cards."""
    for number, line in lines:
        said = line.strip()
        if _CARDS.fullmatch(said):
            is_cards = True
        elif is_cards and said:
            found = _CARD.fullmatch(said)
            if found is None:
                raise table.fault(number, f"{faults.shown(said)} in the NIC legend; expected a line as NIC0: mlx5_0")
            if found[1] in table.cards or found[2] in table.cards.values():
                raise table.fault(number, f"{said} is there twice in the NIC legend")
            table.cards[found[1]] = found[2]
