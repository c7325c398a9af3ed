# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The programs of the documents run as they stand."""

import ast
import importlib.util
import os
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = re.compile(r"^(## .*?)$|^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GPU = re.compile(r"^import (cupy|torch)$", re.MULTILINE)


def all_programs():
    """Give each program, named by its page and section."""
    for page in [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]:
        section = ""
        for match in PROGRAM.finditer(page.read_text()):
            section = match[1] or section
            if match[2]:
                name = page.relative_to(ROOT).with_suffix("").as_posix()
                yield pytest.param(match[2], id=f"{name}: {section.strip('# ')}")


def programs():
    """Give those that can run here: some need a GPU, and the package whose arrays they send."""
    for program in all_programs():
        needed = GPU.search(program.values[0])
        if needed is None or (
            os.path.exists("/dev/nvidiactl") and importlib.util.find_spec(needed[1]) is not None
        ):
            yield program


@pytest.mark.parametrize("program", list(all_programs()))
def test_program_is_python(program):
    ast.parse(program)


@pytest.mark.parametrize("program", list(programs()))
def test_program_runs(program, run_python, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some write files
    status, said = run_python(program)
    assert status == 0, said
