# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What the commands share to show things."""

import json
import os

import click
from rich.console import Console

# Where nobody says how wide the paper is: pipes and files.
_WIDTH = 110


def console() -> Console:
    """Return a console on standard output; not a terminal is wide enough for a table."""
    out = Console(highlight=False)
    if not out.is_terminal:
        out = Console(highlight=False, width=_WIDTH)
    return out


def print_json(thing: object) -> None:
    """Print an object as JSON."""
    click.echo(json.dumps(thing, indent=2))


def write_json(path: str | os.PathLike[str], thing: object) -> None:
    """Write an object as JSON into a file.

    Raises:
        click.ClickException: the file cannot be written.
    """
    try:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(thing, file, indent=2)
            file.write("\n")
    except OSError as error:
        raise click.ClickException(f"{path}: {error.strerror}") from error
