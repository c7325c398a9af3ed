# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Add up the JUnit files that ctest and pytest wrote, and decide.

usage: summary.py RESULTS.xml...

The last line is 'N passed, N failed, N skipped'. A file that is missing is a build that failed, and
counts as one failure. A test that did not run for any reason but its own wish has failed. With
CI=true a skipped test fails the run: a machine of the CI must be able to run everything.
"""

import os
import sys
import xml.etree.ElementTree as ElementTree

# ctest's words for a test that skipped itself, or is marked as disabled in its source.
SKIPPED = ("SKIP_REGULAR_EXPRESSION_MATCHED", "SKIP_RETURN_CODE", "Disabled")


def outcome(case):
    """Tell whether a test passed, failed or was skipped: ctest says it in words, pytest by children."""
    status, reason = case.get("status"), case.find("skipped")
    if status is None:
        ended_badly = case.find("failure") is not None or case.find("error") is not None
        return "failed" if ended_badly else "passed" if reason is None else "skipped"
    if status == "run":
        return "passed"
    skipped = reason is not None and reason.get("message", "").startswith(SKIPPED)
    return "skipped" if skipped or status == "disabled" else "failed"


def read(path):
    """Return the names of passed, failed and skipped tests."""
    stage = os.path.basename(os.path.dirname(path))
    names = {"passed": [], "failed": [], "skipped": []}
    try:
        cases = list(ElementTree.parse(path).getroot().iter("testcase"))
    except (OSError, ElementTree.ParseError):
        return [], [f"{stage}: did not build, or did not run"], []
    for case in cases:
        place = case.get("classname", "") + "." if case.get("status") is None else ""
        names[outcome(case)].append(f"{stage}: {place}{case.get('name')}")
    return names["passed"], names["failed"], names["skipped"]


def main(paths):
    """Print the sum and return the exit status."""
    passed, failed, skipped = [], [], []
    for path in paths:
        for total, part in zip((passed, failed, skipped), read(path)):
            total.extend(part)

    strict = os.environ.get("CI", "").lower() in ("true", "1")
    for name in failed:
        print(f"failed   {name}")
    for name in skipped:
        print(f"skipped  {name}")
    if strict and skipped:
        print("CI=true: a skipped test fails the run")
    if not passed and not failed:
        print("no test ran")
    print(f"{len(passed)} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 1 if failed or not passed or (strict and skipped) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
