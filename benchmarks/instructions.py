# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Counts the instructions of small messages, and holds them against the ceilings of their build.

usage: python3 benchmarks/instructions.py BUILD...

A build is a folder such as build/dev: its last part names the column of instructions.json. The counts
are exact, so a ceiling stands 5 % above what was reached: it is lowered when a change takes less. Exits
with 1 when one is passed. Where no process may be traced there is nothing to count, and it says so.
"""

import json
import pathlib
import subprocess
import sys

CEILINGS = pathlib.Path(__file__).with_suffix(".json")
LIMIT_S = 200


def count(build):
    """Return the median of each kind, or what forbids to count."""
    program = build / "benchmarks/figures/figure_instructions"
    done = subprocess.run([program, "--count"], capture_output=True, text=True, timeout=LIMIT_S)
    if done.returncode != 0 and ("traced" in done.stderr or "x86-64" in done.stderr):
        return None, done.stderr.strip()
    done.check_returncode()
    return {kind: round(figure["instructions"]["median"])
            for kind, figure in json.loads(done.stdout).items()}, None


def tell(build, ceilings):
    """Print the table of one build; return whether no ceiling was passed."""
    if ceilings is None:
        print(f"{build}: such a build has no ceilings")
        return True
    counts, forbidden = count(build)
    if forbidden:
        print(f"{build}: not counted: {forbidden}")
        return True
    print(f"{build.name:40}{'instructions':>14}{'ceiling':>10}")
    for kind in counts.keys() - ceilings.keys():
        sys.exit(f"{CEILINGS.name} has no ceiling for {kind!r} of {build.name}")
    for kind, number in counts.items():
        print(f"{kind:40}{number:14}{ceilings[kind]:10}"
              f"{'  passed' if number > ceilings[kind] else ''}")
    return all(number <= ceilings[kind] for kind, number in counts.items())


def main():
    """Count for each build."""
    ceilings = json.loads(CEILINGS.read_text())
    kept = [tell(build, ceilings.get(build.name)) for build in map(pathlib.Path, sys.argv[1:])]
    sys.exit(0 if all(kept) else 1)


if __name__ == "__main__":
    main()
