# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The tables of `python -m ucxx benchmark shmem --figure ping_pong`."""

from __future__ import annotations

from typing import Any

from rich.table import Table

from ucxx.benchmarks.shmem import ping_pong
from ucxx.benchmarks.units import size_text
from ucxx.cli import output



def show(report: dict[str, Any]) -> None:
    """Print the tables of a report, and what is missing; what has failed is the caller's to tell."""
    console = output.console()
    repeats = report["settings"]["repeats"]
    for head, key in ((f"median of {repeats}", "ns"), (f"best of {repeats}", "least_ns")):
        if report["results"]:
            console.print(_table(head, ping_pong.lines_of(report["results"]), key))
            console.print()
    for name, why in report["skipped"].items():
        console.print(f"{ping_pong.TITLES[name]}: not measured: {why}")
    console.print(_footnote(report), style="dim")


def _table(head: str, lines: dict[ping_pong.Line, dict[int, dict[str, Any]]], key: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(f"half round trip,\n{head}", no_wrap=True, vertical="bottom")
    for line in lines:
        table.add_column(_head(line), justify="right", no_wrap=True, vertical="bottom")
    for size in sorted({size for rows in lines.values() for size in rows}):
        cells = (rows.get(size) for rows in lines.values())
        table.add_row(size_text(size), *(_time(row[key]) if row else "-" for row in cells))
    return table


def _head(line: ping_pong.Line) -> str:
    """Return the title in lines: its last words are enough in a narrow column."""
    name = line.library.rpartition(" ")[2] or line.model.replace(" ", "\n")
    return name if line.model == ping_pong.COPY else f"{name}\n{line.language}"


def _time(ns: float) -> str:
    """Return '37 ns' or '2.6 us'."""
    for unit, name in ((1e9, "s"), (1e6, "ms"), (1e3, "us")):
        if ns >= unit * 0.9995:
            return f"{ns / unit:.3g} {name}"
    return f"{ns:.3g} ns"


def _footnote(report: dict[str, Any]) -> str:
    settings = report["settings"]
    runs, repeats = settings["runs"], settings["repeats"]
    every = "one run" if runs == 1 else f"medians of {runs} runs, in turn"
    return (
        f"{settings['pes']} PEs; {every}; each run: the median of {repeats} repetitions; the best of all; "
        f"nobody reads or changes the bytes; load {report['load']:.1f}; "
        + "; ".join(dict.fromkeys(report["tools"].values()))
    )
