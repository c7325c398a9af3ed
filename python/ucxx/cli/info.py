# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx info`: which UCXX and which UCX run here, and over what."""

from typing import Any

import click
from rich.table import Table
from rich.text import Text

from ucxx.cli import SETTINGS, facts, output


@click.command(name="info", context_settings=SETTINGS)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def command(as_json: bool) -> None:
    """Show which UCXX and which UCX run here, and what they can use."""
    found = facts.gather()
    if as_json:
        output.print_json(found)
    else:
        output.console().print(_table(found))


def _table(found: dict[str, Any]) -> Table:
    table = Table(show_header=False, box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, lines in _rows(found):
        table.add_row(name, Text("\n".join(lines) or "none"))
    return table


def _rows(found: dict[str, Any]) -> list[tuple[str, list[str]]]:
    """Return (name, lines) of each row."""
    package, used, python = found["ucxx"], found["ucx"], found["python"]
    width = max(map(len, found["transports"]), default=0)
    return [
        ("UCXX", [package["version"], package["path"]]),
        ("UCX", [f"{used['version']}, {used['reason']}", used["path"]]),
        ("Python", [f"{python['implementation']} {python['version']}"]),
        ("Features", [", ".join(found["features"])]),
        (
            "Transports",
            [
                f"{name:<{width}}  {', '.join(devices)}"
                for name, devices in found["transports"].items()
            ],
        ),
        ("CUDA", ["yes" if found["cuda"] else "no"]),
        ("Environment", [f"{name}={value}" for name, value in found["environment"].items()]),
    ]
