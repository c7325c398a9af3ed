# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The table of what was measured."""

import math

from rich.table import Table

from ucxx.benchmarks import backends, units
from ucxx.cli import output


def show(report):
    """Print the table of a report, and what was skipped."""
    console = output.console()
    console.print(_table(report["results"]))
    for name, why in report["skipped"].items():
        console.print(f"{name} was skipped: {why}")
    for line in _footnotes(report):
        console.print(line, style="dim")


def _footnotes(report):
    yield (
        f"UCX {report['ucx']['version']}. Half round trips, one message under way at a time; "
        "GB/s: 1e9 bytes a second, by p50"
    )
    if report["settings"]["pin"] is None:
        yield (
            "The kernel may place both processes on one processor, which changes everything: "
            "--pin 0,1 keeps them apart"
        )


def _table(rows):
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name, justify in (
        ("size", "right"),
        ("backend", "left"),
        ("p50", "right"),
        ("p99", "right"),
        ("GB/s", "right"),
        (f"p50 / {backends.FIRST}", "right"),
    ):
        table.add_column(name, justify=justify, no_wrap=True)
    for size in dict.fromkeys(row["size"] for row in rows):
        group = [row for row in rows if row["size"] == size]
        for row in group:
            table.add_row(*_cells(row, row is group[0]), end_section=row is group[-1])
    return table


def _cells(row, is_first):
    times, ratio = row["half_round_trip_us"], row["ratio"]
    size = units.size_text(row["size"]) if is_first else ""
    many = f"{row['buffers']} x " if row["buffers"] > 1 and is_first else ""
    return (
        f"{many}{size}",
        row["backend"],
        units.time_text(times["p50"]),
        units.time_text(times["p99"]),
        _figure(row["gb_per_s"], 4),
        "" if ratio is None else _figure(ratio, 2),
    )


def _figure(value, decimals):
    """Return three digits, but no more than so many decimals."""
    digits = 2 - math.floor(math.log10(value)) if value > 0 else 0
    return f"{value:.{max(0, min(decimals, digits))}f}"
