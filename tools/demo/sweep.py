# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Draws what `ucxx-perftest --json` measured over a sweep of sizes: ./dev plot.

usage: sweep.py OUT.png SWEEP.json...

Times of a message on the left (median, to the 99th percentile as a band), GB/s on the right (from
the least to the most of all repetitions). Several files are compared: each curve says which file.
"""

from __future__ import annotations

import json
import pathlib
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from ucxx.benchmarks import drawing

Rows = list[dict[str, Any]]


def names_of(paths: Sequence[str | pathlib.Path]) -> list[str]:
    """Return a name for each file: without its folder, unless two files have one name."""
    stems = [pathlib.Path(path).stem for path in paths]
    return stems if len(set(stems)) == len(stems) else [str(pathlib.Path(path).with_suffix("")) for path in paths]


def curves(paths: Sequence[str | pathlib.Path]) -> Iterator[tuple[str, dict[str, Any], Rows]]:
    """Yield what each curve is called, and its rows, by file and test."""
    for path, file in zip(paths, names_of(paths), strict=True):
        try:
            report = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
            if not isinstance(report, dict) or report.get("tool") != "ucxx-perftest":
                raise ValueError("not written by ucxx-perftest --json")
            rows = report["results"]
        except KeyError as error:
            raise SystemExit(f"plot: {path}: it has no {error}") from error
        except (OSError, ValueError) as error:
            raise SystemExit(f"plot: {path}: {error}") from error
        for test in dict.fromkeys(row["test"] for row in rows):
            name = test if len(paths) == 1 else f"{file}: {test}"
            yield name, report, [row for row in rows if row["test"] == test]


def times(rows: Rows) -> dict[int, list[float]]:
    """Return the median and the 99th percentile by size, in microseconds; twice the median, which stays the middle."""
    return {row["size"]: [row["ucxx"]["p50_us"]["median"]] * 2 + [row["ucxx"]["p99_us"]["median"]] for row in rows}


def rates(rows: Rows) -> dict[int, list[float]]:
    """Return GB/s by size: of the slowest repetition, the middle one and the fastest."""
    found = {}
    for row in rows:
        average = row["ucxx"]["average_us"]
        found[row["size"]] = [row["ucxx"]["gb_per_s"] * average["median"] / average[which]
                              for which in ("max", "median", "min")]
    return found


PANELS = {
    "latency": (times, "Time of a message: median, to the 99th percentile", drawing.time_text),
    "bandwidth": (rates, "Bandwidth, of all threads", drawing.rate_text),
}


@drawing.style()
def draw(paths: Sequence[str | pathlib.Path], out: str | pathlib.Path) -> None:
    """Write the picture; a panel without curves is left out."""
    found: dict[str, list[tuple[str, Rows]]] = {kind: [] for kind in PANELS}
    reports: list[dict[str, Any]] = []
    for name, report, rows in curves(paths):
        rows = [row for row in rows if row["size"] > 0]  # the axis is logarithmic
        if rows:
            reports.append(report)
            found["latency" if "p50_us" in rows[0]["ucxx"] else "bandwidth"].append((name, rows))
    found = {kind: drawn for kind, drawn in found.items() if drawn}
    if not found:
        raise SystemExit("plot: no size above 0 was measured")
    figure, many = drawing.panels(len(found), height=3.8)
    for axes, (kind, drawn) in zip(many, found.items(), strict=True):
        points, title, text = PANELS[kind]
        for (name, rows), look in zip(drawn, drawing.looks_of(name for name, _ in drawn).values(), strict=True):
            drawing.curve(axes, name, points(rows), look)
        axes.set_title(title)
        drawing.by_size(axes, [row["size"] for _, rows in drawn for row in rows])
        drawing.logarithmic(axes.yaxis, text)
        axes.legend(loc="upper left")
    drawing.title(figure, title_of(reports[0]))
    drawing.save(figure, out)


def title_of(report: dict[str, Any]) -> str:
    """Return what was measured, and over what."""
    options = report["options"]
    threads = f", {options['threads']} threads each" if options["threads"] > 1 else ""
    return (f"UCXX {report['version']} over {report['transports']}, {options['progress']}{threads}; "
            f"UCX {report['ucx']['version']}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    draw(sys.argv[2:], sys.argv[1])
