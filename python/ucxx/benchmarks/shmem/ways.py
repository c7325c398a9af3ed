# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The programs that are compared: `ucxx.shmem`, C, `shmem4py` and `mpi4py`, each under its launcher."""

from __future__ import annotations

import dataclasses
import pathlib
import subprocess
from collections.abc import Mapping, Sequence

from ucxx.benchmarks.prk import tools
from ucxx.benchmarks.prk.tools import Missing
from ucxx.benchmarks.shmem.launcher import Launcher

TITLES = {"ucxx": "ucxx.shmem", "c": "C", "shmem4py": "shmem4py", "mpi4py": "mpi4py"}
NAMES = tuple(TITLES)
FIRST = NAMES[0]  # the others are compared with it

_SOURCES = pathlib.Path(__file__).parent / "c"
_OPTIONS = ("-std=gnu11", "-O3")
# What a program has to import.
_MODULES = {"ucxx": "ucxx.shmem", "numba": "numba", "shmem4py": "shmem4py.shmem", "mpi4py": "mpi4py"}
# How a program begins to use each, and its first call.
_STARTS = {
    "ucxx": ("from ucxx import shmem", "shmem.my_pe()"),
    "shmem4py": ("from shmem4py import shmem", "shmem.my_pe()"),
    "mpi4py": ("from mpi4py import MPI", "MPI.COMM_WORLD.rank"),
}
_HELLO = """
import json, numpy, time
times = [time.perf_counter_ns()]
{}
times.append(time.perf_counter_ns())
me = {}
times.append(time.perf_counter_ns())
for name, end in (("import", times[1]), ("first_use", times[2])):
    line = {{"figure": name, "bytes": 0, "ns": [end - times[0]]}}
    me or print(json.dumps(line), flush=True)
"""


@dataclasses.dataclass(frozen=True)
class Way:
    """How a way is measured.

    Attributes:
        name: its name.
        launcher: what starts its programs.
        program: the command that measures; MS REPEATS FIGURE:BYTES... follow.
        hello: the command of a job that starts and ends, where that is measured.
        environment: that of its launcher.
    """

    name: str
    launcher: Launcher
    program: Sequence[str]
    hello: Sequence[str] = ()
    environment: Mapping[str, str] = dataclasses.field(default_factory=tools.environment)


def find(name: str, folder: str | None, scratch: pathlib.Path) -> Way:
    """Return a way.

    Args:
        name: of NAMES.
        folder: where its launcher is, None for the usual places; that of a virtual environment also
            has its Python.
        scratch: where a program may be compiled.

    Raises:
        Missing: it cannot be measured; the text says why.
    """
    if name != "c":
        return in_python(name, folder)
    found = tools.find("shmem", folder)
    program = compiled("calls", "shmem", found.compiler, scratch / name)
    return Way(name, found, (program,), (program, "1", "1"))


def in_python(name: str, folder: str | None = None) -> Way:
    """Return a way whose program is in Python, as `find` does; also "numba"."""
    found = tools.find("mpi" if name == "mpi4py" else "shmem", folder)
    _check_installed(name, found.python)
    python = [found.python, "-B"]
    if name == "mpi4py":
        python += ["-m", "mpi4py"]  # a rank that fails ends the job
    module = (*python, "-m", f"{__package__}.program", _MODULES[name])
    hello = (*python, "-c", _HELLO.format(*_STARTS[name])) if name in _STARTS else ()
    return Way(name, found, module, hello)


def compiled(source: str, model: str, compiler: str, program: pathlib.Path) -> str:
    """Compile a program in C; return its path.

    Args:
        source: its name in the folder `c`, without a suffix.
        model: the folder in there that has the headers of a model.
        compiler: its path.
        program: where it is written.

    Raises:
        Missing: the compiler is not there, or has failed.
    """
    includes = (f"-I{_SOURCES / model}", f"-I{_SOURCES}")
    command = [compiler, *_OPTIONS, *includes, str(_SOURCES / f"{source}.c"), "-o", str(program)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise Missing(f"{compiler}: {error.strerror}") from error
    if done.returncode != 0:
        raise Missing(f"{' '.join(command)}: {done.stderr.strip()}")
    return str(program)


def _check_installed(name: str, python: str) -> None:
    for package in ("numpy", _MODULES[name].partition(".")[0]):
        code = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({package!r}) is None)"
        if subprocess.run([python, "-c", code], check=False, capture_output=True).returncode != 0:
            raise Missing(f"{package} is not installed")
