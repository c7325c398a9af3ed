# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The same ping-pong between two processes by several programs, in turn: one table.

Each program gives {size: median of half a round trip in us}; each round adds one to what is known.
"""

from __future__ import annotations

import functools
import json
import os
import pathlib
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ucxx.benchmarks import measure
from ucxx.benchmarks.backends import backend
from ucxx.benchmarks.settings import Settings
from ucxx.benchmarks.units import size_name

# Sizes of messages, and how often each goes to and fro in one run.
Parts = Mapping[tuple[int, ...], int]
PARTS: Parts = {(8, 512, 8 << 10, 64 << 10): 1000, (1 << 20, 8 << 20, 64 << 20): 10}
ROUNDS = 3
LIMIT_S = 150
LEAST_RATE = 64 << 10  # sizes from here on are shown as bandwidth
RAPIDS = pathlib.Path("build/rapids/bin/python")
PYTHON = {"UCXX, asyncio": "ucxx-async", "UCXX, ucxx.core": "ucxx-core", "mpi4py": "mpi4py",
          "asyncio streams": "asyncio"}
# RAPIDS UCXX, by progress mode: the fastest, and its default.
RAPIDS_MODES = {"RAPIDS UCXX, polling": "polling", "RAPIDS UCXX, default": "thread"}
# The rows of the table; a program that is not among them comes last.
ORDER = ("UCXX, C++", "ucx_perftest", "UCXX, asyncio", "UCXX, ucxx.core", "mpi4py", "RAPIDS UCXX, polling",
         "RAPIDS UCXX, default", "asyncio streams")

# {program: {size: us}}.
Times = dict[str, dict[int, float]]


class Absent(Exception):
    """A program that is not on this machine, or does not work on it."""


def processors() -> tuple[int, int]:
    """Return the two that the processes run on; the same one twice where there is no other."""
    usable = sorted(os.sched_getaffinity(0))
    return usable[0], usable[1 % len(usable)]


def by_perftest(program: pathlib.Path, parts: Parts) -> Times:
    """Run ucxx-perftest and ucx_perftest in turn, which does not handle errors: it is faster so."""
    sizes = ",".join(str(size) for part in parts for size in part)
    pin = ",".join(map(str, processors()))
    done = subprocess.run([program, "--compare", "ucx_perftest", "--no-error-handling", "--test", "tag_lat",
                           "--repeat", "1", "--sizes", sizes, "--cpus", pin, "--seconds", "0.1",
                           "--json", "-"], capture_output=True, text=True, timeout=LIMIT_S, check=False)
    if done.returncode != 0:
        raise Absent(last_line(done.stderr) or f"exit status {done.returncode}")
    rows = json.loads(done.stdout)["results"]
    return {name: {row["size"]: row[key]["p50_us"]["median"] for row in rows if key in row}
            for name, key in (("UCXX, C++", "ucxx"), ("ucx_perftest", "ucx_perftest"))}


def by_python(shown: str, name: str, parts: Parts) -> Times:
    """Run a backend of `python -m ucxx benchmark`."""
    reason = backend(name).missing()
    if reason:
        raise Absent(reason)
    every = [Settings(sizes=sizes, iterations=count, pin=processors()) for sizes, count in parts.items()]
    rows = [row for settings in every for row in measure.measure((name,), settings, runs=1)]
    return {shown: {row["size"]: row["half_round_trip_us"]["p50"] for row in rows}}


def by_rapids(shown: str, mode: str, parts: Parts) -> Times:
    """Run RAPIDS UCXX in its own environment, where the package ucxx of this clone is not seen."""
    if not RAPIDS.exists():
        raise Absent("ucxx-cu12 could not be installed")
    plan = [f"{size}:{count}" for sizes, count in parts.items() for size in sizes]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    program = pathlib.Path(__file__).with_name("rapids.py")
    done = subprocess.run([RAPIDS, "-B", program, mode, ",".join(map(str, processors())), *plan],
                          capture_output=True, text=True, timeout=LIMIT_S, check=False, env=environment)
    if done.returncode != 0:
        raise Absent(last_line(done.stderr) or f"exit status {done.returncode}")
    return {shown: {int(size): us for size, us in json.loads(done.stdout).items()}}


def ways(perftest: pathlib.Path, parts: Parts) -> dict[str, Callable[[], Times]]:
    """Return what measures, by the program that is shown meanwhile."""
    found: dict[str, Callable[[], Times]] = {"UCXX, C++": functools.partial(by_perftest, perftest, parts)}
    found |= {shown: functools.partial(by_python, shown, name, parts) for shown, name in PYTHON.items()}
    found |= {shown: functools.partial(by_rapids, shown, mode, parts) for shown, mode in RAPIDS_MODES.items()}
    return found


def measure_all(perftest: pathlib.Path, parts: Parts = PARTS, rounds: int = ROUNDS) -> dict[str, Any]:
    """Run all programs, round by round; return a report for JSON."""
    found: dict[str, dict[int, list[float]]] = {}
    absent: dict[str, str] = {}
    every = ways(perftest, parts)
    for shown in in_turn("messages", every, rounds):
        if shown in absent:
            continue
        try:
            add(found, every[shown]())
        except (Absent, measure.BenchmarkError, OSError, ValueError, subprocess.TimeoutExpired) as error:
            absent[shown] = last_line(str(error)) or type(error).__name__
    return {"tool": "ucxx-demo", "rounds": rounds, "load": os.getloadavg()[0], "processors": processors(),
            "half_round_trip_us": found, "absent": absent}


def add(found: dict[str, dict[int, list[float]]], programs: Times) -> None:
    """Add what one run has found."""
    for program, times in programs.items():
        for size, us in times.items():
            found.setdefault(program, {}).setdefault(size, []).append(us)


def last_line(text: str) -> str:
    """Return the last line that is not empty: what a program said in the end."""
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")


def in_turn(what: str, names: Iterable[str], rounds: int) -> Iterator[str]:
    """Yield each name in each round, and show what is measured until the next is asked for."""
    every = list(names)
    for number in range(1, rounds + 1):
        step = f"measuring {what}: round {number} of {rounds}"
        say_step(step)
        for name in every:
            say(f"{step}: {name}")
            yield name
    say_end()


def say(text: str) -> None:
    """Show what happens now, in place, where somebody looks."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def say_step(text: str) -> None:
    """Show a step that takes seconds: in place on a terminal, elsewhere as a line, so that a log shows it, too."""
    if sys.stderr.isatty():
        say(f"{text} ...")
    else:
        print(f"{text} ...", file=sys.stderr, flush=True)


def say_end() -> None:
    """Make room for what comes behind the steps: an empty line, on a terminal in the place of the last step."""
    if sys.stderr.isatty():
        say("")
    else:
        print(file=sys.stderr, flush=True)


def order(report: dict[str, Any]) -> list[str]:
    """Return the programs that were measured, as the rows of the table follow each other."""
    return sorted(report["half_round_trip_us"], key=place)


def place(program: str) -> int:
    """Return where a program stands in ORDER, or the place behind all."""
    return ORDER.index(program) if program in ORDER else len(ORDER)


def figure(size: int, us: float) -> str:
    """Return '0.21 us' or '25.3 GB/s'."""
    if size < LEAST_RATE:
        return f"{us:.3g} us"
    return f"{size / us / 1e3:.3g} GB/s"


def table(report: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of the table: a column for each size of the report, which may come from a JSON file."""
    measured = {program: {int(size): us for size, us in report["half_round_trip_us"][program].items()}
                for program in order(report)}
    sizes = sorted({size for times in measured.values() for size in times})
    yield f"{'':<22}" + "".join(f"{size_name(size):>11}" for size in sizes)
    for program, times in measured.items():
        cells = [figure(size, statistics.median(times[size])) if size in times else "-" for size in sizes]
        yield f"{program:<22}" + "".join(f"{cell:>11}" for cell in cells)
    for program in sorted(report["absent"], key=place):
        state = "failed later" if program in measured else "not measured"
        yield f"{program:<22}    {state}: {report['absent'][program]}"
