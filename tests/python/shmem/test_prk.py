# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The Parallel Research Kernels: all validate, in each language over each model, with 1 to 4 PEs.

Another OpenSHMEM library has a share here, 2 PEs; `./dev prk-all` runs all of them.
"""

import dataclasses
import json
import os
import pathlib
import shutil
import subprocess

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

from ucxx.benchmarks.prk import KERNELS, compare, plot, powers, programs, random, shares, tools
from ucxx.benchmarks.prk.layout import Layout
from ucxx.cli.root import command

PLAN = compare.Plan(order=60, radius=3, variant="alltoall", iterations=3, bind=False)
MODELS = {"shmem": "shmem", "mpi": "mpi4py"}  # and what a kernel in Python calls them
ALL = "UCXX_PRK_ALL" in os.environ
OSHMEM = "/usr/bin"  # Debian's, if it is installed
TRANSPORTS = ("UCX_TLS", "UCX_NET_DEVICES")  # of all tests here: with them MPICH does not start
# With one transport Open MPI starts in 0.1 s. It looks for others for a second.
FAST_START = {"OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "self,sm"}


@pytest.fixture(scope="module", autouse=True)
def _settings(tmp_path_factory):
    """Compile into a folder of these tests, and start programs of MPI fast."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        for name, value in FAST_START.items():
            patch.setenv(name, value)
        yield


@pytest.fixture
def oshmem(slow_start):
    """Return the tools of Open MPI's OSHMEM."""
    try:
        found = tools.find("shmem", OSHMEM)
        assert found.compiler
    except tools.Missing as missing:
        pytest.skip(str(missing))
    return found


@pytest.fixture
def slow_start(monkeypatch):
    """Let MPI, and the UCX of others, choose their transports themselves, as for users."""
    for name in (*FAST_START, *TRANSPORTS):
        monkeypatch.delenv(name, raising=name in FAST_START)


def run(case, plan=PLAN, found=None):
    """Run a case, which must validate; nothing that it needs may be missing."""
    found = found or tools.find(case.model)
    assert compare.reason_to_skip(case, {case.model: found}) is None
    assert compare.run(case, found, plan) > 0


def said_by(found, program, pes):
    """Run a program, which must succeed; return what it said."""
    return subprocess.run(found.command(pes, program, False), env=tools.environment(), check=True,
                          capture_output=True, text=True, timeout=50).stdout


def refused(model, program, pes=4):
    """Run a program that must refuse its arguments; return what it said."""
    done = subprocess.run(tools.find(model).command(pes, program, False), env=tools.environment(),
                          capture_output=True, text=True, check=False, timeout=50)
    assert done.returncode == 2, done
    assert "Traceback" not in done.stderr
    return done.stderr


def there(languages, models, pes):
    """Return the cases that there are."""
    return [pytest.param(case, id=f"{case.kernel}-{case.language}-{case.model}-{case.pes}")
            for case in compare.cases(KERNELS, pes, languages, models)]


@pytest.mark.parametrize("case", [
    *there(["c", "numpy"], MODELS, [1, 2, 3, 4]),
    *there(["numba"], MODELS, [1, 2, 3, 4] if ALL else [2]),  # each PE compiles
])
def test_kernel_validates(case):
    run(case)


@pytest.mark.parametrize("case", there(["c"], ["oshmem"], [1, 2, 3, 4] if ALL else [2]))
def test_kernel_validates_over_another_openshmem(case, oshmem):
    run(case, found=oshmem)


if ALL:
    @pytest.mark.usefixtures("slow_start")
    @pytest.mark.parametrize("case", there(["c"], ["mpi"], [1, 2, 3, 4]))
    def test_kernel_validates_over_mpich(case, root):
        run(case, found=tools.find("mpi", str(root / "build/peers/mpich/bin")))
else:
    @pytest.mark.parametrize("pes", [1, 3])
    def test_compiled_communication_validates(pes):
        run(compare.Case("synch_p2p", pes, "numba", "shmem"))


PES = [1, 2, 3, 4] if ALL else [1, 3]


@pytest.mark.parametrize("pes", PES)
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("language", compare.LANGUAGES if ALL else ["c", "numpy"])
def test_transpose_by_get_validates(language, model, pes):
    plan = dataclasses.replace(PLAN, variant="get")
    run(compare.Case("transpose", pes, language, model), plan)


@pytest.mark.parametrize("radius", [1, 2, 4, 5, 6, 7, 15])
@pytest.mark.parametrize("language", compare.LANGUAGES if ALL else ["c", "numpy"])
def test_stencil_validates_with_each_radius(language, radius):
    plan = dataclasses.replace(PLAN, order=31, radius=radius)  # which no number of PEs divides
    run(compare.Case("stencil", 2, language, "shmem"), plan)


@pytest.mark.parametrize("pes", PES)
@pytest.mark.parametrize(("language", "model"), [("c", "shmem"), ("c", "mpi"), ("numpy", "shmem"), ("numba", "shmem")])
def test_refcount_by_atomic_operations_validates(language, model, pes):
    found = tools.find(model)
    program = [programs.compiled("refcount", found), "3", "100", "atomic"] if language == "c" else [
        found.python, "-B", "-m", "ucxx.benchmarks.prk.refcount", f"--language={language}",
        "--updates=100", "--variant=atomic"]
    assert "Solution validates" in said_by(found, program, pes)


@pytest.mark.parametrize("iterations", ["3", "4"])
def test_branch_without_its_sweeps_is_wrong(tmp_path, monkeypatch, iterations):
    copy = shutil.copytree(programs._SOURCES, tmp_path / "c")
    text = (copy / "branch.c").read_text()
    (copy / "branch.c").write_text(text.replace("variant->sweep(vector);", ";"))
    monkeypatch.setattr(programs, "_SOURCES", copy)
    found = tools.find("shmem")
    wrong(found, [programs.compiled("branch", found), iterations, "1003"])
    path = tmp_path / "patched.py"
    path.write_text("from ucxx.benchmarks.prk import branch, program\n"
                    "branch.Vector.step = lambda self: None\nprogram.main(branch.command)\n")
    wrong(found, [found.python, "-B", str(path), "--length=1003", f"--iterations={iterations}"])


@pytest.mark.parametrize("variant", ["go", "stop", "never", "many"])
@pytest.mark.parametrize("straight", ["", "-straight"])
def test_each_branch_validates(variant, straight):
    found, name = tools.find("shmem"), variant + straight
    program = programs.compiled("branch", found)
    for iterations in ("3", "4"):
        assert "Solution validates" in said_by(found, [program, iterations, "1003", name], 2)
    module = [found.python, "-B", "-m", "ucxx.benchmarks.prk.branch", "--length=1003", f"--variant={name}"]
    assert "Solution validates" in said_by(found, module, 2)


def test_powers_of_two_are_those_by_doubling():
    value, seen = 1, []
    for exponent in range(200):
        seen.append(value)
        assert powers.power_of_two(exponent) == value < 1 << 63
        value = powers.doubled(value)
    assert len(set(seen)) == 200


SKIPPED = {  # what changes an element in C, and the file where that is
    "shmem": ("shmem/shared_table.h", "  shmem_uint64_atomic_xor("),
    "mpi": ("mpi/shared_table.h", "  MPI_Accumulate("),
}
PATCHED = """
from ucxx import shmem
from ucxx.benchmarks.prk import random
change = shmem.atomic_xor
shmem.atomic_xor = lambda target, value, pe: None if {skipped} else change(target, value, pe)
random.program.main(random.command)
"""


def wrong(found, program):
    """Run a program with 2 PEs, whose result must be wrong."""
    done = subprocess.run(found.command(2, program, False), env=tools.environment(), check=False,
                          capture_output=True, text=True, timeout=50)
    assert done.returncode == 1 and "does not validate" in done.stdout + done.stderr, done


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("skipped", ["1", "value == 4"])  # all updates, or one in each pass
def test_random_without_its_updates_is_wrong(tmp_path, monkeypatch, model, skipped):
    name, change = SKIPPED[model]
    copy = shutil.copytree(programs._SOURCES, tmp_path / "c")
    text = (copy / name).read_text()
    (copy / name).write_text(text.replace(change, f"  if (!({skipped})){change}"))
    assert text.count(change) == 1
    monkeypatch.setattr(programs, "_SOURCES", copy)
    found = tools.find(model)
    wrong(found, [programs.compiled("random", found), "3", "64", "256"])


@pytest.mark.parametrize("skipped", ["True", "value == 4"])
def test_random_in_python_without_its_updates_is_wrong(tmp_path, skipped):
    found, path = tools.find("shmem"), tmp_path / "patched.py"
    path.write_text(PATCHED.format(skipped=skipped))
    wrong(found, [found.python, "-B", str(path), "--elements=64", "--updates=256", "--iterations=3"])


@pytest.mark.parametrize(("elements", "updates", "pes"), [(64, 100, 3), (8, 5, 8), (2, 20_000, 1)])
def test_layouts_and_replays(elements, updates, pes):
    layout = Layout(elements.bit_length() - 1, pes)
    wanted = np.arange(elements, dtype=np.uint64)
    for exponent in range(updates):
        value = powers.power_of_two(exponent)
        wanted[value % elements] ^= np.uint64(value)
    parts = []
    for pe in range(pes):
        owned = layout.owned(pe)
        assert {index * pes >> layout.bits for index in owned} == {pe}
        assert len({index & (layout.part - 1) for index in owned}) == len(owned) <= layout.part
        start = np.arange(owned.start, owned.stop, dtype=np.uint64)
        parts.append(random.replayed(start, layout, updates))
    assert np.array_equal(np.concatenate(parts), wanted)


# Kernel, arguments of the program in C, those of the module, and what each says, with 4 PEs.
WRONG = [
    ("stencil", "3 60 0", "--radius=0", "a number from 1 to"),
    ("stencil", "3 60 two", "--radius=two", "'two': a number from 1 to"),
    ("stencil", "0 60 2", "--iterations=0", "a number from 1 to"),
    ("stencil", "3 7 4", "--order=7 --radius=4", "at least 9 would do"),
    ("stencil", "3 60", "--order", "order"),
    ("synch_p2p", "3 60 4", "--columns=4", "at least 5, or at most 3 pes, would do"),
    ("synch_p2p", "3 1 60", "--rows=1", "a number from 2 to"),
    ("transpose", "3 61", "--order=61", "order 61 is not divisible by 4 pes: 60 or 64 would do"),
    ("transpose", "3 2", "--order=2", "order 2 is not divisible by 4 pes: 4 or 8 would do"),
    ("transpose", "3 60 put", "--variant=put", "alltoall"),
    ("transpose", "3 60 get more", "more", "transpose"),
    ("synch_global", "3 0", "--length=0", "a number from 1 to"),
    ("reduce", "3 -1", "--length=-1", "a number from 1 to"),
    ("stream", "3 3", "--length=3", "length 3 is too little for 4 pes: at least 4 would do"),
    ("refcount", "3 3", "--updates=3", "updates 3 is too little for 4 pes: at least 4 would do"),
    ("refcount", "3 60 none", "--variant=none", "atomic"),
    ("random", "3 2 60", "--elements=2 --updates=60", "elements 2 is too little for 4 pes"),
    ("random", "3 64 2", "--elements=64 --updates=2", "updates 2 is too little for 4 pes"),
    ("random", "3 60 60", "--elements=60 --updates=60", "elements 60 is no power of 2: 32 or 64 would do"),
    ("sparse", "3 3 4", "--bits=3 --radius=4", "too large for a grid of 8 by 8 points: at most 3 would do"),
    ("sparse", "3 16 4", "--bits=16", "a number from 2 to 15 would do"),
    ("dgemm", "3 61", "--order=61", "order 61 is not divisible by 2, for 4 pes: 60 or 62 would do"),
    ("branch", "3 3", "--length=3", "length 3 is too little for 4 pes: at least 4 would do"),
    ("branch", "3 60 always", "--variant=always", "never"),
]


# The same code refuses them over both models: a few are enough for MPI.
REFUSALS = [(*wrong, model) for model in MODELS for wrong in (WRONG if model == "shmem" else WRONG[3:5])]
NAMES = "kernel", "arguments", "options", "said", "model"


@pytest.mark.parametrize(NAMES, REFUSALS)
def test_wrong_arguments_in_c(kernel, arguments, options, said, model):
    program = programs.compiled(kernel, tools.find(model))
    words = refused(model, [program, *arguments.split()])
    assert words.count("error: ") == 1 and said in words.lower()


@pytest.mark.parametrize(NAMES, REFUSALS)
def test_wrong_arguments_in_python(kernel, arguments, options, said, model):
    module = [tools.find(model).python, "-B", "-m", f"ucxx.benchmarks.prk.{kernel}"]
    words = refused(model, [*module, f"--model={MODELS[model]}", *options.split()])
    assert words.count("Error: ") == 1 and said in words.lower()


@pytest.mark.parametrize(("kernel", "options", "said"), [
    ("stream", "--language=numba", "has no loop for numba: --language=numpy would do"),
    ("dgemm", "--language=numba", "has no loop for numba"),
    ("sparse", "--model=mpi4py", "does not talk by mpi4py: --model=shmem would do"),
    ("refcount", "--model=mpi4py --language=numba", "does not talk by mpi4py"),
])
def test_what_is_not_there_is_told(kernel, options, said):
    found = tools.find("mpi" if "mpi4py" in options else "shmem")
    module = [found.python, "-B", "-m", f"ucxx.benchmarks.prk.{kernel}", *options.split()]
    assert said in refused(found.model, module, 1)
    if kernel in ("sparse", "dgemm"):
        with pytest.raises(tools.Missing, match=f"{kernel} in C is there over OpenSHMEM alone"):
            programs.compiled(kernel, tools.find("mpi"))


@pytest.mark.parametrize("language", ["c", "numpy"])
def test_rate_as_text(language):
    found = tools.find("shmem")
    program = [programs.compiled("transpose", found), "5", "60"]
    if language == "numpy":
        program = [found.python, "-B", "-m", "ucxx.benchmarks.prk.transpose", "--order=60"]
    said = subprocess.run(found.command(2, program, False), env=tools.environment(), check=True,
                          capture_output=True, text=True, timeout=50).stdout
    lines = said.split("\n")
    assert lines[1] == "Solution validates"
    assert lines[2].startswith("Rate: ") and "MB/s" in lines[2]


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


@pytest.mark.parametrize(("pes", "columns"), [(1, 1), (2, 1), (4, 2), (7, 1), (12, 3), (16, 4)])
def test_grids_of_pes(pes, columns):
    assert shares.columns_of(pes) == columns


def test_shares_cover_everything():
    firsts = [shares.first_of(11, 4, part) for part in range(5)]
    assert firsts == [0, 3, 6, 9, 11]
    assert [shares.share_of(11, 4, part) for part in range(4)] == [3, 3, 3, 2]


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


def test_comparison_refuses_pes_that_are_no_numbers():
    done = CliRunner().invoke(command, ["benchmark", "prk", "--pes=two"])
    assert done.exit_code == 2 and "numbers from 1 to 1024" in done.output
