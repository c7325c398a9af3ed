# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The Parallel Research Kernels: a copy that computes less does not validate; wrong arguments are told."""

import shutil

import pytest

from prk_runs import MODELS, ended, refused
from ucxx.benchmarks.prk import programs, tools

pytestmark = pytest.mark.usefixtures("prk_settings")

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
    done = ended(found, program, 2)
    assert done.returncode == 1 and "does not validate" in done.stdout + done.stderr, done


@pytest.fixture
def patched(tmp_path, monkeypatch):
    """Return a function that changes a text in all its places in a source; kernels are compiled from that copy."""
    def patch(name, before, after, places=1):
        copy = shutil.copytree(programs._SOURCES, tmp_path / "c")
        text = (copy / name).read_text()
        assert text.count(before) == places
        (copy / name).write_text(text.replace(before, after))
        monkeypatch.setattr(programs, "_SOURCES", copy)
    return patch


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("skipped", ["1", "value == 4"])  # all updates, or one in each pass
def test_random_without_its_updates_is_wrong(patched, model, skipped):
    name, change = SKIPPED[model]
    patched(name, change, f"  if (!({skipped})){change}")
    found = tools.find(model)
    wrong(found, [programs.compiled("random", found), "3", "64", "256"])


@pytest.mark.parametrize("skipped", ["True", "value == 4"])
def test_random_in_python_without_its_updates_is_wrong(tmp_path, skipped):
    found, path = tools.find("shmem"), tmp_path / "patched.py"
    path.write_text(PATCHED.format(skipped=skipped))
    wrong(found, [found.python, "-B", str(path), "--elements=64", "--updates=256", "--iterations=3"])


@pytest.mark.parametrize("iterations", ["3", "4"])
def test_branch_without_its_sweeps_is_wrong(patched, tmp_path, iterations):
    patched("branch.c", "variant->sweep(vector);", ";", places=2)
    found = tools.find("shmem")
    wrong(found, [programs.compiled("branch", found), iterations, "1003"])
    path = tmp_path / "patched.py"
    path.write_text("from ucxx.benchmarks.prk import branch, program\n"
                    "branch.Vector.step = lambda self: None\nprogram.main(branch.command)\n")
    wrong(found, [found.python, "-B", str(path), "--length=1003", f"--iterations={iterations}"])


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
