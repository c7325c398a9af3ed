# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`benchmark prk`: the tools that it finds, its figures and its pictures."""

import json
import os
import pathlib

import pytest
from click.testing import CliRunner
from PIL import Image

from prk_runs import MODELS, OSHMEM, PLAN, said_by
from ucxx.benchmarks.prk import KERNELS, compare, plot, programs, tools
from ucxx.cli.root import command

pytestmark = pytest.mark.usefixtures("prk_settings")


def test_programs_are_compiled_once(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = tools.find("shmem")
    path = pathlib.Path(programs.compiled("stencil", found))
    made = path.stat().st_mtime_ns
    assert programs.compiled("stencil", found) == str(path)
    assert path.stat().st_mtime_ns == made
    assert list(path.parent.iterdir()) == [path]


def test_folders_that_cannot_be_written_are_told(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    (tmp_path / "file").write_text("")
    with pytest.raises(programs.CompileError, match="file/ucxx/prk: Not a directory"):
        programs.compiled("stencil", tools.find("shmem"))


def fake(folder, name, text):
    """Write a script; return its path."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def test_missing_tools_are_named(tmp_path, monkeypatch):
    with pytest.raises(tools.Missing, match=f"no oshrun in {tmp_path}"):
        tools.find("shmem", str(tmp_path))
    launcher = fake(tmp_path, "mpiexec", "echo mpiexec 1.0")
    with pytest.raises(tools.Missing, match=f"no mpicc in {tmp_path}"):
        programs.compiled("stencil", tools.find("mpi", str(tmp_path)))
    fake(tmp_path, "mpicc", "echo it is broken >&2; exit 1")
    with pytest.raises(programs.CompileError, match="it is broken"):
        programs.compiled("stencil", tools.Tools("mpi", launcher, "python"))


@pytest.mark.parametrize(("version", "bound", "free"), [
    ("mpiexec (Open MPI) 5.0.11", ["--bind-to", "core"], ["--bind-to", "none", "--oversubscribe"]),
    ("mpiexec (OpenRTE) 4.1.4", ["--bind-to", "core"], ["--bind-to", "none", "--oversubscribe"]),
    ("HYDRA build details:", ["-bind-to", "core"], ["-bind-to", "none"]),
])
def test_each_mpi_has_its_options(tmp_path, version, bound, free):
    launcher = fake(tmp_path, "mpiexec", f"echo '{version}'\necho '  Version: 5.0.2'")
    found = tools.find("mpi", str(tmp_path))
    assert found.command(1, ["x"], True) == [launcher, "-n", "1", *bound, "x"]
    assert found.command(1, ["x"], False) == [launcher, "-n", "1", *free, "x"]
    assert found.version in (version, "MPICH 5.0.2", "mpiexec (Open MPI) 4.1.4")


@pytest.mark.parametrize(("version", "bound", "free"), [
    ("oshrun (UCXX) 0.1.0", "--bind core", "--bind none"),
    ("oshrun (OpenRTE) 4.1.4", "--bind-to core --mca osc ^rdma", "--bind-to none --mca osc ^rdma --oversubscribe"),
    ("oshrun of somebody", "", ""),
])
def test_each_openshmem_has_its_options(tmp_path, version, bound, free):
    launcher = fake(tmp_path, "oshrun", f"echo '{version}'")
    found = tools.find("shmem", str(tmp_path))
    assert found.command(1, ["x"], True) == [launcher, "-n", "1", *bound.split(), "x"]
    assert found.command(1, ["x"], False) == [launcher, "-n", "1", *free.split(), "x"]


HERE, THERE = "0b2a", "77f3"  # two machines


@pytest.mark.parametrize(("lines", "processors"), [
    ([f"on {HERE} 0 1"] * 4, 2),
    ([f"on {HERE} 0", f"on {HERE} 1"] * 2, 2),
    ([f"on {HERE} 0 1"] * 2 + [f"on {THERE} 0 1"] * 2, 4),
    ([f"on {HERE} 0 1"] * 3, None),
    (["there are no slots"], None),
])
def test_processors_of_all_machines_count(tmp_path, lines, processors):
    text = "\n".join(f"echo {line}" for line in lines)
    found = tools.Tools("shmem", fake(tmp_path, "oshrun", text), "python")
    assert tools.processors(found, 4) == processors


@pytest.mark.parametrize("model", MODELS)
def test_processors_of_this_machine(model):
    assert tools.processors(tools.find(model), 3) == len(os.sched_getaffinity(0))


def test_failures_are_told(tmp_path):
    launcher = fake(tmp_path, "oshrun", "echo it has died >&2; exit 3")
    found = tools.Tools("shmem", launcher, "python")
    case = compare.Case("stencil", 2, "numpy", "shmem")
    seen = []
    assert compare.measure([case], {"shmem": found}, PLAN, 2, seen.append)[0] == []
    rows, failed = compare.measure([case], {"shmem": found}, PLAN, 2, seen.append)
    assert rows == [] and "it has died" in failed[case] and len(seen) == 4


def test_jobs_of_another_size_are_told(tmp_path):
    launcher = fake(tmp_path, "oshrun", """echo '{"pes": 1, "rate": 1}'""")
    with pytest.raises(compare.RunError, match="1 PEs have met, not 2"):
        compare.run(compare.Case("stencil", 2, "numpy", "shmem"),
                    tools.Tools("shmem", launcher, "python"), PLAN)


def test_ratios_are_medians_of_rounds():
    def case(language, model):
        return compare.Case("stencil", 2, language, model)

    rows = compare.rows({case("c", "shmem"): [2, 4, 9], case("c", "mpi"): [1, 4, 3],
                         case("numpy", "shmem"): [1, 1, 1]}, PLAN)
    assert [row["rate"] for row in rows] == [4, 3, 1]
    assert [row["of_mpi"] for row in rows] == [2, None, None]
    assert [row["of_c"] for row in rows] == [None, None, 1 / 4]


def test_efficiency_is_that_of_a_pe():
    cases = [compare.Case("stencil", pes, "c", "shmem") for pes in (1, 2, 4)]
    lone = compare.Case("stencil", 2, "c", "mpi")
    rows = compare.rows({**dict(zip(cases, ([4, 5, 4], [6, 5, 4], [4, 4, 4]))), lone: [1, 1, 1]}, PLAN,
                        dict.fromkeys(cases, 2))
    assert [row["efficiency"] for row in rows] == [1, 0.5, 0.25, None]
    assert [compare.is_oversubscribed(row) for row in rows] == [False, False, True, False]


def test_units_are_those_that_programs_print():
    for kernel in KERNELS:
        found = tools.find("shmem")
        arguments = map(str, PLAN.sizes(kernel).values())
        said = said_by(found, [programs.compiled(kernel, found), "--json", "1", *arguments], 1)
        rows = compare.rows({compare.Case(kernel, 1, "c", "shmem"): [1]}, PLAN)
        assert rows[0]["unit"] == json.loads(said)["unit"]


@pytest.mark.usefixtures("slow_start")
def test_comparison(tmp_path):
    many = len(os.sched_getaffinity(0)) + 1
    path, picture = tmp_path / "prk.json", tmp_path / "prk.svg"
    arguments = ["benchmark", "prk", "stencil", f"--pes=1,{many}", "--language=c", "--order=30",
                 "--iterations=2", "--runs=2", "--json", path, "--plot", picture]
    done = CliRunner().invoke(command, list(map(str, arguments)))
    assert done.exit_code == 0, done.output
    report = json.loads(path.read_text())
    assert [(row["pes"], row["model"]) for row in report["results"]] == [
        (pes, model) for pes in (1, many) for model in MODELS]
    assert all(len(row["rates"]) == 2 and row["rate"] > 0 for row in report["results"])
    assert "MFlop/s" in done.output and f"{many} on {many - 1}" in done.output
    assert "/ mpi" in done.output and "/ c" not in done.output
    assert "oversubscribed" in picture.read_text()
    drawn = (tmp_path / "prk_efficiency.svg").read_text()
    assert "oversubscribed" in drawn and "efficiency" in drawn


@pytest.mark.parametrize("pes", [[2], [1, 2, 4]])
def test_pictures_of_all_kernels(tmp_path, pes):
    cases = compare.cases(KERNELS, pes, compare.LANGUAGES, compare.MODELS)
    path = tmp_path / "prk.png"
    report = {"results": compare.rows({case: [1, 3, 2] for case in cases}, PLAN)}
    plot.draw(report, path)
    assert path.stat().st_size > 10_000
    if 1 in pes:
        plot.draw_efficiency(report, path)
        shown = json.loads(Image.open(path).text["Description"])
        curves = [panel["curves"] for panel in shown["panels"] if panel["curves"]]
        assert len(curves) == len(KERNELS)
        assert {"C, OpenSHMEM (UCXX)", "C, MPI"} <= set(curves[0])
        assert all([[1, 2, 4], [1, 0.5, 0.25]] in lines.values() for lines in curves)
        assert sum(len(panel["bands"]) for panel in shown["panels"]) >= 2 * len(KERNELS)
    else:
        with pytest.raises(ValueError, match="no kernel ran with 1 PE and with more"):
            plot.draw_efficiency(report, path)


def test_comparison_says_what_is_missing(tmp_path):
    done = CliRunner().invoke(command, ["benchmark", "prk", "stencil", "--language=c", "--order=30",
                                        "--iterations=1", "--runs=1", f"--mpi={tmp_path}"])
    assert done.exit_code == 0, done.output
    assert f"c over mpi was skipped: there is no mpiexec in {tmp_path}" in done.output


def test_without_an_adapter_python_says_what_makes_one(oshmem, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    done = CliRunner().invoke(command, ["benchmark", "prk", "stencil", "--language=numpy", "--model=oshmem",
                                        f"--oshmem={OSHMEM}"])
    assert done.exit_code == 0, done.output
    assert f"numpy over oshmem was skipped: there is no adapter to it: python -m ucxx shmem adapt --oshcc {OSHMEM}" \
        in " ".join(done.output.split())


def test_kernels_that_lack_a_call_are_named(adapter):
    done = CliRunner().invoke(command, ["benchmark", "prk", "dgemm", "stencil", "--language=numpy", "--model=oshmem",
                                        f"--oshmem={OSHMEM}", "--order=32", "--iterations=1", "--runs=1"])
    assert done.exit_code == 0, done.output
    said = " ".join(done.output.split())
    assert f"dgemm, numpy over oshmem was skipped: {adapter.name} has no shmem_team_split_2d" in said
    assert "rates and ratios are those of one run" in said and "MFlop/s" in said


def test_another_library_has_to_be_named():
    done = CliRunner().invoke(command, ["benchmark", "prk", "stencil", "--model=oshmem"])
    assert done.exit_code == 0 and "oshmem was skipped: --oshmem FOLDER says where it is" in done.output


def test_comparison_refuses_pes_that_are_no_numbers():
    done = CliRunner().invoke(command, ["benchmark", "prk", "--pes=two"])
    assert done.exit_code == 2 and "numbers from 1 to 1024" in done.output
