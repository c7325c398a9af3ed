# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The programs of the documents run as they stand."""

import ast
import importlib.util
import os
import pathlib
import re
import subprocess
import sys

import pytest

from ucxx.benchmarks.backends import perftest

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


def run_in_two_terminals(*words):
    """Run a server and its client, each a process with a deadline; return what the client printed."""
    done = subprocess.run([sys.executable, "-B", ROOT / "tests/tools/two_terminals.py", *words],
                          check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=55, env={**os.environ, "PYTHONWARNINGS": "error"})
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.parametrize("program", list(programs()))
def test_program_runs(program, run_python, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some write files
    if "sys.argv" in program:  # for two terminals, and so here
        (tmp_path / "program.py").write_text(program)
        assert "received" in run_in_two_terminals(sys.executable, "-B", "program.py")
        return
    status, said = run_python(program)
    assert status == 0, said


PYTHON = [sys.executable, "-B", ROOT / "examples/hello.py"]
CPP = [path for path in [ROOT / "build/dev/examples/example_hello"] if path.exists()]


def test_first_program_is_in_the_examples():
    (program,) = [one.values[0] for one in all_programs() if one.id.startswith("README")]
    assert PYTHON[-1].read_text().endswith(program)


@pytest.mark.parametrize("cpp", CPP)
def test_first_programs_of_both_languages_meet(cpp):
    assert run_in_two_terminals("--client", *PYTHON, "--", cpp) == "received olleh\n"
    assert run_in_two_terminals("--client", cpp, "--", *PYTHON) == "received olleh\n"


COMMAND = re.compile(r"^    (?:[A-Z_]+=\S+ )*(python -m ucxx\S*|ucxx-perftest|ucxx-info)((?: \S+)*)", re.MULTILINE)


def all_commands():
    """Give each command line of the documents that starts a program of ours."""
    for page in [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]:
        for match in COMMAND.finditer(page.read_text()):
            words = match[2].partition(" #")[0].partition(" &&")[0].split()
            yield pytest.param(match[1], words, id=f"{page.stem}: {match[1]} {' '.join(words)}")


@pytest.mark.parametrize(("program", "words"), list(all_commands()))
def test_command_is_understood(program, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if program.startswith("python"):
        from ucxx.cli import root

        command = root.command
        while words and words[0] in getattr(command, "commands", {}):
            command = command.commands[words.pop(0)]
        context = command.make_context(program, words)  # raises for what it does not know
        assert context.args == []
    elif program == "ucxx-perftest" and perftest.Backend.missing() is None:
        said = subprocess.run([perftest._program(), "--help"], text=True, check=True,
                              capture_output=True).stdout
        options = [word for word in words if word.startswith("-")]
        assert [option for option in options if option not in re.split(r"[\s,]+", said)] == []
