# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx shmem`: other OpenSHMEM libraries under `ucxx.shmem`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable
from typing import TypeVar

import click
from rich.table import Table
from rich.text import Text

from ucxx._shmem_adapters import chosen, kept, making
from ucxx._shmem_adapters.functions import functions
from ucxx.cli import SETTINGS, output

_T = TypeVar("_T")


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

    It is kept in ~/.cache/ucxx/shmem. Make it anew when the library is moved or updated.
    """
    try:
        adapter = making.adapt(oshcc, name, shlex.split(launcher) if launcher else None)
    except making.AdaptError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{adapter.path}: {_library_of(adapter)}")
    click.echo(f"UCXX_SHMEM={adapter.name} {shlex.join(adapter.launcher)} -n 2 python program.py")


@command.command(name="list", context_settings=SETTINGS)
def list_all() -> None:
    """List the adapters. The star marks the one that UCXX_SHMEM names."""
    table = Table("", "UCXX_SHMEM", "library", "OpenSHMEM", "launcher", box=None, pad_edge=False)
    current = _chosen()
    table.add_row("*" if current is None else "", chosen.OWN, "UCXX's own", "1.6", "oshrun")
    adapters = _known(kept.adapters)
    for adapter in adapters:
        mark = "*" if current is not None and current.path == adapter.path else ""
        table.add_row(mark, adapter.name, Text(adapter.vendor), ".".join(map(str, adapter.version)),
                      Text(shlex.join(adapter.launcher)))
    output.console().print(table)


@command.command(short_help="Tell about one, and what its library lacks.", context_settings=SETTINGS)
@click.argument("name", required=False)
def info(name: str | None) -> None:
    """Tell about an adapter, and what its library lacks; about the one that UCXX_SHMEM names if none is given."""
    if name in (None, chosen.OWN) and (name or _chosen() is None):
        click.echo("UCXX's own library, of OpenSHMEM 1.6: lacks nothing")
        return
    adapter = _chosen() if name is None else _of_name(name)
    assert adapter is not None
    click.echo(f"{adapter.path}: {_library_of(adapter)}")
    click.echo(f"compiler: {adapter.oshcc}")
    click.echo(f"launcher: {shlex.join(adapter.launcher)}")
    lacks = list(_patterns(adapter.lacks))
    click.echo("lacks, of the C functions of OpenSHMEM 1.6:" + ("" if lacks else " nothing"))
    for pattern in lacks:
        click.echo(f"  {pattern}")


def _library_of(adapter: kept.Adapter) -> str:
    return f"{adapter.vendor}, OpenSHMEM {adapter.version[0]}.{adapter.version[1]}"


def _of_name(name: str) -> kept.Adapter:
    adapters = {adapter.name: adapter for adapter in _known(kept.adapters)}
    if name not in adapters:
        raise click.ClickException(f"{name!r}: there is no such adapter; there are: "
                                   f"{', '.join([chosen.OWN, *adapters])}")
    return adapters[name]


def _chosen() -> kept.Adapter | None:
    return _known(chosen.chosen)


def _known(ask: Callable[[], _T]) -> _T:
    """Return what a function of adapters returns; its ImportError ends the command with one line."""
    try:
        return ask()
    except ImportError as error:
        raise click.ClickException(str(error)) from None


def _patterns(names: Iterable[str]) -> Iterable[str]:
    """Return functions, with TYPE for those of all types, each once."""
    known = {function.name: function for function in functions().values()}
    return dict.fromkeys(re.sub(r"<\w+>", "TYPE", known[name].pattern).split("(")[0].split()[-1]
                         for name in names)
