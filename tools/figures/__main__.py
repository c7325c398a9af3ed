# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Measures what the pages of docs/performance show, and writes docs/data/NAME.json: `./dev figures [NAME...]`.

Nothing else should run meanwhile. A command that fails leaves the file of its set as it was, and the exit status is 1.
`./dev pictures` then draws the pictures and writes the tables.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time
from typing import Any

import about
from sets import SETS, Step

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILDS = {"bench": ROOT / "build/bench", "dev": ROOT / "build/dev"}
LIMIT_S = 1800


class Failed(Exception):
    """A command that has not done what it should."""


def run(step: Step) -> dict[str, Any]:
    """Run a command; return what it was and what it has written."""
    with tempfile.TemporaryDirectory() as folder:
        words = [word.format(folder=folder, **BUILDS) for word in step.words]
        shown = shlex.join(word.format(folder=".", bench="build/bench", dev="build/dev") for word in step.words)
        settings = "".join(f"{name}={value} " for name, value in step.environment.items())
        if words[0] == "python":
            words[0] = sys.executable
        path = os.pathsep.join((os.path.dirname(sys.executable), os.environ["PATH"]))
        try:
            done = subprocess.run(words, cwd=ROOT, env={**os.environ, "PATH": path, **step.environment},
                                  timeout=LIMIT_S, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                  check=False)
        except (subprocess.TimeoutExpired, OSError) as error:
            raise Failed(f"{shown}: {error}") from error
        written = pathlib.Path(folder) / step.file
        if done.returncode != 0 or not written.exists():
            raise Failed(f"{shown}: exit status {done.returncode}: {done.stderr.strip()[-1000:]}")
        text = written.read_text(encoding="utf-8").replace(f"{ROOT}/", "")  # no path of this machine
        return {"command": settings + shown, "report": step.kept(json.loads(text))}


def measure(name: str) -> dict[str, Any]:
    """Measure a set; return what its file holds."""
    known = about.before(BUILDS["bench"])
    reports = {}
    for title, step in SETS[name].items():
        start = time.monotonic()
        print(f"{name}: {title} ...", end="", flush=True)
        reports[title] = run(step)
        print(f" {time.monotonic() - start:.0f} s", flush=True)
    about.after(known, BUILDS["bench"])
    return {"about": known, "reports": reports}


def main() -> int:
    """Measure what is named, or all."""
    parser = argparse.ArgumentParser(prog="./dev figures", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(SETS)}; without one: all")
    parser.add_argument("--list", action="store_true", help="say what would be measured, and measure nothing")
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.names if name not in SETS]:
        parser.error(f"there is no set {unknown[0]!r}: use {', '.join(SETS)}")
    names = arguments.names or list(SETS)
    if arguments.list:
        print("\n".join(f"{name}: {', '.join(SETS[name])}" for name in names))
        return 0
    failed = [name for name in names if not written(name)]
    return 1 if failed else 0


def written(name: str) -> bool:
    """Measure a set and write its file. Return whether that was done; a set that fails leaves its file as it was."""
    try:
        found = measure(name)
    except (Failed, OSError, ValueError, KeyError, subprocess.SubprocessError) as error:
        print(f"\n{name}: {error or type(error).__name__}", file=sys.stderr)
        return False
    (ROOT / f"docs/data/{name}.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return True


if __name__ == "__main__":
    sys.exit(main())
