# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The programs of the documents run as they stand."""

import ast
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import textwrap

import pytest

from oshrun import run_job
from ucxx.benchmarks.backends import perftest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]
PROGRAM = re.compile(r"^(## .*?)$|^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Behind a program of several PEs: how many, and, if the page has that, what they say in some order.
JOB = re.compile(r"^```python\n(.*?)^```\n\n    oshrun -n (\d) python \w+\.py\n(?:\n((?:    [^\n]*\n)+))?",
                 re.MULTILINE | re.DOTALL)
GPU = re.compile(r"^import (cupy|torch)$", re.MULTILINE)
MACHINES = ROOT / "tests/python/topology/machines"  # files that programs and commands name


def all_programs():
    """Give each program, named by its page and section."""
    for page in PAGES:
        section = ""
        for match in PROGRAM.finditer(page.read_text()):
            section = match[1] or section
            if match[2]:
                name = page.relative_to(ROOT).with_suffix("").as_posix()
                yield pytest.param(match[2], id=f"{name}: {section.strip('# ')}")


def jobs():
    """Give each program that runs as a job, with its number of PEs and its lines of output or None."""
    for page in PAGES:
        for match in JOB.finditer(page.read_text()):
            program = match[1].rpartition("```python\n")[2]
            lines = match[3] and sorted(textwrap.dedent(match[3]).splitlines())
            name = page.relative_to(ROOT).with_suffix("").as_posix()
            yield pytest.param(program, int(match[2]), lines, id=f"{name}: {match[2]} PEs")


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


def of_one_process():
    """Give the programs that are no jobs."""
    of_jobs = {job.values[0] for job in jobs()}
    return [program for program in programs() if program.values[0] not in of_jobs]


def put_machines(text, folder):
    """Copy the files of machines that a program or command names."""
    for path in MACHINES.iterdir():
        if path.name in re.findall(r"[\w.]+", text):
            shutil.copy(path, folder)


@pytest.mark.parametrize("program", of_one_process())
def test_program_runs(program, run_python, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some write files
    put_machines(program, tmp_path)
    if "sys.argv" in program:  # for two terminals, and so here
        (tmp_path / "program.py").write_text(program)
        assert "received" in run_in_two_terminals(sys.executable, "-B", "program.py")
        return
    if "spawn" in program:  # its children import the program
        (tmp_path / "program.py").write_text(program)
        program = "import runpy; runpy.run_path('program.py', run_name='__main__')"
    status, said = run_python(program)
    assert status == 0, said


@pytest.mark.parametrize(("program", "pes", "lines"), list(jobs()))
def test_job_runs(program, pes, lines, tmp_path):
    (tmp_path / "program.py").write_text(program)
    status, said = run_job(pes, tmp_path / "program.py")
    assert status == 0, said
    if lines is not None:
        assert sorted(said.splitlines()) == lines


def test_programs_of_openshmem_are_jobs():
    """But for those that do without oshrun."""
    alone = [one.id for one in of_one_process() if "from ucxx import shmem" in one.values[0]]
    assert alone == ["docs/how-to/shmem_notebooks: Processes that run already"]


PYTHON = [sys.executable, "-B", ROOT / "examples/hello.py"]
CPP = [path for path in [ROOT / "build/dev/examples/example_hello"] if path.exists()]


@pytest.mark.parametrize(("section", "example"), [("README: A first program", "sum.py"),
                                                  ("docs/start/first_transfer: In Python", "hello.py"),
                                                  ("docs/how-to/dask_machines: With async and await", "dask_transpose.py")])
def test_first_programs_are_in_the_examples(section, example):
    (program,) = [one.values[0] for one in all_programs() if one.id == section]
    assert (ROOT / "examples" / example).read_text().endswith(program)


README = (ROOT / "README.md").read_text()


def test_readme_is_short():
    assert len(README.splitlines()) <= 110


# What a reader has, writes, gets and begins with.
ROW = re.compile(r"^\| ([^|]+) \| `([^`|]+)` \| [^|]+ \| \[[^\]]+\]\((docs/[\w/-]+\.md)\) \|$", re.MULTILINE)


@pytest.mark.parametrize(("have", "line", "page"), ROW.findall(README))
def test_page_of_the_readme_begins_with_its_line(have, line, page):
    """A reader who follows the link finds the call there."""
    call = re.search(r"\w+(?=[(])|^\w+", line.removeprefix("await "))[0]
    assert call in (ROOT / page).read_text(), have


def test_table_of_the_readme_is_that_of_the_index():
    table = [(have, page) for have, _, page in ROW.findall(README)]
    index = re.findall(r"^\| ([^|]+) \| \[[^\]]+\]\(([\w/-]+\.md)\) \|$", (ROOT / "docs/index.md").read_text(), re.MULTILINE)
    assert len(table) == 6
    assert [(have, page.removeprefix("docs/")) for have, page in table] == index[:6]


def test_commands_of_the_readme_are_known():
    said = subprocess.run([ROOT / "dev", "help"], capture_output=True, text=True, check=True, timeout=20).stdout
    commands = set(re.findall(r"\./dev (\w+)", README))
    assert {"demo", "test", "install"} <= commands
    assert commands <= set(re.findall(r"^  (\w+)", said, re.MULTILINE))


def test_program_of_streams_is_in_the_examples():
    (program,) = [one.values[0] for one in all_programs() if one.id.startswith("docs/how-to/overlap_sends")]
    assert (ROOT / "examples/cuda/stream_send_cupy.py").read_text().endswith(program)


CUDA_PAGES = ["overlap_sends_with_kernels", "cuda_graphs"]


@pytest.mark.parametrize("page", CUDA_PAGES)
def test_code_of_cuda_is_in_the_examples(page):
    shown = re.findall(r"^```cpp\n(.*?)^```$", (ROOT / f"docs/how-to/{page}.md").read_text(), re.MULTILINE | re.DOTALL)
    programs_of_cuda = [path.read_text() for path in ROOT.glob("examples/cuda/*.cu")]
    assert shown
    assert [code for code in shown if not any(code in text for text in programs_of_cuda)] == []


@pytest.mark.parametrize("cpp", CPP)
def test_first_programs_of_both_languages_meet(cpp):
    assert run_in_two_terminals("--client", *PYTHON, "--", cpp) == "received olleh\n"
    assert run_in_two_terminals("--client", cpp, "--", *PYTHON) == "received olleh\n"


COMMAND = re.compile(r"^    (?:[A-Z_]+=\S+ )*(python -m ucxx\S*|ucxx-perftest|ucxx-info)((?: \S+)*)", re.MULTILINE)


def all_commands():
    """Give each command line of the documents that starts a program of ours."""
    for page in PAGES:
        for match in COMMAND.finditer(page.read_text()):
            words = re.split(r" (?:#|&&|>)", match[2])[0].split()
            yield pytest.param(match[1], words, id=f"{page.stem}: {match[1]} {' '.join(words)}")


@pytest.mark.parametrize(("program", "words"), list(all_commands()))
def test_command_is_understood(program, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    put_machines(" ".join(words), tmp_path)
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
