# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The pages that `./dev docs` makes of the documents, the docstrings and the headers."""

import re
import subprocess
import sys

import pytest

import ucxx
from ucxx import shmem


def test_all_headers_are_in_the_reference(root):
    shown = set(re.findall(r"```{header} (\S+)", (root / "docs/reference/cpp.md").read_text()))
    headers = {path.name for path in root.glob("include/ucxx/**/*.h")}
    assert shown == headers - {"api.h"}  # which includes the others


def test_all_names_are_in_the_reference(root):
    types = set(ucxx.types.__dict__)  # shown as a whole
    for page, module in (("asyncio", ucxx), ("core", ucxx.core)):
        shown = set(re.findall(r"auto\w+:: ([\w]+)", (root / f"docs/reference/{page}.md").read_text()))
        assert not set(module.__all__) - shown - types - {"core", "cuda", "exceptions", "types", "utils"}


def test_all_names_of_shmem_are_in_the_reference(root):
    page = (root / "docs/reference/shmem_python.md").read_text()
    shown = set(re.findall(r"auto\w+:: (?:ucxx\.shmem\.)?(\w+)|`(\w+)`", page))
    shown = {name for pair in shown for name in pair}
    enumerators = {name for name in dir(shmem) if name.isupper() and name.partition("_")[0] in shown}
    assert set(dir(shmem)) - shown - enumerators == set()


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_pages_build(root, tmp_path):
    command = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--quiet", "-c", "docs",
               "-d", tmp_path / "doctrees", ".", tmp_path / "html"]
    done = subprocess.run(command, cwd=root, check=False, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout
    assert (tmp_path / "html/index.html").exists()
