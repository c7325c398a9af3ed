# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The OpenSHMEM libraries over which the same program in C is measured."""

from __future__ import annotations

import dataclasses
import functools
import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence

from ucxx._shmem_adapters import kept
from ucxx.benchmarks.prk import tools
from ucxx.benchmarks.prk.tools import Missing
from ucxx.benchmarks.shmem.launcher import Launcher

# Bytes. The heap of Open MPI's library has 256 MiB otherwise, which is all that a transfer may take.
_HEAP = 1 << 29


@dataclasses.dataclass(frozen=True)
class Library:
    """An OpenSHMEM library.

    Attributes:
        launcher: what starts its programs.
        compiler: the path of its oshcc.
        environment: that of its launcher.
    """

    launcher: Launcher
    compiler: str
    environment: Mapping[str, str]


@dataclasses.dataclass(frozen=True)
class Known:
    """A library that may be here.

    Attributes:
        title: in words.
        find: returns it, or raises Missing, whose text says what is missing.
    """

    title: str
    find: Callable[[], Library]


def _ucxx() -> Library:
    found = tools.find("shmem")
    return Library(found, found.compiler, tools.environment())


def _open_mpi() -> Library:
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        if shutil.which("oshrun", path=folder):
            found = tools.find("shmem", folder)
            if "OpenRTE" in found.version or "Open MPI" in found.version:
                return Library(found, found.compiler, _environment())
    raise Missing("there is no oshrun of Open MPI in the PATH")


def _environment() -> dict[str, str]:
    """Return an environment without settings of UCX, which are for UCXX: this library has another UCX."""
    found = {name: value for name, value in tools.environment().items() if not name.startswith("UCX_")}
    return {"SHMEM_SYMMETRIC_SIZE": str(_HEAP), **found}


@dataclasses.dataclass(frozen=True)
class _AdapterLauncher:
    """What starts the programs of a library that has an adapter."""

    adapter: kept.Adapter

    @functools.cached_property
    def version(self) -> str:
        """What it says of itself, in one line."""
        return tools.Tools("shmem", self.adapter.launcher[0], sys.executable).version

    def command(self, pes: int, program: Sequence[str], bind: bool) -> list[str]:
        """Return the command that runs a program: places are those that the launcher gives."""
        return [*self.adapter.launcher, "-n", str(pes), *program]


def _adapted(adapter: kept.Adapter) -> Library:
    for program in (adapter.launcher[0], adapter.oshcc):
        if shutil.which(program) is None:
            raise Missing(f"there is no {program}")
    return Library(_AdapterLauncher(adapter), adapter.oshcc, _environment())


def _adapters() -> dict[str, Known]:
    """Return the libraries that have an adapter, but Open MPI's of the PATH, which has a line of its own."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    in_path = {os.path.realpath(os.path.join(folder, "oshcc")) for folder in folders}
    return {
        adapter.name: Known(adapter.name, functools.partial(_adapted, adapter))
        for adapter in kept.adapters()
        if adapter.launcher and os.path.realpath(adapter.oshcc) not in in_path
    }


#: By the name of the way. A library that is added here has its line in each table and picture.
KNOWN: dict[str, Known] = {
    "c": Known("UCXX", _ucxx),
    "oshmem": Known("Open MPI's OSHMEM", _open_mpi),
}
KNOWN |= {name: known for name, known in _adapters().items() if name not in KNOWN}
