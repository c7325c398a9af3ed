# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The programs that are compared: `ucxx.shmem`, C, `shmem4py` and `mpi4py`, each under its launcher."""

from __future__ import annotations

import dataclasses
import pathlib
import subprocess
from collections.abc import Sequence

from ucxx.benchmarks.prk import tools
from ucxx.benchmarks.prk.tools import Missing

TITLES = {"ucxx": "ucxx.shmem", "c": "C", "shmem4py": "shmem4py", "mpi4py": "mpi4py"}
NAMES = tuple(TITLES)
FIRST = NAMES[0]  # the others are compared with it

_SOURCE = pathlib.Path(__file__).with_name("calls.c")
_OPTIONS = ("-std=gnu11", "-O3")
_MODULES = {"ucxx": "ucxx.shmem", "shmem4py": "shmem4py.shmem", "mpi4py": "mpi4py"}
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
        name: of NAMES.
        tools: what starts its programs.
        program: the command that measures; MS REPEATS FIGURE:BYTES... follow.
        hello: the command of a job that starts and ends.
    """

    name: str
    tools: tools.Tools
    program: Sequence[str]
    hello: Sequence[str]


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
    found = tools.find("mpi" if name == "mpi4py" else "shmem", folder)
    if name == "c":
        program = _compiled(found.compiler, scratch / "calls")
        return Way(name, found, (program,), (program, "1", "1"))
    _check_installed(name, found.python)
    python = [found.python, "-B"]
    if name == "mpi4py":
        python += ["-m", "mpi4py"]  # a rank that fails ends the job
    start, call = _STARTS[name]
    module = (*python, "-m", f"{__package__}.program", _MODULES[name])
    return Way(name, found, module, (*python, "-c", _HELLO.format(start, call)))


def _compiled(compiler: str, program: pathlib.Path) -> str:
    command = [compiler, *_OPTIONS, str(_SOURCE), "-o", str(program)]
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
