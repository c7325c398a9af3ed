# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx benchmark dask many`, with a few workers."""

import json
import subprocess
import sys

import pytest
from pins import slow

WORKERS, PROCESSES = 12, 3


def many(*arguments):
    """Run the benchmark as a program: (status, what it printed, what it logged)."""
    done = subprocess.run(
        [sys.executable, "-B", "-W", "error", "-m", "ucxx", "benchmark", "dask", "many", *map(str, arguments)],
        text=True, check=False, capture_output=True, timeout=100,
    )  # fmt: skip
    return done.returncode, done.stdout, " ".join(done.stderr.split())


@slow
def test_what_it_finds(tmp_path):
    path, picture = tmp_path / "figures.json", tmp_path / "picture.png"
    arguments = ["--workers", WORKERS, "--processes", PROCESSES, "--runs", 1, "--json", path, "--plot", picture]
    status, said, log = many(*arguments)
    assert status == 0, said + log
    assert picture.read_bytes().startswith(b"\x89PNG")
    report = json.loads(path.read_text())
    assert report["settings"] == {"workers": WORKERS, "processes": PROCESSES, "runs": 1, "protocols": ["ucx", "tcp"]}
    found = {(row["what"], row["protocol"]): row["median"] for row in report["results"]}
    for protocol in ("ucx", "tcp"):
        for what in ("until 12 workers are there", "all 132 pairs, the first time", "1000 small tasks", "down to 10 workers"):
            assert found[what, protocol] > 0
        assert found["all processes after: memory (PSS)", protocol] > found["the scheduler after: memory (PSS)", protocol]
        for of in ("the scheduler", "a process of workers"):
            assert 0 < found[f"{of} before: descriptors", protocol] <= found[f"{of} after: descriptors", protocol]
    # The workers of a process share its links.
    descriptors = "a process of workers after: descriptors"
    assert found[descriptors, "ucx"] < found[descriptors, "tcp"]


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["--workers", 10], "Invalid value for '--workers': 10 is not in the range 11<=x<=4000."),
        (["--workers", 12, "--processes", 13], "Invalid value for --processes: 13 are more than the 12 workers"),
    ],
)
def test_wrong_numbers(arguments, what):
    status, _, log = many(*arguments)
    assert status == 2
    assert what in log
