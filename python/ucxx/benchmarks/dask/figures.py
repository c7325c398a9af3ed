# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What a benchmark of Dask finds in each run, and the rows of the report that it makes."""

from __future__ import annotations

import dataclasses
import itertools
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ucxx.benchmarks.dask.streams import Stream

RATE = "GB/s"  # 1e9 bytes a second; all other units are of times
THROUGHPUT = ": throughput"  # ends what a row is called that divides the bytes of the input by the wall time


@dataclasses.dataclass(frozen=True)
class Figure:
    """One figure of one run."""

    what: str
    value: float
    unit: str


@dataclasses.dataclass(frozen=True)
class Found:
    """What one run has found.

    Attributes:
        figures: in the order of the table.
        streams: by a title, where tasks were watched.
        transports: the names of those that carried it; none over tcp://.
    """

    figures: Sequence[Figure]
    streams: Mapping[str, Stream] = dataclasses.field(default_factory=dict)
    transports: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The rows of all runs.

    Attributes:
        rows: for JSON and the table.
        streams: by a title and by protocol, a run of median length, where tasks were watched.
        transports: by protocol, what carried the payloads.
    """

    rows: list[dict[str, Any]]
    streams: dict[str, dict[str, Stream]] = dataclasses.field(default_factory=dict)
    transports: dict[str, list[str]] = dataclasses.field(default_factory=dict)


def outcome(found: Mapping[str, Sequence[Found]]) -> Outcome:
    """Return the outcome of all runs, by protocol; the others are compared with the last."""
    streams: dict[str, dict[str, list[Stream]]] = {}
    for protocol, runs in found.items():
        for title, stream in itertools.chain.from_iterable(one.streams.items() for one in runs):
            streams.setdefault(title, {}).setdefault(protocol, []).append(stream)
    return Outcome(
        rows({protocol: [one.figures for one in runs] for protocol, runs in found.items()}),
        {title: {protocol: typical(those) for protocol, those in of.items()} for title, of in streams.items()},
        {protocol: sorted({name for one in runs for name in one.transports}) for protocol, runs in found.items()},
    )


def typical(streams: Iterable[Stream]) -> Stream:
    """Return the one of median length."""
    ordered = sorted(streams, key=lambda stream: stream.seconds)
    return ordered[len(ordered) // 2]


def quartiles(what: str, values: Sequence[float], unit: str) -> Iterator[Figure]:
    """Give the quartiles of some values, which lie between the least and the most; none of none."""
    if values:
        found = statistics.quantiles([*values, *values] if len(values) == 1 else values, n=4, method="inclusive")
        for percent, value in zip((25, 50, 75), found, strict=True):
            yield Figure(f"{what}, {percent} %", value, unit)


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


def names_of(results: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the protocols of rows, in their order: the others are compared with the last."""
    return list(dict.fromkeys(row["protocol"] for row in results))


def of_runs(runs: int) -> str:
    """Return 'medians of 3 runs'."""
    return "one run" if runs == 1 else f"medians of {runs} runs"


def _times_faster(row: dict[str, Any], other: dict[str, Any] | None) -> float | None:
    if other is None or 0 in (row["median"], other["median"]):
        return None
    quotient: float = row["median"] / other["median"]
    return quotient if row["unit"] == RATE else 1 / quotient
