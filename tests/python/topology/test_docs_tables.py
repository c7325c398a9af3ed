# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The pages about clusters that know their machine: their tables, plans, commands and errors are those of the code."""

import ast
import contextlib
import io
import re
import shlex
import textwrap

import pytest
import yaml
from click.testing import CliRunner

from ucxx.cli import root as ucxx_cli
from ucxx.dask import cli as dask_cli
from ucxx.dask.clusters import missing
from ucxx.topology import priors

NAMES = ("dask_machines", "from_dask_cuda", "dask_clusters")
BLOCK = r"((?:    [^\n]*\n|\n(?=    ))+)"
SHOWN = re.compile(rf"^    (dask ucx worker --dry-run [^\n]*|python -m ucxx topology --file [^\n]*)\n\n{BLOCK}", re.MULTILINE)
PROGRAM = re.compile(rf"^```python\n((?:(?!```).*\n)+)```\n\n{BLOCK}", re.MULTILINE)
COMMAND = re.compile(r"(?:^| )(dask-ucx-worker|dask ucx worker|python -m ucxx\.dask\.cli worker)((?: [^\n`|&>]+)?)&?$", re.MULTILINE)
ROW = re.compile(r"^\| (`[^|]*`(?:, `[^|]*`)*)(?: \(log\))? \|", re.MULTILINE)


@pytest.fixture
def page(root):
    """Return a function that reads a page."""
    return lambda name: (root / f"docs/how-to/{name}.md").read_text()


@pytest.fixture(autouse=True)
def among_machines(machines, monkeypatch):
    """Be where the files are that the pages name."""
    monkeypatch.chdir(machines)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)


def said(command):
    """Return what a command prints."""
    words = shlex.split(command)
    group, words = (dask_cli.ucx, words[2:]) if words[0] == "dask" else (ucxx_cli.command, words[3:])
    done = CliRunner().invoke(group, words)
    assert done.exit_code == 0, done.output
    return done.output


def test_table_of_priors_is_that_of_the_code(page):
    assert priors.table() in page("dask_machines")


def test_what_commands_print_is_shown(page):
    shown = [match for name in NAMES for match in SHOWN.finditer(page(name))]
    assert len(shown) >= 2
    for command, output in (match.groups() for match in shown):
        assert said(command).rstrip() == textwrap.dedent(output).rstrip(), command


def test_what_programs_print_is_shown(page):
    programs = [match for name in NAMES[:2] for match in PROGRAM.finditer(page(name)) if "dry_run" in match[1]]
    assert programs
    for program, output in (match.groups() for match in programs):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(program, {"__name__": "__main__"})
        assert printed.getvalue().rstrip() == textwrap.dedent(output).rstrip(), program


def test_comments_tell_what_is_printed(page):
    """A line of a planning program that ends in a comment prints it."""
    programs = [match[1] for match in re.finditer(r"^```python\n((?:(?!```).*\n)+)```$", page("dask_machines"), re.MULTILINE)]
    programs = [program for program in programs if "dry_run" in program and "  # " in program]
    assert len(programs) >= 2
    for program in programs:
        names = {}
        with contextlib.redirect_stdout(io.StringIO()):
            exec(program, names)
        for expression, comment in re.findall(r"^print\((.*)\)  # (.*)$", program, re.MULTILINE):
            assert comment in (str(eval(expression, names)), "the table"), program


def arguments(text):
    """Give the words behind each `dask ucx worker` of a page, also those of containers."""
    lines = re.sub(r"\\\n\s*", "", text)
    for match in COMMAND.finditer(lines):
        yield shlex.split(match[2], comments=True)
    for block in re.findall(r"^```yaml\n(containers:.*?)^```", text, re.MULTILINE | re.DOTALL):
        for container in yaml.safe_load(block)["containers"]:
            assert container["args"][:3] == ["dask", "ucx", "worker"]
            yield container["args"][3:]


def test_commands_are_understood(page):
    found = [words for name in NAMES for words in arguments(page(name))]
    assert len(found) >= 5
    for words in found:
        assert dask_cli.worker.make_context("dask ucx worker", words).args == []


def texts(path):
    """Give the texts of a source, those of Python's f"" in pieces."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_errors_are_those_of_the_code(root, page):
    """Each error that the table names is in a source."""
    sources = [*root.glob("python/ucxx/topology/**/*.py"), *root.glob("python/ucxx/dask/**/*.py")]
    known = {text for path in sources for text in texts(path)}
    section = page("dask_machines").partition("## What goes wrong")[2].partition("\n## ")[0]
    named = [error for row in ROW.findall(section) for error in re.findall(r"`([^`]*)`", row)]
    assert len(named) > 10
    assert [error for error in named if not any(error in text for text in known)] == []


def test_what_is_refused_is_told(page):
    section = page("from_dask_cuda").partition("## What is refused")[2].partition("\n## ")[0]
    assert {name for row in ROW.findall(section) for name in re.findall(r"`(\w+)`", row)} == set(missing.NOT_HERE)
