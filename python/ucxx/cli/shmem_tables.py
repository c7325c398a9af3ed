# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The tables of `python -m ucxx benchmark shmem`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rich.table import Table

from ucxx.benchmarks.shmem.ways import FIRST, TITLES
from ucxx.benchmarks.units import size_text
from ucxx.cli import output, results

_Row = dict[str, Any]
# A time of a row as a number and its unit, in that of the row's median.
_Value = Callable[[_Row, float], tuple[float, str]]


def show(report: dict[str, Any]) -> None:
    """Print the tables of a report, and what is missing."""
    console = output.console()
    rows, names = report["results"], report["settings"]["ways"]
    calls = [row for row in rows if row["figure"] not in ("bandwidth", "memcpy")]
    copies = [row for row in rows if row["figure"] in ("bandwidth", "memcpy")]
    if calls:
        console.print(_table("time of a call", calls, names, lambda row: row["title"], _time))
    if copies:
        console.print()
        beside = [_as_way(row) for row in copies]
        columns = [*names, *(["memcpy"] if any(row["way"] == "memcpy" for row in beside) else [])]
        console.print(_table("put, GB/s", beside, columns, lambda row: size_text(row["bytes"]), _rate))
    for kind in ("skipped", "failed"):
        for name, why in report[kind].items():
            console.print(f"{TITLES[name]}: not measured: {why}")
    console.print(_footnote(report), style="dim")


def _table(
    head: str,
    rows: list[_Row],
    names: Sequence[str],
    title: Callable[[_Row], str],
    value: _Value,
) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(head, no_wrap=True)
    for name in names:
        table.add_column(TITLES.get(name, name), justify="right", no_wrap=True)
        if name != "memcpy":
            table.add_column("spread" if name == FIRST else "ratio", justify="right", no_wrap=True)
    for text in dict.fromkeys(map(title, rows)):
        some = {row["way"]: row for row in rows if title(row) == text}
        table.add_row(text, *_cells(some, names, value))
    return table


def _cells(
    rows: dict[str, _Row], names: Sequence[str], value: _Value
) -> Iterator[str]:
    for name in names:
        row = rows.get(name)
        yield _text(value(row, row["ns"])) if row else "-"
        if name == FIRST:
            yield _spread(row, value) if row else ""
        elif name != "memcpy":
            yield results.figure(row["ratio"], 2) if row and row["ratio"] else ""


def _spread(row: _Row, value: _Value) -> str:
    """Return '36.1-41.2': the fastest and the slowest run, in the unit of their median."""
    every = sorted(value(row, ns)[0] for ns in row["runs_ns"])
    return f"{every[0]:.3g}-{every[-1]:.3g}" if len(every) > 1 else ""


def _as_way(row: _Row) -> _Row:
    """Return the row with a ratio of rates; one of a copy within a process has a column of its own."""
    if row["figure"] == "memcpy":
        return {**row, "way": "memcpy", "ratio": None}
    return {**row, "ratio": row["ratio"] and 1 / row["ratio"]}


def _time(row: _Row, ns: float) -> tuple[float, str]:
    for unit, name in ((1e9, "s"), (1e6, "ms"), (1e3, "us")):
        if row["ns"] >= unit:
            return ns / unit, name
    return ns, "ns"


def _rate(row: _Row, ns: float) -> tuple[float, str]:
    return row["bytes"] / ns, ""


def _text(value: tuple[float, str]) -> str:
    """Return '37 ns' or '2.6 us'."""
    number, unit = value
    return f"{number:.3g} {unit}".strip()


def _footnote(report: dict[str, Any]) -> str:
    settings = report["settings"]
    runs = settings["runs"]
    return (
        f"{settings['pes']} PEs; {'one run' if runs == 1 else f'medians of {runs} runs'}, in turn, each the "
        f"median of {settings['repeats']} repetitions; "
        f"ratio: to ucxx.shmem; load {report['load']:.1f}; "
        + "; ".join(f"{TITLES[name]}: {text}" for name, text in report["tools"].items())
    )
