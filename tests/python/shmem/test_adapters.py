# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Adapters: `ucxx.shmem` over UCXX's library as if it were another one, and what goes wrong."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from oshrun import ADAPTER

if ADAPTER:
    pytest.skip("makes adapters of its own", allow_module_level=True)

from ucxx import _shmem
from ucxx._shmem_adapters import source

LIBRARY = pathlib.Path(_shmem.library())
OSHCC = LIBRARY.parent / "oshcc"
OSHRUN = LIBRARY.parent / "oshrun"
CALLS = pathlib.Path(__file__).parent / "programs/all_calls.py"


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """Return a cache folder that has the adapter `foreign`, to UCXX's own library."""
    folder = tmp_path_factory.mktemp("cache")
    status, said = command(folder, "adapt", "--oshcc", OSHCC, "--name", "foreign")
    assert status == 0, said
    return folder


def command(cache, *words, **environment):
    """Run `python -m ucxx shmem`; return its status and what it says."""
    return python(cache, "-m", "ucxx", "shmem", *map(str, words), **environment)


def python(cache, *words, launcher=(), **environment):
    """Run Python; return its status and what it says."""
    environment = {"XDG_CACHE_HOME": str(cache), **environment}
    ended = subprocess.run([*map(str, launcher), sys.executable, "-B", "-W", "error", *map(str, words)], text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=50, check=False,
                           env={**os.environ, **environment})  # fmt: skip
    return ended.returncode, ended.stdout


def imports(cache, adapter):
    """Return the last line of a program that imports ucxx.shmem over an adapter, and must fail."""
    status, said = python(cache, "-c", "import ucxx.shmem", UCXX_SHMEM=str(adapter))
    assert status == 1
    return said.splitlines()[-1]


def known(cache):
    """Return what the file of the adapter `foreign` tells."""
    return json.loads((cache / "ucxx/shmem/foreign.json").read_text())


# The happy path ---------------------------------------------------------------------------------


@pytest.mark.parametrize("pes", [1, 2, 3])
def test_all_kinds_of_calls(cache, pes):
    assert python(cache, CALLS, launcher=[OSHRUN, "-n", pes], UCXX_SHMEM="foreign") == (0, "all is well\n")


def test_the_same_program_without_an_adapter(cache):
    assert python(cache, CALLS, launcher=[OSHRUN, "-n", "2"]) == (0, "all is well\n")


@pytest.mark.skipif(not pathlib.Path("/usr/bin/oshmem_info").exists(), reason="there is no OSHMEM of Debian's")
@pytest.mark.parametrize("pes", [1, 2])
def test_all_kinds_of_calls_over_oshmem(tmp_path_factory, pes):
    folder = tmp_path_factory.getbasetemp() / "oshmem"
    if not folder.exists():
        status, said = command(folder, "adapt", "--oshcc", "/usr/bin/oshcc")
        assert status == 0, said
    # As ucxx.benchmarks.prk.tools starts it, and with all of UCX.
    launcher = ["env", *(f"--unset={name}" for name in os.environ if name.startswith("UCX_")),
                "/usr/bin/oshrun", "--mca", "osc", "^rdma", "--oversubscribe", "-n", pes]  # fmt: skip
    status, said = python(folder, CALLS, launcher=launcher, UCXX_SHMEM="openmpi", OMPI_ALLOW_RUN_AS_ROOT="1",
                          OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")  # fmt: skip
    assert (status, said) == (0, "all is well\n")


def test_a_path_is_an_adapter_too(cache):
    path = cache / "ucxx/shmem/foreign.so"
    assert python("/nowhere", CALLS, launcher=[OSHRUN, "-n", "1"], UCXX_SHMEM=str(path))[0] == 0


def test_typed_pointers_are_those_of_the_adapter(cache):
    code = "from ucxx import shmem; print(shmem.c.my_pe(), shmem.c.n_pes())"
    assert python(cache, "-c", code, UCXX_SHMEM="foreign") == (0, "0 1\n")


@pytest.mark.parametrize("adapter", ["ucxx", "foreign"])
def test_one_library_is_loaded(cache, adapter):
    code = """if True:
        from ucxx import shmem
        shmem.my_pe()
        with open("/proc/self/maps") as maps:
            files = {line.split()[-1] for line in maps if "shmem" in line.rpartition("/")[2]}
        print(*sorted(name.rpartition("/")[2] for name in files if ".so" in name))
    """
    status, said = python(cache, "-c", code, UCXX_SHMEM=adapter)
    assert status == 0, said
    assert [name for name in said.split() if name.startswith("lib")] == [LIBRARY.resolve().name]


def test_an_adapter_that_is_not_chosen_is_not_loaded(cache):
    code = "from ucxx import shmem; shmem.my_pe(); print('foreign' in open('/proc/self/maps').read())"
    assert python(cache, "-W", "ignore", "-c", code) == (0, "False\n")


def test_the_number_of_the_version_stands_twice():
    text = (pathlib.Path(__file__).parents[3] / "python/shmem/library.cpp").read_text()
    assert int(re.search(r"kAdapterVersion = (\d+);", text)[1]) == source.VERSION


def test_the_constants_stand_twice():
    text = (pathlib.Path(__file__).parents[3] / "python/shmem/constants.h").read_text()
    lists = text[text.index("UCXX_SHMEM_CONSTANTS"):text.index("// clang-format on")]
    assert {f"SHMEM_{name}" for name in re.findall(r"each\((\w+)\)", lists)} == set(source.CONSTANTS)
    assert set(re.findall(r"shmem_(?:team|ctx)_t \w+ = (SHMEM_\w+);", text)) == set(source.HANDLES)


# The command ------------------------------------------------------------------------------------


def test_list_and_info(cache):
    status, said = command(cache, "list", UCXX_SHMEM="foreign")
    assert status == 0
    assert re.search(r"(?m)^\* +foreign +UCXX OpenSHMEM +1\.6 +\S+/oshrun", said)
    status, said = command(cache, "info", "foreign")
    assert status == 0
    assert said.endswith("NotImplementedError in ucxx.shmem: init(rank, size, allgather)\n"
                         "missing in ucxx.shmem.c: nothing\n")
    assert command(cache, "info")[1] == "UCXX's own library, of OpenSHMEM 1.6: lacks nothing\n"
    assert command(cache, "info", UCXX_SHMEM="foreign") == (status, said)
    assert command(cache, "info", cache / "ucxx/shmem/foreign.so") == (status, said)


def test_what_the_file_tells(cache):
    told = known(cache)
    assert told["launcher"] == [str(OSHRUN)]
    assert (told["major"], told["minor"], told["vendor"], told["lacks"]) == (1, 6, "UCXX OpenSHMEM", [])


@pytest.mark.parametrize(("words", "wanted"), [
    (["info", "nobody"], "Error: UCXX_SHMEM = 'nobody': there is no adapter "),
    (["info", "n" * 300], "there are: ucxx, foreign."),
    (["adapt", "--oshcc", OSHCC, "--launcher", "it's"], "Error: Invalid value for --launcher: \"it's\": No closing quotation"),
    (["adapt", "--oshcc", OSHCC, "--name", ".."], "Error: name = '..': must be made of letters"),
    (["adapt", "--oshcc", "/no/such"], "Error: there is no program '/no/such': must be the compiler"),
    (["adapt", "--oshcc", "gcc"], "/gcc finds no shmem.h that it can read:"),
    (["adapt", "--oshcc", OSHCC, "--name", "ucxx"], "Error: name = 'ucxx': must be made of letters"),
    (["adapt", "--oshcc", OSHCC, "--name", "a/b"], "Error: name = 'a/b': must be made of letters"),
])  # fmt: skip
def test_wrong_words(cache, words, wanted):
    status, said = command(cache, *words)
    assert status in (1, 2)
    assert wanted in said
    assert "Traceback" not in said


def test_the_ping_pong_has_a_line_for_each(cache):
    status, said = python(cache, "-m", "ucxx", "benchmark", "shmem", "--figure", "ping_pong", "--sizes", "8", "--runs",
                          "1", "--way", "c", "--way", "foreign")  # fmt: skip
    assert status == 0, said
    assert re.search(r"half round trip, +UCXX +foreign", said), said


# What an adapter does that the library does not ------------------------------------------------------


def test_a_pe_that_fails_leaves_without_the_others(cache):
    code = "from ucxx import shmem; shmem.barrier_all(); 1 / 0 if shmem.my_pe() else shmem.barrier_all()"
    status, said = python(cache, "-c", code, launcher=[OSHRUN, "-n", "2"], UCXX_SHMEM="foreign")
    assert status == 1
    assert "ZeroDivisionError" in said


def test_a_forked_child_ends(cache):
    code = """if True:
        import os, sys, warnings
        from ucxx import shmem
        shmem.barrier_all()
        if (child := os.fork()) == 0:
            sys.exit(3)
        shmem.barrier_all()
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    assert python(cache, "-c", code, launcher=[OSHRUN, "-n", "2"], UCXX_SHMEM="foreign") == (0, "3\n3\n")


def test_the_end_of_the_library_ends_waits_of_other_threads(cache):
    code = """if True:
        import threading
        from ucxx import shmem
        shmem.init_thread(shmem.THREAD_MULTIPLE)
        flag, begun, errors = shmem.zeros(1, "i8"), threading.Event(), []
        def wait():
            begun.set()
            try:
                shmem.wait_until(flag, "==", 1)
            except RuntimeError as error:
                errors.append(str(error))
        waiting = threading.Thread(target=wait)
        waiting.start()
        begun.wait()
        shmem.finalize()
        waiting.join()
        print(errors)
    """
    status, said = python(cache, "-c", code, UCXX_SHMEM="foreign")
    assert status == 0, said
    assert said in ("['wait: the library was finalised']\n", "['wait_until: the library was finalised']\n")


def test_pes_whose_launcher_fails(cache, tmp_path):
    shutil.copytree(cache / "ucxx", tmp_path / "ucxx")
    about = tmp_path / "ucxx/shmem/foreign.json"
    code = "from ucxx.testing._pes import Pes; Pes(2)"
    for launcher, wanted in (
        (["/bin/false"], "RuntimeError: the launcher has ended before 2 PEs had started: /bin/false -n 2 "),
        ([], "RuntimeError: no launcher is known of the adapter foreign: make it anew with --launcher"),
    ):
        about.write_text(json.dumps(known(cache) | {"launcher": launcher}))
        status, said = python(tmp_path, "-c", code, UCXX_SHMEM="foreign")
        assert status == 1
        assert said.splitlines()[-1].startswith(wanted)


def test_an_adapter_to_another_library_under_oshrun(cache, tmp_path):
    header = f'#include "{header_of_ucxx()}"\n#undef SHMEM_VENDOR_STRING\n#define SHMEM_VENDOR_STRING "Another"\n'
    another = compiler(tmp_path, header, str(OSHCC))
    status, said = command(tmp_path, "adapt", "--oshcc", another)
    assert (status, said.splitlines()[-1][:9]) == (0, "There is ")
    code = "from ucxx import shmem; shmem.my_pe()"
    status, said = python(tmp_path, "-c", code, launcher=[OSHRUN, "-n", "1"], UCXX_SHMEM="another")
    assert "init: UCXX's oshrun has started this process, but UCXX_SHMEM names an adapter to Another" in said


# Libraries that are not what they should be -------------------------------------------------------


def compiler(folder, header, flags=""):
    """Return a compiler whose shmem.h is that text; `flags` come before the caller's."""
    (folder / "include").mkdir()
    (folder / "include/shmem.h").write_text(header)
    path = folder / "oshcc"
    path.write_text(f"#!/bin/sh\nexec {flags or 'gcc'} -I{folder}/include \"$@\"\n")
    path.chmod(0o755)
    return path


def test_a_library_that_is_too_old(cache, tmp_path):
    status, said = command(cache, "adapt", "--oshcc", compiler(tmp_path, "void shmem_init(void);\n"))
    assert status == 1
    assert "has no contexts: the library must implement OpenSHMEM 1.4 or newer" in said


def test_a_library_that_cannot_be_loaded(cache, tmp_path):
    """The header promises what no library has."""
    header = f'#include "{header_of_ucxx()}"\n'
    status, said = command(cache, "adapt", "--oshcc", compiler(tmp_path, header, f"gcc -I{header_of_ucxx().parent}"))
    assert status == 1
    assert "the adapter cannot be loaded:" in said
    assert "undefined symbol: shmem_" in said


def test_a_function_that_is_declared_otherwise_is_left_out(cache, tmp_path):
    header = f'#include "{header_of_ucxx()}"\n#define shmem_info_get_name(name, size) other(name, size)\n'
    odd = compiler(tmp_path, header, str(OSHCC))
    status, said = command(tmp_path, "adapt", "--oshcc", odd, "--name", "odd")
    assert status == 0, said
    code = "from ucxx import shmem; print(shmem.n_pes()); shmem.info_get_name()"
    status, said = python(tmp_path, "-c", code, UCXX_SHMEM="odd")
    assert status == 1
    assert said.splitlines()[-1] == (
        f"NotImplementedError: info_get_name: UCXX OpenSHMEM (OpenSHMEM 1.6, by the adapter "
        f"{tmp_path}/ucxx/shmem/odd.so) has no shmem_info_get_name")
    code = "from ucxx import shmem; print(hasattr(shmem.c, 'info_get_name')); shmem.c.info_get_name"
    said = python(tmp_path, "-c", code, UCXX_SHMEM="odd")[1].splitlines()
    assert said[0] == "False"
    assert said[-1].endswith("has no shmem_info_get_name")


def header_of_ucxx():
    """Return the path of UCXX's shmem.h."""
    return pathlib.Path(__file__).parents[3] / "include/shmem.h"


@pytest.mark.parametrize("compile_by", ["gcc", "clang"])
def test_numbers_as_handles_enumerators_and_inline_functions(cache, tmp_path, compile_by):
    """A header of 1.5 as Cray's may be: 0 is a handle, and what is missing is left out."""
    if shutil.which(compile_by) is None:
        pytest.skip(f"there is no {compile_by}")
    header = (pathlib.Path(__file__).parent / "programs/numbers_as_handles.h").read_text()
    odd = compiler(tmp_path, header, compile_by)
    status, said = command(tmp_path, "adapt", "--oshcc", odd, "--name", "numbers", "--launcher", "env")
    assert status == 0, said
    code = """if True:
        from ucxx import shmem
        assert shmem.TEAM_WORLD and shmem.TEAM_WORLD != shmem.TEAM_INVALID and shmem.CTX_DEFAULT != shmem.CTX_INVALID
        assert shmem.TEAM_WORLD.my_pe() == 0 and shmem.CMP_GE == 17 and shmem.THREAD_MULTIPLE == 4
        a = shmem.zeros(3)
        shmem.put(a, [1.0, 2, 3] * shmem.ones(3), 0)
        for call in (lambda: shmem.TEAM_SHARED.sync(), lambda: shmem.put(a[::2], a[:2] + 1, 0)):
            try:
                call()
            except NotImplementedError as error:
                print(str(error).partition(":")[0], str(error).rpartition(" ")[2])
        print(a)
    """
    status, said = python(tmp_path, "-c", code, UCXX_SHMEM="numbers")
    assert (status, said) == (0, "sync SHMEM_TEAM_SHARED\nput shmem_ctx_iput64\n[1. 2. 3.]\n")


def test_no_such_adapter(cache):
    assert imports(cache, "nobody") == (
        f"ImportError: UCXX_SHMEM = 'nobody': there is no adapter {cache}/ucxx/shmem/nobody.so; there are: ucxx, "
        "foreign. python -m ucxx shmem adapt makes one of a library's oshcc")
    assert "there is no adapter /no/such.so" in imports(cache, "/no/such.so")


def test_no_adapter_but_another_file(cache, tmp_path):
    text = tmp_path / "text.so"
    text.write_text("no library")
    assert "the adapter that UCXX_SHMEM names cannot be loaded" in imports(cache, text)
    assert imports(cache, LIBRARY) == (
        f"ImportError: ucxx.shmem: UCXX_SHMEM names {LIBRARY}, which is no adapter: python -m ucxx shmem adapt makes "
        "one of an OpenSHMEM library's oshcc")


def test_an_adapter_of_another_version(cache, tmp_path):
    old = tmp_path / "old.so"
    compile_c("const long ucxx_adapter_version = 0;", old)
    assert imports(cache, old) == (
        f"ImportError: ucxx.shmem: the adapter {old} is of version 0, and must be of version {source.VERSION}: make it "
        "anew: python -m ucxx shmem adapt")


def test_an_adapter_of_another_architecture(cache, tmp_path):
    other = tmp_path / "other.so"
    image = bytearray((cache / "ucxx/shmem/foreign.so").read_bytes())
    image[18:20] = (243).to_bytes(2, "little")  # e_machine: RISC-V
    other.write_bytes(image)
    assert "cannot be loaded" in imports(cache, other)


def test_a_library_that_is_gone(cache, tmp_path):
    library = tmp_path / "libgone.so"
    compile_c("int gone;", library)
    adapter = tmp_path / "adapter.so"
    compile_c("extern int gone; int* p = &gone; const long ucxx_adapter_version = 1;", adapter, library)
    library.unlink()
    said = imports(cache, adapter)
    assert "libgone.so: cannot open shared object file" in said
    assert said.endswith("make it anew: python -m ucxx shmem adapt")


def test_what_is_known_of_an_adapter_is_gone(cache, tmp_path):
    shutil.copytree(cache / "ucxx", tmp_path / "ucxx")
    (tmp_path / "ucxx/shmem/foreign.json").write_text("{")
    status, said = command(tmp_path, "list")
    assert status == 0
    assert re.search(r"foreign +make it anew: nothing is known of it", said)
    status, said = command(tmp_path, "info", "foreign")
    assert status == 1
    assert "foreign.json, which belongs to the adapter foreign.so, cannot be read" in said
    assert "Traceback" not in said
    assert python(tmp_path, CALLS, launcher=[OSHRUN, "-n", "1"], UCXX_SHMEM="foreign") == (0, "all is well\n")


def compile_c(text, output, *others):
    """Compile a shared library."""
    subprocess.run(["gcc", "-shared", "-fPIC", "-x", "c", "-", "-x", "none", *others, "-o", output], input=text,
                   text=True, check=True, timeout=50)  # fmt: skip
