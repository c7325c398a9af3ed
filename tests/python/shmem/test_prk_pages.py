# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The page that shows OpenSHMEM beside MPI shows the code of the kernels, and a trap that is one."""

import re

import pytest

from oshrun import run_job

PAGE = "docs/explanation/openshmem_beside_mpi.md"


@pytest.fixture
def page(root):
    return (root / PAGE).read_text()


def test_code_in_c_is_that_of_the_kernels(root, page):
    shown = re.findall(r"^```c\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    kernels = [path.read_text() for path in root.glob("python/ucxx/benchmarks/prk/c/**/*.[ch]")]
    assert len(shown) == 5
    assert [code for code in shown if not any(code in text for text in kernels)] == []


def test_trap_is_one(page, tmp_path):
    (program,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    wrong = program.replace("targets[step % 2]", "targets[0]")
    assert wrong != program
    (tmp_path / "gather.py").write_text(wrong)
    status, said = run_job(4, tmp_path / "gather.py")
    assert status != 0 and "AssertionError" in said
