# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Compiles the kernels in C: `python -m ucxx.benchmarks.prk.programs KERNEL MODEL` prints a path.

`oshrun -n 4 $(python -m ucxx.benchmarks.prk.programs stencil shmem) 10 1000 2`
"""

from __future__ import annotations

import hashlib
import os
import pathlib
import subprocess
import tempfile

import click

from ucxx.benchmarks.prk import KERNELS, is_there
from ucxx.benchmarks.prk.tools import Missing, Tools, find

_SOURCES = pathlib.Path(__file__).parent / "c"
# A loop of some instructions takes half as long again where it lies in two lines of the cache: no model is to
# win by that.
_OPTIONS = ("-std=gnu11", "-O3", "-march=native", "-falign-loops=32")


class CompileError(Exception):
    """The compiler has failed, or its program cannot be written; the text is what was said."""


def compiled(kernel: str, tools: Tools) -> str:
    """Return the path of the program of a kernel, which is compiled where that was not done before.

    Raises:
        Missing: there is no compiler, or no such program. CompileError: it has failed.
    """
    if not is_there(kernel, "c", tools.model):
        raise Missing(f"{kernel} in C is there over OpenSHMEM alone")
    compiler = tools.compiler
    program = _folder() / f"{kernel}-{tools.model}-{_key(compiler)}"
    if not program.exists():
        try:
            _make(program, [compiler, *_OPTIONS, *_inputs(kernel, tools.model), "-lm"])
        except OSError as error:
            raise CompileError(f"{error.filename}: {error.strerror}") from error
    return str(program)


def _make(program: pathlib.Path, command: list[str]) -> None:
    program.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=program.parent) as folder:
        made = os.path.join(folder, "program")
        _compile([*command, "-o", made])
        os.replace(made, program)  # others may do the same


def _folder() -> pathlib.Path:
    """Return the folder of UCXX for what can be made again."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return pathlib.Path(home, "ucxx", "prk")


def _key(compiler: str) -> str:
    """Return a hash of all that a program is made of."""
    key = hashlib.sha256()
    for path in sorted(_SOURCES.rglob("*.[ch]")):
        key.update(path.relative_to(_SOURCES).as_posix().encode())
        key.update(path.read_bytes())
    for text in (compiler, *_OPTIONS, _version(compiler), _processor()):
        key.update(text.encode() + b"\0")
    return key.hexdigest()[:16]


def _version(compiler: str) -> str:
    words = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False)
    return words.stdout


def _processor() -> str:
    """Return what -march=native depends on: homes are shared by machines."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next((line for line in file if line.startswith(("flags", "Features"))), "")
    except OSError:
        return ""


def _inputs(kernel: str, model: str) -> tuple[str, ...]:
    return f"-I{_SOURCES / model}", f"-I{_SOURCES}", str(_SOURCES / f"{kernel}.c")


def _compile(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CompileError(f"{' '.join(command)}: {done.stderr.strip()}")


@click.command(name="programs")
@click.argument("kernel", type=click.Choice(tuple(KERNELS)))
@click.argument("model", type=click.Choice(("shmem", "mpi")))
def _command(kernel: str, model: str) -> None:
    """Compile a kernel in C, and print where the program is."""
    try:
        click.echo(compiled(kernel, find(model)))
    except (Missing, CompileError) as error:
        raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    _command()
