# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Draws shmem.json: what calls cost as bars, and collectives by size.

usage: python3 plot.py FILE.json FILE.png
"""

import json
import pathlib
import sys

from ucxx.benchmarks import drawing

# The names of libraries in the pictures.
TITLES = {"UCXX": "UCXX", "OSHMEM": "Open MPI's OSHMEM", "OSHMEM, basic": "OSHMEM, --mca scoll ^mpi",
          "limit": "limit"}
BARS = ("UCXX", "OSHMEM", "limit")
PANELS = {"fcollect": "fcollect + sync", "alltoall": "alltoall + sync", "broadcast": "broadcast + sync",
          "sum": "sum of doubles + sync"}


def time_of(ns):
    """Return '10 ns' for 10."""
    return drawing.time_text(ns / 1e3)


@drawing.style()
def draw(report, path):
    """Write the picture of the calls of a report."""
    rows = {row["bar"]: {TITLES[title]: row["values"][title]["median"] for title in BARS if title in row["values"]}
            for row in report["figures"] if row["bar"] and "UCXX" in row["values"]}
    if not rows:
        raise ValueError("no call of UCXX was measured")
    figure, (axes,) = drawing.panels(1, height=1.2 + 0.5 * len(rows))
    drawing.grouped_bars(axes, rows, time_of)
    drawing.logarithmic(axes.xaxis, time_of)
    times = [value for values in rows.values() for value in values.values()]
    axes.set_xlim(min(1, *times) / 1.5, 6 * max(times))
    axes.set_xlabel("time of a call: less is better")
    limit = "; limit: a bare function that does the same" if any("limit" in values for values in rows.values()) else ""
    title_and_save(figure, f"Calls of OpenSHMEM between two processes{limit}", report, path)


@drawing.style()
def draw_collectives(report, path):
    """Write the picture of the collectives by size; those that were not measured are left out."""
    collectives = report["collectives"]
    names = [name for name in PANELS if collectives.get(name, {}).get("UCXX")]
    if not names:
        raise ValueError("no collective was measured")
    figure, panels = drawing.panels(2, (len(names) + 1) // 2, height=0.9 + 2.4 * ((len(names) + 1) // 2))
    for axes in panels[len(names):]:
        axes.set_axis_off()
    for name, axes in zip(names, panels):
        found = collectives[name]
        for title in (title for title in TITLES if title in found):
            drawing.curve(axes, TITLES[title], {int(size): values for size, values in found[title].items()})
        drawing.by_size(axes, [int(size) for size in found["UCXX"]], "bytes of each PE (K = 1024)")
        drawing.logarithmic(axes.yaxis, time_of)
        axes.set_title(PANELS[name])
    title_and_save(figure, "Collectives between two processes: less is better", report, path)


def title_and_save(figure, title, report, path):
    """Name a figure and its curves, and write it."""
    drawing.legend(figure)
    drawing.title(figure, f"{title}; medians of {report['rounds']} rounds")
    drawing.save(figure, path)


if __name__ == "__main__":
    draw(json.loads(pathlib.Path(sys.argv[1]).read_text()), sys.argv[2])
