# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Run what needs a GPU: `./dev gpu [NAME...] [--out DIR]`.

Each test is a process with a limit of its own: one that hangs or crashes is a failed row, and the others
run. results.json in DIR grows with each test, so that an end from outside loses one test at most. Exit
status 0: all passed; 1: not; 2: it could not start; 77: no driver of CUDA.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import time

import cases
import extension
import machine
import report
import run

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOT_HERE = 77


def options() -> argparse.Namespace:
    """Return what the caller asks for."""
    parser = argparse.ArgumentParser(prog="./dev gpu", description="Runs what needs a GPU, each with a "
                                     "time limit. `./dev gpu pack` makes what is run.")  # fmt: skip
    parser.add_argument("names", nargs="*", metavar="NAME",
                        help="a test (facts.graph) or a group of them (facts); without: all")
    parser.add_argument("--out", default=ROOT / "build/gpu-results", type=pathlib.Path, metavar="DIR",
                        help="results.json and log.txt go there (build/gpu-results)")
    parser.add_argument("--seconds", default=480, type=float, help="for all together (480)")
    parser.add_argument("--pack", default=ROOT / "build/gpu", type=pathlib.Path,
                        help="what `./dev gpu pack` has made (build/gpu)")
    parser.add_argument("--list", action="store_true", help="show the names")
    parser.add_argument("--caller", default=".", type=pathlib.Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def missing_driver() -> str:
    """Say in one line what is missing; empty where there is a GPU. Asked in a process of its own."""
    done = subprocess.run([sys.executable, "-B", machine.__file__], capture_output=True, text=True,
                          check=False, timeout=60)  # fmt: skip
    lines = (done.stdout + done.stderr).strip().splitlines()
    return "" if done.returncode == 0 else (lines or [f"it ended with {done.returncode}"])[-1]


def environment(pack: pathlib.Path) -> dict[str, str]:
    """Of the tests: the package and the programs are those of the pack."""
    python_path = [str(pack), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, python_path)),
            "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1",
            "PYTHONFAULTHANDLER": "1"}  # fmt: skip


def run_all(
    chosen: list[cases.Case], pack: pathlib.Path, results: report.Results, deadline: float
) -> None:
    """Run one after another until the deadline; what has no time left has failed."""
    for case in chosen:
        limit_s = min(case.limit_s, deadline - time.monotonic())
        if limit_s < 2:
            results.add(case, run.Ended("no time left", 0.0, "", ""))
            continue
        print(f"-- {case.name}", flush=True)
        results.add(case, run.run(case.command(pack), {**environment(pack), **case.environment}, limit_s))


def without_what_is_missing(chosen: list[cases.Case], pack: pathlib.Path) -> list[cases.Case]:
    """Return those whose file the pack has; name the others in one line each."""
    kept = [case for case in chosen if (pack / case.needs).exists()]
    for case in chosen:
        if case not in kept:
            print(f"dev: gpu: {case.name} is left out: the pack has no {case.needs}", flush=True)
    return kept


def main() -> int:
    """Run what was asked for; return the exit status."""
    asked = options()
    pack, out = ((asked.caller / path).resolve() for path in (asked.pack, asked.out))
    chosen, unknown = cases.choose(asked.names)
    if unknown:
        print(f"dev: gpu knows no test {', '.join(unknown)}; it has {cases.names()}", file=sys.stderr)
        return 2
    if asked.list:
        print(*(case.name for case in chosen), sep="\n")
        return 0
    if not (pack / "pack.json").exists():
        print(f"dev: {pack} is not there; `./dev gpu pack` makes it where a compiler is", file=sys.stderr)
        return 2
    if missing := missing_driver():
        print(f"dev: gpu: no GPU can be used here: {missing}")
        return NOT_HERE
    if extension.is_needed(pack) and any(case.imports_ucxx() for case in chosen):
        chosen.insert(0, cases.EXTENSION)
    chosen = without_what_is_missing(chosen, pack)
    deadline = time.monotonic() + asked.seconds
    results = report.Results(out, pack, machine.describe())
    run_all(chosen, pack, results, deadline)
    print(results.table())
    return 0 if results.passed() else 1


if __name__ == "__main__":
    sys.exit(main())
