# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The cells of `nvidia-smi topo -m` as links and closeness."""

from __future__ import annotations

import itertools
import re

from ucxx.topology import faults
from ucxx.topology._nvidia.table import EXTRAS, Cell, Table
from ucxx.topology.machine import Closeness, Link, TopologyError

_LINKS = re.compile(r"NV([1-9][0-9]?)")
_CLOSENESS = {each.name: each for each in Closeness} | {"SOC": Closeness.SYS}  # its name in old drivers
_EXPECTED = "NV and a number, PIX, PXB, PHB, NODE or SYS"


def is_gpu(device: str) -> bool:
    """Tell whether a device is a GPU, by its name."""
    return device.startswith("GPU")


def devices(table: Table) -> list[str]:
    """Return the devices, in the order of the columns, each of which has a row and all its cells.

    Raises:
        TopologyError: where a row, a column or a cell is missing, or the diagonal is not X.
    """
    found = [column for column in table.columns if column not in EXTRAS]
    if not any(map(is_gpu, found)):
        raise TopologyError(f"{table.name}: no GPU; expected the table of `nvidia-smi topo -m`, with GPU0")
    for device in found:
        if device not in table.rows:
            raise table.fault(table.columns[device], f"column {device} has no row")
    for row, line in table.rows.items():
        if row not in table.columns:
            raise table.fault(line, f"row {row} has no column")
        _check_row(table, row, found)
    return found


def _check_row(table: Table, row: str, columns: list[str]) -> None:
    for column in columns:
        cell = table.cells.get((row, column))
        if cell is None:
            raise table.fault(table.rows[row], f"row {row} has no cell for {column}")
        if (cell.text == "X") != (row == column):
            expected = "X" if row == column else _EXPECTED
            said = f"{faults.shown(cell.text)} from {row} to {column}; expected {expected}"
            raise table.fault(cell.line, said)


def pairs(table: Table, names: list[str]) -> dict[tuple[str, str], Link | Closeness]:
    """Return what lies between each two devices.

    Raises:
        TopologyError: where a cell is unknown, or the cells of a pair differ.
    """
    return {(one, other): _pair(table, one, other) for one, other in itertools.combinations(names, 2)}


def _pair(table: Table, one: str, other: str) -> Link | Closeness:
    there, back = table.cells[one, other], table.cells[other, one]
    value = _value(table, there)
    if isinstance(value, Link) and not (is_gpu(one) and is_gpu(other)):
        raise table.fault(there.line, f"{there.text} from {one} to {other}; expected links between GPUs alone")
    if value != _value(table, back):
        expected = f"{there.text}, as from {one} to {other} in line {there.line}"
        said = f"{back.text} from {other} to {one}; expected {expected}"
        raise table.fault(back.line, said)
    return value


def _value(table: Table, cell: Cell) -> Link | Closeness:
    found = _LINKS.fullmatch(cell.text)
    if found:
        return Link("NVLink", width=int(found[1]))
    if cell.text not in _CLOSENESS:
        raise table.fault(cell.line, f"unknown cell {faults.shown(cell.text)}; expected X, {_EXPECTED}")
    return _CLOSENESS[cell.text]
