# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx shmem`: other OpenSHMEM libraries under `ucxx.shmem`."""

from __future__ import annotations

import pathlib
import re
import shlex
from collections import Counter
from collections.abc import Iterator

import click
from rich.table import Table
from rich.text import Text

from ucxx._shmem_adapters import chosen, kept, making
from ucxx._shmem_adapters.functions import functions, standard
from ucxx.cli import SETTINGS, output

# What of ucxx.shmem no adapter can make of other functions.
_IN_PYTHON = {
    "shmem_team_split_strided": "Team.split_strided",
    "shmem_team_split_2d": "Team.split_2d",
    "shmem_team_ptr": "Team.ptr",
    "shmem_int32_sum_inscan": "sum_inscan",
    "shmem_int32_sum_exscan": "sum_exscan",
}


@click.group(
    name="shmem",
    short_help="Use ucxx.shmem over another OpenSHMEM library.",
    context_settings=SETTINGS,
)
def command() -> None:
    """Use ucxx.shmem over another OpenSHMEM library.

    An adapter is compiled once, by the library's own oshcc. The environment variable UCXX_SHMEM then
    names it, and the library's own launcher starts the job:

    \b
      python -m ucxx shmem adapt --oshcc /opt/sandia/bin/oshcc
      UCXX_SHMEM=sandia /opt/sandia/bin/oshrun -n 2 python program.py
    """


@command.command(context_settings=SETTINGS)
@click.option(
    "--oshcc",
    default="oshcc",
    show_default=True,
    metavar="PROGRAM",
    help="The library's compiler for C: a path, or a name that PATH knows.",
)
@click.option("--name", metavar="NAME", help="What UCXX_SHMEM shall call it. Without it: after the library.")
@click.option(
    "--launcher",
    metavar="COMMAND",
    help="What starts a job, with its options but the number of PEs. Without it: the oshrun beside oshcc.",
)
def adapt(oshcc: str, name: str | None, launcher: str | None) -> None:
    """Make an adapter to a library of OpenSHMEM 1.4 or newer.

    It is kept in ~/.cache/ucxx/shmem, and replaces one of the same name. Make it anew when the library
    is moved or updated. To remove it, remove its two files.
    """
    try:
        adapter = making.adapt(oshcc, name, _words(launcher))
    except making.AdaptError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{adapter.path}: {_library_of(adapter)}")
    if adapter.launcher:
        click.echo(f"UCXX_SHMEM={adapter.name} {shlex.join(adapter.launcher)} -n 2 python program.py")
    else:
        click.echo("There is no oshrun beside the compiler: give --launcher, such as srun, for tests and tables.")


def _words(launcher: str | None) -> list[str] | None:
    try:
        return shlex.split(launcher) if launcher else None
    except ValueError as error:
        raise click.BadParameter(f"{launcher!r}: {error}", param_hint="--launcher") from None


@command.command(name="list", context_settings=SETTINGS)
def list_all() -> None:
    """List the adapters. The star marks the one that UCXX_SHMEM names."""
    current = _chosen_path()
    table = Table("", "UCXX_SHMEM", "library", "OpenSHMEM", "launcher", box=None, pad_edge=False)
    table.add_row("*" if current is None else "", chosen.OWN, "UCXX's own", "1.6", "oshrun")
    for path in kept.paths():
        table.add_row("*" if str(path) == current else "", path.stem, *map(Text, _columns(path)))
    output.console().print(table)


def _columns(path: pathlib.Path) -> tuple[str, str, str]:
    try:
        adapter = kept.read(path)
    except ImportError:
        return "make it anew: nothing is known of it", "", ""
    return adapter.vendor, ".".join(map(str, adapter.version)), shlex.join(adapter.launcher)


@command.command(short_help="Tell about one, and what its library lacks.", context_settings=SETTINGS)
@click.argument("name", required=False)
def info(name: str | None) -> None:
    """Tell about an adapter, by its name or path; about the one that UCXX_SHMEM names if none is given."""
    path = _chosen_path(name)
    if path is None:
        click.echo("UCXX's own library, of OpenSHMEM 1.6: lacks nothing")
        return
    try:
        adapter = kept.read(pathlib.Path(path))
    except ImportError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{adapter.path}: {_library_of(adapter)}")
    click.echo(f"compiler: {adapter.oshcc}")
    click.echo(f"launcher: {shlex.join(adapter.launcher) or 'none is known'}")
    lacks = set(adapter.lacks)
    calls = [*(name for function, name in _IN_PYTHON.items() if function in lacks),
             "init(rank, size, allgather)"]  # fmt: skip
    click.echo(f"NotImplementedError in ucxx.shmem: {', '.join(calls)}")
    click.echo("missing in ucxx.shmem.c:" + ("" if lacks else " nothing"))
    for line in _missing_in_c(lacks):
        click.echo(f"  {line}")


def _library_of(adapter: kept.Adapter) -> str:
    return f"{adapter.vendor}, OpenSHMEM {adapter.version[0]}.{adapter.version[1]}"


def _chosen_path(name: str | None = None) -> str | None:
    """Return the path of an adapter, of the one that UCXX_SHMEM names if none is given; None: UCXX's own."""
    try:
        return chosen.chosen_path() if name is None else chosen.path_of(name)
    except ImportError as error:
        raise click.ClickException(str(error)) from None


def _missing_in_c(lacks: set[str]) -> Iterator[str]:
    """Yield functions, with TYPE for those of all types, each once, and how many of its types are missing."""
    known = functions()
    patterns = {function.name: re.sub(r"<\w+>", "TYPE", function.pattern).partition("(")[0].split()[-1]
                for function in known.values()}
    all_of_them = Counter(patterns[function.name] for function in standard())
    missing = Counter(patterns[name] for name in sorted(lacks) if name in patterns)
    for pattern, count in missing.items():
        some = f"   ({count} of {all_of_them[pattern]})" if count < all_of_them[pattern] else ""
        yield f"{pattern}{some}"
