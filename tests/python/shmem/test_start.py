# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""When `ucxx.shmem` is loaded and initialised, and by whom. Each program is a process of its own."""

import re

import pytest
from jobs_in_python import prints, run

# What is in the process, of what takes time, and of what initialises.
LOADED = """
import sys

def loaded():
    with open("/proc/self/maps") as maps:
        mapped = {name for line in maps for name in ("libucp", "libucxx_shmem") if f"/{name}" in line}
    return sorted(mapped | {"ucxx._core", "ucxx._shmem", "asyncio", "enum", "logging"} & set(sys.modules))
"""
# Each case in a child: what is used stays used.
IN_CHILD = """
import os

def in_child(function, *arguments):
    child = os.fork()
    if child == 0:
        print(*function(*arguments), flush=True)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0, arguments
"""


def test_the_import_loads_nothing():
    assert prints(f"""{LOADED}
import numpy
before = loaded()
from ucxx import shmem
import ucxx.shmem
shmem.rc(initialize=True)
shmem.rc.threads = False
print(loaded() == before, set(loaded()) & {{"libucp", "libucxx_shmem", "ucxx._core", "ucxx._shmem",
                                            "asyncio"}})
""") == ["True set()"]


def test_the_use_loads_neither_ucx_nor_asyncio():
    assert prints(f"""{LOADED}
from ucxx import shmem
shmem.zeros(3)
print(set(loaded()) & {{"libucp", "libucxx_shmem", "ucxx._core", "ucxx._shmem", "asyncio"}}
      - {{"libucxx_shmem", "ucxx._shmem"}})
""") == ["set()"]


FIRST_USES = f"""{IN_CHILD}
import ucxx.shmem as shmem
from ucxx import _shmem

def use(name):
    getattr(shmem, name)
    return name, _shmem.is_running()

for name in dir(shmem):
    in_child(use, name)
in_child(lambda: ("dir", dir(shmem) and _shmem.is_running()))
in_child(lambda: ("query", shmem.query_initialized()))
in_child(lambda: ("init", shmem.init() or shmem.query_initialized()))
in_child(lambda: ("init_thread", shmem.init_thread().name, shmem.query_initialized()))
in_child(lambda: ("level", shmem.init_thread(shmem.THREAD_SERIALIZED).name))
"""


def test_the_first_use_of_a_name_initialises():
    """Of a call: what says how to initialise, and the constants, come before that."""
    lines = prints(FIRST_USES)
    for line in ("dir False", "query False", "init True", "init_thread MULTIPLE True", "level SERIALIZED"):
        lines.remove(line)
    initialise = {name for name, has in map(str.split, lines) if has == "True"}
    early = {name for name, has in map(str.split, lines) if has == "False"}
    assert {"put", "my_pe", "Ctx", "TEAM_WORLD", "CTX_DEFAULT", "Lock", "finalize", "c"} <= initialise
    assert {name for name in early if not name.isupper()} == {
        "DtypeError", "HandleError", "NotSymmetricError", "SizeError", "init", "init_thread",
        "query_initialized", "rc"}
    assert {"THREAD_MULTIPLE", "CMP", "OP_SUM", "MAJOR_VERSION", "VENDOR_STRING"} <= early
    assert not [name for name in early if name.startswith(("TEAM", "CTX_DEFAULT", "CTX_INVALID"))]


def test_a_star_imports_all_names_and_initialises():
    assert prints("""
from ucxx.shmem import *
import ucxx.shmem as shmem
print(sorted(set(shmem.__all__) - set(globals())), query_initialized(), my_pe(), CMP_EQ == CMP.EQ)
print([name for name in shmem.__all__ if getattr(shmem, name) is not globals()[name]])
""") == ["[]", "[] True 0 True"]


@pytest.mark.parametrize("code", ["shmem.nothing", "from ucxx.shmem import nothing", "shmem._nothing"])
def test_an_unknown_name_is_an_error_and_initialises_nothing(code):
    assert prints(f"""
from ucxx import shmem
try:
    {code}
except (AttributeError, ImportError) as error:
    print(str(error).partition(" (")[0], shmem.query_initialized())
""")[0].endswith("nothing' False" if "import" not in code else "from 'ucxx.shmem' False")


def test_without_numpy_the_error_says_what_to_install():
    status, _, err = run("import sys; sys.modules['numpy'] = None\nfrom ucxx import shmem")
    assert status == 1
    assert err.endswith("\nImportError: ucxx.shmem needs NumPy: pip install 'ucxx[shmem]'\n")


PROGRAM = """
import numpy as np
from ucxx import shmem

mine = shmem.array(shmem.my_pe(), dtype=np.int32)
all_of_us = shmem.empty(shmem.n_pes(), dtype=np.int32)
shmem.fcollect(all_of_us, mine)
print(all_of_us)
shmem.free(mine); shmem.free(all_of_us)
"""


def test_the_first_program_under_oshrun():
    assert prints(PROGRAM, pes=4) == ["[0 1 2 3]"] * 4


def test_the_first_program_alone():
    assert prints(PROGRAM) == ["[0]"]


@pytest.mark.parametrize(("name", "value"), [
    ("OMPI_COMM_WORLD_SIZE", "2"), ("PMI_SIZE", "2"), ("SLURM_STEP_NUM_TASKS", "2"),
    ("PMIX_NAMESPACE", "space"),
])
def test_under_another_launcher_the_error_says_to_use_oshrun(name, value):
    status, out, err = run(PROGRAM, **{name: value})
    assert (status, out) == (1, "")
    assert re.search(rf"\nRuntimeError: init: the OpenSHMEM library could not be initialised: .*{name}="
                     rf"{value}.*use oshrun, or .*ucxx.shmem.init with rank, size and allgather", err)
    assert err.count("could not") == 1 and not err.startswith("ucxx:")


def test_a_size_of_the_heap_that_is_none_is_an_error():
    status, _, err = run(PROGRAM, SHMEM_SYMMETRIC_SIZE="much")
    assert status == 1
    assert "\nRuntimeError: init: the OpenSHMEM library could not be initialised: " in err
    assert "SHMEM_SYMMETRIC_SIZE" in err


def test_a_level_of_threads_that_is_none_is_an_error_and_initialises_nothing():
    assert prints("""
from ucxx import shmem
for level in (-1, 4, "multiple", 1.0):
    try:
        shmem.init_thread(level)
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error, shmem.query_initialized())
""") == [
        "TypeError init_thread: requested = 'multiple': must be an integer False",
        "TypeError init_thread: requested = 1.0: must be an integer False",
        "ValueError init_thread: requested = -1: must be one of THREAD False",
        "ValueError init_thread: requested = 4: must be one of THREAD False",
    ]


# Whoever hangs is ended by the limit of `run`.
THREADS = """
import sys, threading
from ucxx import shmem

sys.setswitchinterval(1e-6)
barrier, found = threading.Barrier(8), []

def use(name):
    barrier.wait()
    found.append(getattr(shmem, name)())

threads = [threading.Thread(target=use, args=(name,)) for name in ("my_pe", "n_pes") * 4]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
shmem.finalize()
print(sorted(found), shmem.query_initialized())
"""


def test_of_threads_that_use_a_first_name_at_once_one_initialises():
    assert prints(THREADS, pes=2) == ["[0, 0, 0, 0, 2, 2, 2, 2] False", "[1, 1, 1, 1, 2, 2, 2, 2] False"]


@pytest.mark.parametrize("import_first", ["import ucxx.shmem", ""])
def test_a_forked_child_of_a_process_that_is_no_pe_is_a_pe(import_first):
    assert prints(f"""{IN_CHILD}
{import_first}
def use():
    from ucxx import shmem
    shmem.zeros(2)[...] = 1
    return shmem.my_pe(), shmem.n_pes()

in_child(use)
in_child(use)
print(*use())
""") == ["0 1"] * 3


def test_programs_that_a_pe_starts_are_jobs_of_one_pe():
    assert prints("""
import subprocess, sys
from ucxx import shmem
shmem.barrier_all()
code = "from ucxx import shmem; print(shmem.my_pe(), shmem.n_pes())"
subprocess.run([sys.executable, "-c", code], check=True)
shmem.barrier_all()
""", pes=2) == ["0 1"] * 2


PRINTS = """
from ucxx import shmem

for number in range(1000):
    print("PE", shmem.my_pe(), "line", number, "." * 40)
"""


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_lines_of_pes_stay_whole(unbuffered):
    """Neither a buffer that is full within a line, nor an argument of print, is written by itself."""
    expected = [f"PE {pe} line {number} {'.' * 40}" for pe in range(4) for number in range(1000)]
    assert prints(PRINTS, pes=4, PYTHONUNBUFFERED=unbuffered) == sorted(expected)
