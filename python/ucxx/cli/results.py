# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The table of what was measured."""

import math
import statistics
from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import JustifyMethod
from rich.table import Table

from ucxx.benchmarks import backends, units
from ucxx.benchmarks.prk.compare import is_oversubscribed, title_of
from ucxx.cli import output


def show(report: dict[str, Any]) -> None:
    """Print the table of a report, and what was skipped."""
    console = output.console()
    console.print(_table(report["results"]))
    for name, why in report["skipped"].items():
        console.print(f"{name} was skipped: {why}")
    for line in _footnotes(report):
        console.print(line, style="dim")


def show_spread(
    rows: list[dict[str, Any]], columns: tuple[str, str, str], report: dict[str, Any]
) -> None:
    """Print a table of medians and spreads, and how many times the first one each is.

    Args:
        rows: dicts.
        columns: the key of what was measured, that of the values of all runs, and its unit.
        report: what `measuring.header` says.
    """
    name, key, unit = columns
    table = _new_table(
        (name, "left"), (unit, "right"), ("spread", "right"), (f"/ {rows[0][name]}", "right")
    )
    first = statistics.median(rows[0][key])
    for row in rows:
        value = statistics.median(row[key])
        table.add_row(str(row[name]), figure(value, 3), spread(row[key]), figure(value / first, 3))
    console = output.console()
    console.print(table)
    console.print(
        f"UCX {report['ucx']['version']}; {_of_runs(len(rows[0][key]))}; "
        f"load {report['load']:.1f}",
        style="dim",
    )


def show_compared(report: dict[str, Any]) -> None:
    """Print a table of what protocols took, and how many times faster they are than the last."""
    names = list(dict.fromkeys(row["protocol"] for row in report["results"]))
    table = _beside(report["results"], names) if len(names) > 2 else _pair(report["results"], names)
    console = output.console()
    console.print(table)
    brackets = f"in brackets: times faster than {names[-1]}; " if len(names) > 2 else ""
    console.print(
        f"UCX {report['ucx']['version']}; {_of_runs(report['settings']['runs'])}, in turn; "
        f"{brackets}load {report['load']:.1f}",
        style="dim",
    )


def show_rates(report: dict[str, Any]) -> None:
    """Print a table of the rates of kernels, and how many times those of MPI and of C they are.

    Where kernels ran with 1 PE and with more: also their efficiency. A column that would be empty is left out.
    """
    columns = {"of_mpi": "/ mpi", "of_c": "/ c"} | ({"efficiency": "efficiency"} if have_efficiency(report) else {})
    shown = [key for key in columns if any(row[key] is not None for row in report["results"])]
    ratio_columns: list[tuple[str, JustifyMethod]] = [(columns[key], "right") for key in shown]
    table = _new_table(
        ("kernel", "left"),
        ("PEs", "right"),
        ("language", "left"),
        ("model", "left"),
        ("rate", "right"),
        ("unit", "left"),
        ("spread", "right"),
        *ratio_columns,
    )
    for row in report["results"]:
        cells = title_of(row), _pes(row), row["language"], row["model"]
        ratios = ("" if row[key] is None else figure(row[key], 2) for key in shown)
        rate, unit = figure(row["rate"], 1), row["unit"]
        table.add_row(*cells, rate, unit, spread(row["rates"]), *ratios)
    output.console().print(table)


def have_efficiency(report: dict[str, Any]) -> bool:
    """Tell whether any kernel ran with 1 PE and with more."""
    return any(row["pes"] > 1 and row["efficiency"] is not None for row in report["results"])


def _pes(row: dict[str, Any]) -> str:
    """Return '2', or '4 on 2' where PEs share processors."""
    return f"{row['pes']} on {row['processors']}" if is_oversubscribed(row) else str(row["pes"])


def _by_what(results: Sequence[dict[str, Any]]) -> dict[str, dict[str, dict[str, Any]]]:
    """Return rows by what they are, and by protocol."""
    groups: dict[str, dict[str, dict[str, Any]]] = {}
    for row in results:
        groups.setdefault(row["what"], {})[row["protocol"]] = row
    return groups


def _pair(results: Sequence[dict[str, Any]], names: Sequence[str]) -> Table:
    """Return the table of one protocol or two, with the spread of each."""
    columns: list[tuple[str, JustifyMethod]] = [("what", "left"), ("unit", "left")]
    for name in names:
        columns += [(name, "right"), ("spread", "right")]
    table = _new_table(*columns, ("times faster", "right"))
    for what, rows in _by_what(results).items():
        cells = [next(iter(rows.values()))["unit"]]
        for name in names:
            cells += [figure(rows[name]["median"], 3), spread(rows[name]["values"])] if name in rows else ["-", ""]
        faster = rows[names[0]]["times_faster"] if names[0] in rows else None
        table.add_row(what, *cells, "" if faster is None else figure(faster, 2))
    return table


def _beside(results: Sequence[dict[str, Any]], names: Sequence[str]) -> Table:
    """Return the table of more protocols than two."""
    table = _new_table(("what", "left"), ("unit", "left"), *((name, "right") for name in names))
    for what, rows in _by_what(results).items():
        cells = [_bracketed(rows.get(name), name == names[-1]) for name in names]
        table.add_row(what, next(iter(rows.values()))["unit"], *cells)
    return table


def _bracketed(row: dict[str, Any] | None, is_last: bool) -> str:
    if row is None:
        return "-"
    faster = "" if is_last or row["times_faster"] is None else f" ({figure(row['times_faster'], 2)})"
    return figure(row["median"], 3) + faster


def _of_runs(runs: int) -> str:
    return "one run" if runs == 1 else f"medians of {runs} runs"


def _footnotes(report: dict[str, Any]) -> Iterator[str]:
    runs = _of_runs(report["settings"]["runs"])
    yield (
        f"UCX {report['ucx']['version']}. Half round trips, one message under way at a time, {runs}; "
        f"spread: of p50, in us; GB/s: 1e9 bytes a second, by p50; "
        f"load {report['load']:.1f}"
    )
    if report["settings"]["pin"] is None:
        yield (
            "The kernel may place both processes on one processor, which changes everything: "
            "--pin 0,1 keeps them apart"
        )


def _table(rows: list[dict[str, Any]]) -> Table:
    table = _new_table(
        ("size", "right"),
        ("backend", "left"),
        ("p50", "right"),
        ("spread", "right"),
        ("p99", "right"),
        ("GB/s", "right"),
        (f"p50 / {backends.FIRST}", "right"),
    )
    for size in dict.fromkeys(row["size"] for row in rows):
        group = [row for row in rows if row["size"] == size]
        for row in group:
            table.add_row(*_cells(row, row is group[0]), end_section=row is group[-1])
    return table


def _new_table(*columns: tuple[str, JustifyMethod]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name, justify in columns:
        table.add_column(name, justify=justify, no_wrap=True)
    return table


def _cells(row: dict[str, Any], is_first: bool) -> tuple[str, ...]:
    times, ratio = row["half_round_trip_us"], row["ratio"]
    size = units.size_text(row["size"]) if is_first else ""
    many = f"{row['buffers']} x " if row["buffers"] > 1 and is_first else ""
    return (
        f"{many}{size}",
        row["backend"],
        units.time_text(times["p50"]),
        spread(times["p50_of_runs"]),
        units.time_text(times["p99"]),
        figure(row["gb_per_s"], 4),
        "" if ratio is None else figure(ratio, 2),
    )


def spread(values: Sequence[float]) -> str:
    """Return '0.21-0.24': from the least to the largest; '' of one."""
    if len(values) < 2:
        return ""
    return f"{figure(min(values), 4)}-{figure(max(values), 4)}"


def figure(value: float, decimals: int) -> str:
    """Return three digits, but no more than so many decimals."""
    digits = 2 - math.floor(math.log10(value)) if value > 0 else 0
    return f"{value:.{max(0, min(decimals, digits))}f}"
