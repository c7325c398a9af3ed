# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Which UCX a process uses: python/ucxx/_process/load.py. Each test is a process of its own."""

import ast
import os
import pathlib
import subprocess
import sys

import libucx
import pytest
import ucxx
from ucxx._process.load import load

WHEEL = pathlib.Path(libucx.__file__).resolve().parent

# What a program does, and what is in the process then.
IMPORT = """
import re

import ucxx
from ucxx import core
from ucxx._process.load import load
worker = core.UCXWorker(core.UCXContext())
with open("/proc/self/maps") as maps:
    files = [line.split()[-1] for line in maps]
folders = {file.rpartition("/")[0] for file in files if re.search("/libuc[ps].so", file)}
print((*load(), ucxx.get_ucx_version(), folders))
"""
# A message by UCX, between two workers.
MESSAGE = """
context = core.UCXContext()
one, other = core.UCXWorker(context), core.UCXWorker(context)
one.start_progress_thread()
other.start_progress_thread()
to = core.UCXAddress.from_worker
there = core.UCXEndpoint.create_endpoint_from_worker_address(one, to(other))
back = core.UCXEndpoint.create_endpoint_from_worker_address(other, to(one))
received = bytearray(4)
core.wait_requests(one, [there.tag_send(b"four", tag=1), back.tag_recv(received, tag=1)])
assert (bytes(received), there.transports) == (b"four", ["tcp"]), (received, there.transports)
"""
MPI = {"openmpi": "libmpi.so.40", "mpich": "libmpi.so.12"}


@pytest.fixture
def used(run_python):
    """Return a function that runs the program: (path, version, reason), of the only UCX there."""

    def run(code=IMPORT, **environment):
        status, said = run_python(code, **environment)
        assert status == 0, said
        path, version, reason, told, folders = ast.literal_eval(said)
        assert told == version
        assert folders == {os.path.dirname(path)}
        return pathlib.Path(path), version, reason

    return run


@pytest.fixture
def refused(run_python):
    """Return a function that runs the program, which cannot import ucxx, for its last words."""

    def run(code=IMPORT, **environment):
        status, said = run_python(code, **environment)
        assert status == 1, said
        return said.partition("\nImportError: ")[2]

    return run


@pytest.fixture(params=MPI)
def load_mpi(request, root):
    """Return code that loads an MPI, which brings a UCX of its own, and that UCX's folder."""
    lib = root / "build/peers" / request.param / "lib"
    return f"import ctypes; ctypes.CDLL({str(lib / MPI[request.param])!r})\n", lib / request.param


@pytest.fixture
def make_ucx(tmp_path):
    """Return a function that makes a UCX of a version, which does nothing, and returns its prefix.

    The names of its libraries may have a suffix, as auditwheel gives them one.
    """

    def make(version, suffix=""):
        source = tmp_path / "ucp.c"
        source.write_text("void ucp_get_version(unsigned *a, unsigned *b, unsigned *c) {"
                          f"*a = {version[0]}; *b = {version[1]}; *c = {version[2]}; }}\n")
        (tmp_path / "lib").mkdir()
        for name in ("libucm", "libucs", "libuct", "libucp"):
            file = f"{name}{suffix}.so.0"
            subprocess.run(["g++", "-x", "c", "-shared", "-fPIC", f"-Wl,-soname,{file}", source,
                            "-o", tmp_path / "lib" / file], check=True)
        return tmp_path

    return make


def test_wheel_is_the_default(used):
    path, version, reason = used()
    assert (path.parent, reason) == (WHEEL / "lib", "the wheel libucx")
    assert version >= (1, 19)


def test_system_is_used_when_asked_for(used):
    path, version, reason = used(UCXX_UCX="system", UCX_MEM_MMAP_HOOK_MODE="none")
    assert WHEEL not in path.parents
    assert version >= (1, 13)
    assert "UCXX_UCX=system" in reason


def test_system_is_used_where_there_is_no_wheel(used):
    without = "import sys; sys.modules['libucx'] = None\n"
    path, _, reason = used(without + IMPORT, UCX_MEM_MMAP_HOOK_MODE="none")
    assert WHEEL not in path.parents
    assert "not installed" in reason


def test_prefix_is_used_when_asked_for(used):
    path, _, reason = used(UCXX_UCX=str(WHEEL))
    assert (path.parent, reason) == (WHEEL / "lib", f"by UCXX_UCX={WHEEL}")


def test_ucx_that_is_there_is_used(used, load_mpi):
    first, folder = load_mpi
    path, version, reason = used(first + IMPORT)
    assert (path.parent, reason) == (folder, "was in this process already")
    assert version[:2] == (1, 20)


def test_ucx_that_libucx_has_loaded_is_used(used):
    path, _, reason = used("import libucx; libucx.load_library()\n" + IMPORT)
    assert (path.parent, reason) == (WHEEL / "lib", "was in this process already")


def test_who_comes_later_gets_the_same(used, load_mpi):
    path, _, _ = used("import ucxx.core\n" + load_mpi[0] + IMPORT)
    assert path.parent == WHEEL / "lib"


@pytest.mark.parametrize("choice", ["wheel", "system"])
def test_messages_travel_by_older_ones_than_it_was_compiled_with(used, choice):
    used(IMPORT + MESSAGE, UCXX_UCX=choice, UCXX_LOCAL="off", UCX_MEM_MMAP_HOOK_MODE="none")


def test_messages_travel_by_the_ucx_of_an_mpi(used, load_mpi):
    # UCX 1.20 reaches nobody by the loopback alone.
    used(load_mpi[0] + IMPORT + MESSAGE, UCXX_LOCAL="off", UCX_NET_DEVICES="all")


@pytest.mark.parametrize("choice", ["wheel", str(WHEEL)])
def test_other_ucx_than_the_wanted_is_refused(refused, load_mpi, choice):
    first, folder = load_mpi
    words = refused(first + IMPORT, UCXX_UCX=choice)
    assert words.startswith(f"UCXX_UCX={choice}, but another UCX is in this process already")
    assert f"\n  {folder}/libucp.so.0\n" in words
    assert "Two ways out: import ucxx.core before" in words


def test_wheel_is_refused_where_the_system_is_wanted(refused):
    words = refused("import libucx; libucx.load_library()\n" + IMPORT, UCXX_UCX="system")
    assert words.startswith("UCXX_UCX=system, but another UCX")


def test_mixture_is_refused(refused, load_mpi):
    first, folder = load_mpi
    words = refused(f"{first}import contextlib, libucx\n"
                    f"with contextlib.suppress(OSError): libucx.load_library()\n{IMPORT}")
    assert words.startswith("Parts of more than one UCX are in this process")
    assert f"\n  {folder}/libucs.so.0\n" in words
    assert f"\n  {WHEEL}/lib/libucs.so\n" in words


def test_half_a_ucx_is_refused(refused):
    half = f"import ctypes; ctypes.CDLL({str(WHEEL / 'lib/libucs.so.0')!r})\n"
    assert refused(half + IMPORT).startswith("UCX is in this process without libucp, libuct.")


def test_too_old_one_is_refused(refused, make_ucx):
    words = refused(UCXX_UCX=str(make_ucx((1, 12, 1))))
    assert words.startswith("UCX 1.12.1 is too old: 1.13 is the oldest supported")
    assert "/lib/libucp.so.0\n" in words


@pytest.mark.parametrize(("choice", "words"), [
    ("/nowhere", "UCXX_UCX=/nowhere: there is no lib/libucp.so.0"),
    ("rdma", "UCXX_UCX=rdma: must be auto, wheel, system or an absolute path"),
])
def test_choice_that_is_none_is_refused(refused, choice, words):
    assert refused(UCXX_UCX=choice).startswith(words)


def test_wheel_that_is_not_installed_is_missed(refused):
    words = refused("import sys; sys.modules['libucx'] = None\n" + IMPORT, UCXX_UCX="wheel")
    assert words.startswith("UCXX_UCX=wheel: libucx is not installed")


def test_broken_ucx_is_told(refused, make_ucx):
    prefix = make_ucx((1, 22, 0))
    (prefix / "lib/libuct.so.0").write_text("no library")
    assert refused(UCXX_UCX=str(prefix)).startswith("UCX cannot be loaded: ")


def test_foreign_package_in_the_same_folder_is_refused(refused, tmp_path):
    ours = pathlib.Path(ucxx.__file__).parent
    (tmp_path / "ucxx/_lib").mkdir(parents=True)
    for entry in ours.iterdir():
        (tmp_path / "ucxx" / entry.name).symlink_to(entry)
    words = refused(PYTHONPATH=str(tmp_path))
    assert words.startswith(f"{tmp_path}/ucxx holds two packages of the name ucxx")


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_other_platforms_are_told_where_to_go(monkeypatch, platform):
    monkeypatch.setattr(sys, "platform", platform)
    with pytest.raises(ImportError, match="WSL2.*Docker"):
        load.__wrapped__()


def test_import_is_modest(run_python):
    status, said = run_python("""
import os, sys
before = dict(os.environ)
import ucxx.core
assert os.environ == before
assert not {"numpy", "importlib.metadata"} & set(sys.modules), sorted(sys.modules)
""")
    assert status == 0, said


def test_renamed_copies_are_not_in_our_way(used, make_ucx):
    copy = make_ucx((1, 12, 0), suffix="-0a1b2c3d") / "lib/libucp-0a1b2c3d.so.0"
    path, _, _ = used(f"import ctypes; ctypes.CDLL({str(copy)!r})\n" + IMPORT)
    assert path.parent == WHEEL / "lib"


def test_environment_is_as_before(run_python):
    # Also C's, from which UCX is told how to start.
    code = """
import ctypes
import os

getenv = ctypes.CDLL(None).getenv
getenv.restype = ctypes.c_char_p
before = dict(os.environ)
import ucxx.core
assert os.environ == before
assert getenv(b"UCX_MEM_MMAP_HOOK_MODE") is None, getenv(b"UCX_MEM_MMAP_HOOK_MODE")
"""
    without = "import os; os.environ.pop('UCX_MEM_MMAP_HOOK_MODE', None)\n"
    status, said = run_python(without + code)
    assert status == 0, said


# Forks children that import the package, each interrupted at another call of a Python function.
INTERRUPTED = """
import asyncio, ctypes, enum, logging, os, signal, sys, typing, weakref

signal.alarm(45)
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it

def interrupted(at):
    def profile(frame, event, argument):
        nonlocal at
        at -= 1
        # Of a weak reference (importlib's), and of a generator that is dropped: they have no caller.
        # importlib's `get_data` leaves a file open that it has opened and not entered yet.
        if at <= 0 and frame.f_code.co_name not in ("cb", "<genexpr>", "get_data"):
            sys.setprofile(None)
            signal.raise_signal(signal.SIGINT)

    sys.setprofile(profile)
    try:
        import ucxx.core
        return 1  # it was over before
    except KeyboardInterrupt:
        import ucxx
        ucxx.core.UCXWorker(ucxx.core.UCXContext())
        return 0

for at in range(1, 100_000, 797):
    child = os.fork()
    if child == 0:
        os._exit(interrupted(at))
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == 1:
        break
    assert status == 0, (at, status)
print("each", at > 5000)
"""


def test_interrupt_of_the_import_is_raised_as_such_and_the_next_import_works(run_python):
    assert run_python(INTERRUPTED) == (0, "each True\n")


def test_interrupt_of_an_import_that_fails_is_no_import_error(run_python):
    status, said = run_python(
        "import signal, sys; from ucxx._process.load import without_interrupts\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "handler = signal.getsignal(signal.SIGINT)\n"
        "try:\n"
        "    with without_interrupts():\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "        raise ImportError\n"
        "except KeyboardInterrupt:\n"
        "    print(signal.getsignal(signal.SIGINT) is handler)"
    )
    assert (status, said) == (0, "True\n")
