# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What a benchmark of Dask finds in each run, and the rows of the report that it makes."""

from __future__ import annotations

import dataclasses
import itertools
import statistics
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ucxx.benchmarks.dask.streams import Stream

RATE = "GB/s"  # 1e9 bytes a second; all other units are of times


@dataclasses.dataclass(frozen=True)
class Figure:
    """One figure of one run."""

    what: str
    value: float
    unit: str


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The rows of all runs.

    Attributes:
        rows: for JSON and the table.
        streams: by a title and by protocol, a run of median length, where tasks were watched.
    """

    rows: list[dict[str, Any]]
    streams: dict[str, dict[str, Stream]] = dataclasses.field(default_factory=dict)


def rows(found: Mapping[str, Sequence[Sequence[Figure]]]) -> list[dict[str, Any]]:
    """Return a row for each figure of each protocol, with its values of all runs.

    Args:
        found: by protocol, for each run its figures. The last protocol is what the others are compared with:
            `times_faster` says how many times faster they are. None where there is no other.
    """
    groups: dict[str, dict[str, dict[str, Any]]] = {}
    for protocol, runs in found.items():
        for figure in itertools.chain.from_iterable(runs):
            named = {"what": figure.what, "protocol": protocol, "unit": figure.unit, "values": []}
            row = groups.setdefault(figure.what, {}).setdefault(protocol, named)
            row["values"].append(figure.value)
    for group in groups.values():
        for row in group.values():
            row["median"] = statistics.median(row["values"])
        for row in group.values():
            row["times_faster"] = _times_faster(row, group.get(list(found)[-1]) if len(found) > 1 else None)
    return [row for group in groups.values() for row in group.values()]


def _times_faster(row: dict[str, Any], other: dict[str, Any] | None) -> float | None:
    if other is None or 0 in (row["median"], other["median"]):
        return None
    quotient: float = row["median"] / other["median"]
    return quotient if row["unit"] == RATE else 1 / quotient
