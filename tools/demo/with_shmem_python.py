# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""OpenSHMEM from Python: the ping-pong and a few calls beside the same in C and over mpi4py, in turn."""

from __future__ import annotations

import json
import pathlib
import tempfile
from collections.abc import Iterator
from typing import Any

from compare import in_turn, last_line, say_step

from ucxx.benchmarks.prk.tools import Missing
from ucxx.benchmarks.shmem import compare, plot, ways

PLAN = compare.Plan(figures=("put", "fetch_add", "put_wait", "barrier_all"), sizes=(), pes=2, ms=2,
                    repeats=15, bind=True)
RUNS = 3
WAYS = ("ucxx", "c", "mpi4py")


def measure(out: pathlib.Path) -> dict[str, Any]:
    """Return the rows and what was not measured; write them and the picture."""
    absent: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as scratch:
        found = []
        say_step("compiling the program in C")
        for name in WAYS:
            try:
                found.append(ways.find(name, None, pathlib.Path(scratch)))
            except Missing as missing:
                absent[name] = str(missing)
        turns = in_turn("OpenSHMEM from Python", [ways.TITLES[way.name] for way in found], RUNS)
        next(turns, None)
        rows, failed = compare.measure(found, PLAN, RUNS, on_run=lambda name: next(turns, None))
    report = {"results": rows, "absent": {**absent, **failed}}
    (out / "shmem_python.json").write_text(json.dumps(report, indent=2) + "\n")
    if rows:
        plot.draw(report, out / "shmem_python.png")
    return report


def table(report: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of the table."""
    heads = "".join(ways.TITLES[name].rjust(13) for name in WAYS)
    yield f"{'':<40}{heads}{'mpi4py / ucxx':>15}"
    found = {(row["title"], row["way"]): row for row in report["results"]}
    for title in dict.fromkeys(row["title"] for row in report["results"]):
        rows = [found.get((title, name)) for name in WAYS]
        cells = "".join((_time(row["ns"]) if row else "-").rjust(13) for row in rows)
        ratio = f"{rows[-1]['ratio']:.2g}" if rows[-1] and rows[-1]["ratio"] else "-"
        yield f"{title:<40}{cells}{ratio:>15}"
    for name, why in report["absent"].items():
        yield f"{ways.TITLES[name]}: not measured: {last_line(why)}"


def _time(ns: float) -> str:
    return f"{ns / 1e3:.3g} us" if ns >= 1e3 else f"{ns:.3g} ns"
