# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Measures what OpenSHMEM calls cost: UCXX, Debian's OSHMEM and bare functions, in turn.

usage: python3 benchmarks/shmem --build BUILD --out FOLDER [--brief] [--quick]

Prints a table and writes FOLDER/shmem.json and, where there is matplotlib, FOLDER/shmem.png. A value is
the median of several rounds, each the best of 15 runs; a ratio is the median of the ratios of each round.
Ratios are of times, also where rates are shown, so less is better. 'limit' is a bare function of a shared
library that does the same between two processes. Where OSHMEM is not installed its columns are empty; a
call of it that hangs or crashes is 'failed'. Its collectives are measured twice: as they come, and without
those of MPI. It exits with 1 when UCXX fails, not when a target is missed.
"""

import argparse
import json
import os
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))  # measured.py

import figures  # noqa: E402
import libraries  # noqa: E402
import measuring  # noqa: E402
import table  # noqa: E402

ROUNDS = 5
BRIEF_ROUNDS = 3


def all_libraries(build, folder):
    """Return those that are here, compiled; and what is wrong with the others, by title."""
    absent, found = {}, [libraries.ours(build, folder)]
    found[0].build()
    for title, make in ((libraries.OSHMEM, libraries.oshmem), (libraries.LIMIT, libraries.limits)):
        try:
            made = make(folder)
            for library in made:
                library.build()
            found += made
        except libraries.Absent as error:
            absent[title] = str(error)
    return found, absent


def by_size(found):
    """Return {collective: {library: {bytes: [ns of each round]}}}."""
    return {name: {title: {size: one.values[f"{name}:{size}"] for size in figures.SIZES
                           if f"{name}:{size}" in one.values} for title, one in found.items()}
            for name in figures.COLLECTIVES}


def report_of(rows, found, absent, rounds, load):
    """Return what is written as JSON."""
    return {"tool": "ucxx-bench-shmem", "rounds": rounds, "cores": os.cpu_count(), "load_before": load,
            "absent": absent, "failed": {title: one.failed for title, one in found.items()},
            "figures": [row.json() for row in rows], "collectives": by_size(found)}


def draw(report, out):
    """Draw, where that is possible."""
    try:
        import matplotlib  # noqa: F401
        import plot
    except ImportError as error:
        print(f"no picture: {error}")
        return
    pictures = {out / "shmem.png": plot.draw}
    if any(one.get(libraries.UCXX) for one in report["collectives"].values()):
        pictures[out / "shmem_collectives.png"] = plot.draw_collectives
    for picture, function in pictures.items():
        function(report, picture)
        print(f"Plot: {picture}")


def chosen(arguments):
    """Return lines, jobs and rounds."""
    lines, jobs, rounds = figures.LINES, figures.JOBS, ROUNDS
    if arguments.brief:
        lines = [line for line in figures.LINES if line.figure in figures.BRIEF]
        jobs, rounds = figures.BRIEF_JOBS, BRIEF_ROUNDS
    return lines, jobs, 1 if arguments.quick else rounds


def main():
    """Measure, print, write, draw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--brief", action="store_true", help="six figures of two PEs")
    parser.add_argument("--quick", action="store_true", help="one round: does it run?")
    arguments = parser.parse_args()
    out = arguments.out.resolve()
    out.mkdir(parents=True, exist_ok=True)

    lines, jobs, rounds = chosen(arguments)
    load = os.getloadavg()[0]
    here, absent = all_libraries(arguments.build.resolve(), out / "shmem")
    found = measuring.measure(here, jobs, rounds)
    rows = [table.Row(line, found) for line in lines]
    print("\n".join(table.text_of(rows)))
    for title, why in absent.items():
        print(f"{title}: not measured: {why}")
    for title, one in found.items():
        for figure, why in one.failed.items():
            print(f"{title}: {figure} failed: {why}")
    print(f"\nmedians of {rounds} rounds, ratios (least .. most); cores {os.cpu_count()}, load before "
          f"{load:.1f}")
    report = report_of(rows, found, absent, rounds, load)
    (out / "shmem.json").write_text(json.dumps(report, indent=2) + "\n")
    draw(report, out)
    return 1 if found[libraries.UCXX].failed else 0


if __name__ == "__main__":
    sys.exit(main())
