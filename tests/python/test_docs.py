# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The programs of the documents run as they stand."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = re.compile(r"^(## .*?)$|^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def programs():
    """Give each program, named by its page and section."""
    for page in [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]:
        section = ""
        for match in PROGRAM.finditer(page.read_text()):
            section = match[1] or section
            if match[2]:
                yield pytest.param(match[2], id=f"{page.stem}: {section.strip('# ')}")


@pytest.mark.parametrize("program", list(programs()))
def test_program_runs(program, run_python):
    status, said = run_python(program)
    assert status == 0, said
