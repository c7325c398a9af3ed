# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx benchmark shmem`: every way is measured, and what is missing is told."""

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from ucxx.benchmarks.prk import tools
from ucxx.benchmarks.shmem import compare, figures, ways
from ucxx.cli.root import command

QUICK = "--ms", "0.02", "--repeats", "2", "--bind", "none"
VIEWS = {name for name in figures.CALLS if name.endswith("_view")}
TABLE = {*figures.CALLS, *figures.COPIES, *figures.STARTS}
EXPECTED = {
    "ucxx": TABLE,
    "c": TABLE - VIEWS - {"memcpy", "import", "first_use"},
    "shmem4py": TABLE - {"memcpy"},
    "mpi4py": TABLE - VIEWS - {"memcpy", "test", "fence", "zeros_free"},
}


def run(*arguments, **environment):
    """Run the command as a program: (status, what it printed)."""
    done = subprocess.run(
        [sys.executable, "-B", "-W", "error", "-m", "ucxx", "benchmark", "shmem", *map(str, arguments)],
        text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=50,
        env={**os.environ, **environment})  # fmt: skip
    return done.returncode, done.stdout


def invoke(*arguments):
    """Run the command in this process: (status, what it printed)."""
    done = CliRunner().invoke(command, ["benchmark", "shmem", *map(str, arguments)])
    return done.exit_code, done.output


def package(folder, content):
    """Make a shmem4py in a folder; return what has Python find it, and what has it write nothing there."""
    (folder / "shmem4py").mkdir()
    (folder / "shmem4py/__init__.py").touch()
    (folder / "shmem4py/shmem.py").write_text(content)
    return {"PYTHONPATH": f"{folder}{os.pathsep}{os.environ.get('PYTHONPATH', '')}",
            "PYTHONDONTWRITEBYTECODE": "1"}


def test_every_way_is_measured(tmp_path):
    path, plot = tmp_path / "figures.json", tmp_path / "figures.png"
    shmem4py = package(tmp_path, "from ucxx.shmem import *\n")  # the names are the same
    status, said = run("--runs", 1, *QUICK, "--sizes", "4K,8", "--json", path, "--plot", plot, **shmem4py)
    assert status == 0, said
    report = json.loads(path.read_text())
    assert report["skipped"] == report["failed"] == {}
    assert report["settings"]["sizes"] == [8, 4096] and report["settings"]["pes"] == 2
    assert set(report["tools"]) == set(ways.NAMES)
    rows = report["results"]
    for way, names in EXPECTED.items():
        assert {row["figure"] for row in rows if row["way"] == way} == names
    assert {(row["figure"], row["bytes"]) for row in rows if row["way"] == "c"} >= {
        ("put", 8), ("bandwidth", 8), ("bandwidth", 4096)}
    for row in rows:
        assert 0 < row["least_ns"] <= row["ns"] and row["runs_ns"] == [row["ns"]]
        assert row["ratio"] == 1 if row["way"] == "ucxx" else row["ratio"] is None or row["ratio"] > 0
    assert plot.read_bytes().startswith(b"\x89PNG")
    lines = [line.split("  ")[0] for line in said.splitlines()]
    assert {figure.title for figure in figures.CALLS.values()} | {"8", "4K", "put, GB/s"} <= set(lines)


def test_runs_are_in_turn_and_three_pes_take_part(tmp_path):
    path = tmp_path / "figures.json"
    status, said = run("--runs", 2, "--way", "ucxx", "--way", "c", "--pes", 3, *QUICK, "--figure",
                       "put_wait", "--figure", "barrier_all", "--figure", "put", "--json", path)
    assert status == 0, said
    rows = json.loads(path.read_text())["results"]
    assert [(row["figure"], row["way"]) for row in rows] == [
        (figure, way) for figure in ("put", "put_wait", "barrier_all") for way in ("ucxx", "c")]
    assert all(len(row["runs_ns"]) == 2 for row in rows)
    assert "3 PEs; medians of 2 runs" in said


@pytest.mark.parametrize(("arguments", "words"), [
    (["--sizes", "8,many"], "invalid size 'many': use 8, 64K, 1M"),
    (["--sizes", "8,1G"], "1073741824 bytes: at most 256M would do"),
    (["--pes", "1"], "1 is not in the range"),
    (["--ms", "0"], "0.0 is not in the range"),
    (["--repeats", "0"], "0 is not in the range"),
    (["--way", "pigeon"], "'pigeon' is not one of 'ucxx', 'c', 'shmem4py', 'mpi4py'"),
    (["--figure", "hope"], "'hope' is not one of 'put', 'get'"),
    (["--mpi", "/nowhere"], "Directory '/nowhere' does not exist"),
    (["--plot", "curves.txt"], "ends in .png, .svg or .pdf"),
    (["--plot", "curves.png", "--figure", "start"], "of starts there is no picture"),
])
def test_wrong_options_are_told_before_measuring(arguments, words):
    status, said = invoke(*arguments)
    assert status == 2
    assert words in " ".join(said.split())


def test_missing_launchers_are_said(tmp_path):
    status, said = invoke("--way", "shmem4py", "--way", "mpi4py", "--shmem4py", tmp_path, "--mpi", tmp_path,
                          "--runs", 1)
    assert status == 0
    said = " ".join(said.split())
    assert f"shmem4py: not measured: there is no oshrun in {tmp_path}" in said
    assert f"mpi4py: not measured: there is no mpiexec in {tmp_path}" in said


def test_missing_package_is_said(tmp_path):
    with pytest.raises(tools.Missing, match="shmem4py is not installed"):
        ways.find("shmem4py", None, tmp_path)


def test_missing_compiler_is_said(tmp_path):
    (tmp_path / "oshrun").symlink_to(tools.find("shmem").launcher)
    with pytest.raises(tools.Missing, match=f"there is no oshcc in {tmp_path}"):
        ways.find("c", str(tmp_path), tmp_path)


def test_compiler_that_fails_is_said(tmp_path):
    (tmp_path / "oshrun").symlink_to(tools.find("shmem").launcher)
    (tmp_path / "oshcc").symlink_to("/bin/false")
    with pytest.raises(tools.Missing, match=r"oshcc .*calls\.c"):
        ways.find("c", str(tmp_path), tmp_path)


def test_way_that_fails_is_said_and_the_others_are_measured(tmp_path):
    broken = package(tmp_path, "raise ImportError('libshmem.so.7: cannot open shared object file')\n")
    status, said = run("--way", "ucxx", "--way", "shmem4py", "--figure", "my_pe", *QUICK, "--runs", 2,
                       **broken)
    assert status == 1
    assert "libshmem.so.7: cannot open" in said
    assert next(line for line in said.splitlines() if line.startswith("my_pe")).split()[-1] == "-"


@pytest.mark.parametrize("module", ["ucxx.shmem", "mpi4py"])
def test_program_without_launcher_says_what_it_needs(module):
    program = [sys.executable, "-B", "-m", "ucxx.benchmarks.shmem.program", module, "1", "1", "put:8"]
    done = subprocess.run(program, env=tools.environment(), text=True, check=False, capture_output=True,
                          timeout=50)
    assert done.returncode == 1
    assert done.stderr == (f"{module}: there is 1 PE: 2 or more are needed, under the launcher of the same "
                           "library\n")


def test_ratios_are_medians_of_those_of_each_round():
    told = {"ucxx": [{("put", 8): [1, 2, 3]}, {("put", 8): [4]}, {("put", 8): [10]}],
            "c": [{("put", 8): [1]}, {("put", 8): [8, 8]}, {("put", 8): [10]}]}
    first, second = compare.rows(told)
    assert (first["ns"], first["runs_ns"], first["least_ns"], first["ratio"]) == (4, [2, 4, 10], 1, 1)
    assert (second["way"], second["ns"], second["ratio"]) == ("c", 8, 1)
