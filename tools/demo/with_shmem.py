# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""OpenSHMEM: three programs of four PEs, then what calls cost beside Debian's OSHMEM."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from compare import last_line, say, say_end, say_step

EXAMPLES = ("ring", "histogram", "stencil")
PES = 4
LIMIT_S = 60
BENCHMARK = pathlib.Path(__file__).resolve().parents[2] / "benchmarks/shmem"


class Failed(Exception):
    """A program has not done what it should."""


def output_of(*command: str | pathlib.Path) -> str:
    """Run a program to its end; return what it printed."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    except (subprocess.TimeoutExpired, OSError) as error:
        raise Failed(str(error)) from error
    if done.returncode != 0:
        raise Failed(f"exit status {done.returncode}: {last_line(done.stderr) or 'it says nothing'}")
    return done.stdout


def run_examples(build: pathlib.Path) -> Iterator[str]:
    """Yield the line that each program prints, or what was wrong with it."""
    for name in EXAMPLES:
        say(f"running example_shmem_{name} with {PES} PEs")
        try:
            line = output_of(build / "src/shmem/oshrun", "-n", str(PES), "--timeout", str(LIMIT_S),
                             build / f"examples/example_shmem_{name}").strip()
        except Failed as error:
            line = f"{name}: failed: {error}"
        say("")
        yield line


def measure(build: pathlib.Path, out: pathlib.Path) -> dict[str, Any]:
    """Return the report of benchmarks/shmem, which also writes out/shmem.json and out/shmem.png.

    What it did not do after it has measured, as to draw, stands in the report as "afterwards".
    """
    path = out / "shmem.json"
    path.unlink(missing_ok=True)
    say_step("measuring OpenSHMEM in C: compiling the calls, then rounds of UCXX and OSHMEM")
    afterwards = None
    try:
        output_of(sys.executable, "-B", BENCHMARK, "--brief", "--build", build, "--out", out)
    except Failed as error:
        if not path.is_file():
            raise
        afterwards = f"benchmarks/shmem: {error}"
    finally:
        say_end()
    report: dict[str, Any] = json.loads(path.read_text())
    return {**report, "afterwards": afterwards}


def time_text(row: dict[str, Any], library: str) -> str:
    """Return '7.5 ns', '22 us' or '-'."""
    if library not in row["values"]:
        return "-"
    ns = row["values"][library]["median"]
    return f"{ns / 1e3:.3g} us" if ns >= 1e3 else f"{ns:.3g} ns"


def table(report: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of the table."""
    yield f"{'':<40}{'UCXX':>13}{'OSHMEM':>13}{'times faster':>15}"
    for row in report["figures"]:
        ratio = row["ratios"].get("OSHMEM")
        faster = f"{1 / ratio['median']:.1f}" if ratio else "-"
        cells = "".join(time_text(row, library).rjust(13) for library in ("UCXX", "OSHMEM"))
        yield f"{row['title']:<40}{cells}{faster:>15}"
    if "OSHMEM" in report["absent"]:
        yield f"OSHMEM: not measured: {report['absent']['OSHMEM']}"
    for library in ("UCXX", "OSHMEM"):
        for figure, why in report["failed"].get(library, {}).items():
            yield f"{library}: {figure} failed: {why}"
    if report["afterwards"]:
        yield report["afterwards"]
