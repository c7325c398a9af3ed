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
from collections.abc import Callable, Iterator
from typing import Any

from ucxx.benchmarks import measure
from ucxx.benchmarks.backends import backend
from ucxx.benchmarks.settings import Settings

# Sizes of messages, and how often each goes to and fro in one run.
PARTS: dict[tuple[int, ...], int] = {(8, 512, 8 << 10, 64 << 10): 1000, (1 << 20, 8 << 20, 64 << 20): 10}
SIZES: tuple[int, ...] = sum(PARTS, ())
ROUNDS = 3
LIMIT_S = 150
LEAST_RATE = 64 << 10  # sizes from here on are shown as bandwidth
RAPIDS = pathlib.Path("build/rapids/bin/python")
PYTHON = {"UCXX, asyncio": "ucxx-async", "UCXX, ucxx.core": "ucxx-core", "mpi4py": "mpi4py",
          "asyncio streams": "asyncio"}
# RAPIDS UCXX, by progress mode: the fastest, and its default.
RAPIDS_MODES = {"RAPIDS UCXX, polling": "polling", "RAPIDS UCXX, default": "thread"}

# {program: {size: us}}.
Times = dict[str, dict[int, float]]


class Absent(Exception):
    """A program that is not on this machine, or does not work on it."""


def processors() -> tuple[int, int]:
    """Return the two that the processes run on; the same one twice where there is no other."""
    usable = sorted(os.sched_getaffinity(0))
    return usable[0], usable[1 % len(usable)]


def by_perftest(program: pathlib.Path) -> Times:
    """Run ucxx-perftest and ucx_perftest in turn."""
    pin = ",".join(map(str, processors()))
    done = subprocess.run([program, "--compare", "ucx_perftest", "--test", "tag_lat", "--repeat", "1",
                           "--sizes", ",".join(map(str, SIZES)), "--cpus", pin, "--seconds", "0.1",
                           "--json", "-"], capture_output=True, text=True, timeout=LIMIT_S, check=False)
    if done.returncode != 0:
        raise SystemExit(f"demo: ucxx-perftest has failed\n{done.stderr}")
    rows = json.loads(done.stdout)["results"]
    return {name: {row["size"]: row[key]["p50_us"]["median"] for row in rows if key in row}
            for name, key in (("UCXX, C++", "ucxx"), ("ucx_perftest", "ucx_perftest"))}


def by_python(shown: str, name: str) -> Times:
    """Run a backend of `python -m ucxx benchmark`."""
    reason = backend(name).missing()
    if reason:
        raise Absent(reason)
    parts = [Settings(sizes=sizes, iterations=count, pin=processors()) for sizes, count in PARTS.items()]
    rows = [row for part in parts for row in measure.measure((name,), part, runs=1)]
    return {shown: {row["size"]: row["half_round_trip_us"]["p50"] for row in rows}}


def by_rapids(shown: str, mode: str) -> Times:
    """Run RAPIDS UCXX in its own environment, where ours is not seen."""
    if not RAPIDS.exists():
        raise Absent("ucxx-cu12 could not be installed")
    plan = [f"{size}:{count}" for sizes, count in PARTS.items() for size in sizes]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    program = pathlib.Path(__file__).with_name("rapids.py")
    done = subprocess.run([RAPIDS, "-B", program, mode, ",".join(map(str, processors())), *plan],
                          capture_output=True, text=True, timeout=LIMIT_S, check=False, env=environment)
    if done.returncode != 0:
        raise Absent(done.stderr.strip().splitlines()[-1] if done.stderr else f"ends with {done.returncode}")
    return {shown: {int(size): us for size, us in json.loads(done.stdout).items()}}


def ways(perftest: pathlib.Path) -> dict[str, Callable[[], Times]]:
    """Return what measures, by the program that is shown meanwhile."""
    found: dict[str, Callable[[], Times]] = {"UCXX, C++": functools.partial(by_perftest, perftest)}
    found |= {shown: functools.partial(by_python, shown, name) for shown, name in PYTHON.items()}
    found |= {shown: functools.partial(by_rapids, shown, mode) for shown, mode in RAPIDS_MODES.items()}
    return found


def measure_all(perftest: pathlib.Path) -> dict[str, Any]:
    """Run all programs, round by round; return a report for JSON."""
    found: dict[str, dict[int, list[float]]] = {}
    absent: dict[str, str] = {}
    for number in range(1, ROUNDS + 1):
        for shown, way in ways(perftest).items():
            if shown in absent:
                continue
            say(f"round {number} of {ROUNDS}: {shown}")
            try:
                add(found, way())
            except (Absent, measure.BenchmarkError, subprocess.TimeoutExpired) as error:
                absent[shown] = str(error)
    say("")
    return {"tool": "ucxx-demo", "rounds": ROUNDS, "load": os.getloadavg()[0], "processors": processors(),
            "half_round_trip_us": found, "absent": absent}


def add(found: dict[str, dict[int, list[float]]], programs: Times) -> None:
    """Add what one run has found."""
    for program, times in programs.items():
        for size, us in times.items():
            found.setdefault(program, {}).setdefault(size, []).append(us)


def say(text: str) -> None:
    """Show what happens now, where somebody looks."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def order(report: dict[str, Any]) -> list[str]:
    """Return the programs, the quickest with small messages first."""
    programs = report["half_round_trip_us"]
    return sorted(programs, key=lambda name: statistics.median(programs[name][min(programs[name])]))


def figure(size: int, us: float) -> str:
    """Return '0.21 us' or '25.3 GB/s'."""
    if size < LEAST_RATE:
        return f"{us:.3g} us"
    return f"{size / us / 1e3:.3g} GB/s"


def table(report: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of the table."""
    names = {8: "8 B", 512: "512 B", 8 << 10: "8 KiB", 64 << 10: "64 KiB", 1 << 20: "1 MiB", 8 << 20: "8 MiB",
             64 << 20: "64 MiB"}
    yield f"{'':<22}" + "".join(f"{names[size]:>11}" for size in SIZES)
    for program in order(report):
        times = report["half_round_trip_us"][program]
        cells = [figure(size, statistics.median(times[size])) if size in times else "-" for size in SIZES]
        yield f"{program:<22}" + "".join(f"{cell:>11}" for cell in cells)
    for program, why in report["absent"].items():
        yield f"{program:<22}    not measured: {why}"
