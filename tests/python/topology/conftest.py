# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What the tests of ucxx.topology share: machines as files, and programs that stand in for those of a machine."""

import pathlib

import pytest

from ucxx.topology import programs

MACHINES = pathlib.Path(__file__).resolve().parent / "machines"


@pytest.fixture
def machines():
    """Return the folder of the files that describe machines."""
    return MACHINES


@pytest.fixture
def put_program(tmp_path, monkeypatch):
    """Return a function that puts a program of /bin/sh on PATH, where there is nothing else."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))

    def put(name, script):
        path = folder / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    return put


@pytest.fixture(autouse=True)
def nothing_said():
    """Have each warning logged again that an earlier test has seen."""
    programs._said.clear()
