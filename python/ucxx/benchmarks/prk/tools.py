# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The compilers and launchers of the programming models."""

from __future__ import annotations

import dataclasses
import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence

import ucxx
from ucxx._shmem_adapters import kept

_NAMES = {"shmem": ("oshrun", "oshcc"), "mpi": ("mpiexec", "mpicc")}
# Each PE prints its machine, and the processors on which it may run.
_PROBE = """
import os
with open("/proc/sys/kernel/random/boot_id") as file:
    print("on", file.read().strip(), *sorted(os.sched_getaffinity(0)), flush=True)
"""
_PROBE_S = 60

# Open MPI wants to hear twice that root may run programs. Its way for windows over UCX says of each
# start that it is disabled.
_ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_osc": "^ucx",
}


class Missing(Exception):
    """A tool is not there; the text says which, and where it was looked for."""


@dataclasses.dataclass(frozen=True)
class Tools:
    """What starts the programs of a model, and what compiles them.

    Attributes:
        model: "shmem" or "mpi".
        launcher: the path of oshrun or mpiexec.
        python: the interpreter of programs in Python.
    """

    model: str
    launcher: str
    python: str

    @property
    def compiler(self) -> str:
        """Return the path of oshcc or mpicc, that beside the launcher. Raises Missing."""
        name = _NAMES[self.model][1]
        beside = os.path.dirname(self.launcher)
        path = shutil.which(name, path=beside)
        if path is None:
            raise Missing(f"there is no {name} in {beside}")
        return path

    def command(self, pes: int, program: Sequence[str], bind: bool) -> list[str]:
        """Return the command that runs a program.

        Args:
            pes: how many.
            program: with its arguments.
            bind: whether each PE gets a processor of its own, of which there are enough.
        """
        return [self.launcher, "-n", str(pes), *self._options(bind), *program]

    def _options(self, is_bound: bool) -> tuple[str, ...]:
        where = "core" if is_bound else "none"
        if "(UCXX)" in self.version:
            return "--bind", where
        if "Open MPI" in self.version:
            window = ("--mca", "osc", "^rdma") if self.model == "shmem" else ()
            return "--bind-to", where, *window, *(() if is_bound else ("--oversubscribe",))
        return ("-bind-to", where) if self.model == "mpi" else ()

    @functools.cached_property
    def version(self) -> str:
        """What the launcher says of itself, in one line."""
        words = subprocess.run(
            [self.launcher, "--version"], capture_output=True, text=True, check=False
        ).stdout.split("\n")
        if "HYDRA" in words[0]:  # MPICH
            return "MPICH " + next((w.split()[-1] for w in words if "Version:" in w), "")
        return words[0].strip().replace("(OpenRTE)", "(Open MPI)")  # its launcher's name in Open MPI 4


@functools.cache
def processors(tools: Tools, pes: int) -> int | None:
    """Return how many processors so many PEs may use, on all machines on which they are started.

    None: the launcher has not started as many Python programs.
    """
    program = [tools.python, "-I", "-S", "-c", _PROBE]
    try:
        done = subprocess.run(
            tools.command(pes, program, bind=False),
            env=environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_PROBE_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = [line.split()[1:] for line in done.stdout.split("\n") if line.startswith("on ")]
    if len(lines) != pes:
        return None
    return len({(machine, number) for machine, *numbers in lines for number in numbers})


def environment() -> dict[str, str]:
    """Return the environment of launchers."""
    return {**_ENVIRONMENT, **os.environ}


def adapter_to(tools: Tools) -> kept.Adapter:
    """Return the adapter by which `ucxx.shmem` calls a library, that of the compiler of these tools.

    Raises:
        Missing: none was made.
    """
    compiler = os.path.realpath(tools.compiler)
    for adapter in kept.adapters():
        if os.path.realpath(adapter.oshcc) == compiler:
            return adapter
    raise Missing(
        f"there is no adapter to it: python -m ucxx shmem adapt --oshcc {tools.compiler} makes one"
    )


def find(model: str, folder: str | None = None) -> Tools:
    """Return the tools of a model.

    Args:
        model: "shmem" or "mpi".
        folder: where they are; None: beside the interpreter, in the build folder of this package, in
            the folders of PATH.

    Raises:
        Missing: the launcher is not there.
    """
    name = _NAMES[model][0]
    places = [folder] if folder else [_beside(), _build(), os.environ.get("PATH", os.defpath)]
    for place in places:
        path = shutil.which(name, path=place)
        if path is not None:
            return Tools(model, path, _python_in(folder))
    where = folder or "beside the interpreter, and none in the PATH"
    raise Missing(f"there is no {name} {'in ' if folder else ''}{where}")


def _beside() -> str:
    return os.path.dirname(sys.executable)


def _build() -> str:
    """Return where a build folder, of which this package is a part, has oshrun and oshcc."""
    package = os.path.dirname(os.path.abspath(ucxx.__file__))
    return os.path.join(os.path.dirname(os.path.dirname(package)), "src", "shmem")


def _python_in(folder: str | None) -> str:
    """Return the interpreter of a virtual environment; this one's, if the folder is of none."""
    is_virtual = folder and os.path.exists(os.path.join(folder, os.pardir, "pyvenv.cfg"))
    return os.path.join(folder, "python") if folder and is_virtual else sys.executable
