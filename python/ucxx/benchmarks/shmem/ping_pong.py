# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""The ping-pong over size: its lines, and the programs that measure them."""

from __future__ import annotations

import functools
import pathlib
import shutil
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from ucxx.benchmarks.prk import tools
from ucxx.benchmarks.prk.tools import Missing
from ucxx.benchmarks.shmem import libraries, ways
from ucxx.benchmarks.shmem.launcher import Alone
from ucxx.benchmarks.shmem.ways import Way

SHMEM, MESSAGES, PUTS, COPY = "OpenSHMEM", "MPI Send/Recv", "MPI Put", "memcpy"


class Line(NamedTuple):
    """What is measured over size, and by which figure of which way.

    Attributes:
        model: what moves the bytes.
        language: what calls it.
        library: of OpenSHMEM.
    """

    figure: str
    way: str
    model: str
    language: str
    library: str = ""

    @property
    def title(self) -> str:
        """Return it in words."""
        return COPY if self.model == COPY else f"{self.library or self.model}, {self.language}"


_LIBRARIES = [
    Line("ping_pong", name, SHMEM, "C", known.title) for name, known in libraries.KNOWN.items()
]
LINES = (
    _LIBRARIES[0],
    Line("ping_pong", "numba", SHMEM, "Numba", _LIBRARIES[0].library),
    Line("ping_pong", "ucxx", SHMEM, "Python", _LIBRARIES[0].library),
    *_LIBRARIES[1:],
    Line("ping_pong", "mpi", MESSAGES, "C"),
    Line("ping_pong", "mpi4py", MESSAGES, "Python"),
    Line("ping_pong_rma", "mpi", PUTS, "C"),
    Line("ping_pong_rma", "mpi4py", PUTS, "Python"),
    Line("ping_pong_memcpy", "memcpy", COPY, "C"),
)
NAMES = tuple(dict.fromkeys(line.way for line in LINES))
TITLES = {
    **{name: f"C over {known.title}" for name, known in libraries.KNOWN.items()},
    "ucxx": "ucxx.shmem",
    "numba": "Numba",
    "mpi": "C over MPI",
    "mpi4py": "mpi4py",
    "memcpy": "memcpy",
}


def lines_of(rows: Iterable[dict[str, Any]]) -> dict[Line, dict[int, dict[str, Any]]]:
    """Return the rows of each line that was measured, by bytes."""
    found = {(row["figure"], row["way"], row["bytes"]): row for row in rows}
    sizes = sorted({size for _, _, size in found})
    lines = {
        line: {size: found[key] for size in sizes if (key := (line.figure, line.way, size)) in found}
        for line in LINES
    }
    return {line: by_size for line, by_size in lines.items() if by_size}


def find(name: str, mpi_folder: str | None, scratch: pathlib.Path) -> Way:
    """Return a way.

    Args:
        name: of NAMES.
        mpi_folder: where mpiexec and mpicc are, None for the usual places; that of a virtual environment
            also has its Python.
        scratch: where a program may be compiled.

    Raises:
        Missing: it cannot be measured; the text says why.
    """
    finders: dict[str, Callable[[], Way]] = {
        "ucxx": functools.partial(ways.in_python, "ucxx"),
        "numba": functools.partial(ways.in_python, "numba"),
        "mpi": functools.partial(_mpi, mpi_folder, scratch),
        "mpi4py": functools.partial(ways.in_python, "mpi4py", mpi_folder),
        "memcpy": functools.partial(_memcpy, scratch),
    }
    return finders.get(name, functools.partial(_library, name, scratch))()


def _library(name: str, scratch: pathlib.Path) -> Way:
    found = libraries.KNOWN[name].find()
    program = ways.compiled("ping_pong", "shmem", found.compiler, scratch / name)
    return Way(name, found.launcher, (program,), environment=found.environment)


def _mpi(folder: str | None, scratch: pathlib.Path) -> Way:
    found = tools.find("mpi", folder)
    return Way("mpi", found, (ways.compiled("ping_pong", "mpi", found.compiler, scratch / "mpi"),))


def _memcpy(scratch: pathlib.Path) -> Way:
    compiler = shutil.which("cc")
    if compiler is None:
        raise Missing("there is no cc in the PATH")
    program = ways.compiled("ping_pong", "alone", compiler, scratch / "memcpy")
    return Way("memcpy", Alone(), (program,))
