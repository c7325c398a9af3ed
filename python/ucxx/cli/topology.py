# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx topology`: which cores, GPUs and network cards a machine has, and what lies between them."""

from __future__ import annotations

import pathlib
import sys

import click
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from ucxx.cli import SETTINGS, output, pictures
from ucxx.topology import jsons, picture, reading, text
from ucxx.topology.machine import Machine, TopologyError

_WIDEST = 100_000  # columns, no terminal has as many


@click.command(
    name="topology",
    short_help="Show the cores, GPUs and cards of a machine.",
    context_settings=SETTINGS,
)
@click.option(
    "--file",
    "source",
    type=click.Path(path_type=pathlib.Path),
    metavar="FILE",
    help="What describes another machine: a file that lstopo (XML), nvidia-smi topo -m or this command (JSON) has"
    " written, or a folder with a copy of /sys. Without it: this machine.",
)
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=pathlib.Path),
    metavar="FILE",
    help="Where to draw the machine: a name that ends in .png, .svg or .pdf.",
)
@click.option("--json", "as_json", is_flag=True, help="As JSON, which --file reads.")
def command(source: pathlib.Path | None, plot: pathlib.Path | None, as_json: bool) -> None:
    """Show which cores, GPUs and network cards a machine has, and what lies between them.

    A line a GPU: its nearest cards, its CPUs, and its links. NV2:3,4 is two NVLinks to GPU 3 and two to GPU 4, all
    is every other GPU; PIX, PXB, PHB, NODE and SYS are ways over PCIe, from the nearest to the farthest.
    """
    if plot is not None:
        pictures.check(plot)
    machine = _read(source)
    if plot is not None:
        pictures.draw(plot, picture.save, machine)
    if as_json:
        output.print_json(jsons.to_json(machine))
    else:
        _show(machine)


def _read(source: pathlib.Path | None) -> Machine:
    try:
        return reading.read(source)
    except TopologyError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{source or error.filename}: {error.strerror}") from error


def _show(machine: Machine) -> None:
    """Print tables into a terminal that is wide enough, else lines, which are never broken."""
    console = Console(highlight=False)
    tables = [_table(section) for section in text.sections(machine)]
    if not sys.stdout.isatty() or max(map(_width, tables)) > console.width:
        click.echo(text.describe(machine), nl=False)
        return
    console.print(Text(text.heading(machine)))
    for section, table in zip(text.sections(machine), tables, strict=True):
        console.print()
        if section.rows:
            console.print(table)
        if section.missing:
            console.print(section.missing)


def _width(table: Table) -> int:
    wide = Console(width=_WIDEST)
    return Measurement.get(wide, wide.options, table).maximum


def _table(section: text.Section) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for title in section.titles:
        table.add_column(title, no_wrap=True)
    for row in section.rows:
        table.add_row(*map(Text, row))
    return table
