# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""Pictures that commands draw."""

import pathlib
from collections.abc import Callable
from typing import Any

import click


def check(path: pathlib.Path) -> None:
    """See that a picture can be drawn there: what is wrong shows before anything is measured.

    Raises:
        click.BadParameter: for the path. click.ClickException: matplotlib is not installed.
    """
    if path.suffix not in (".png", ".svg", ".pdf"):
        raise click.BadParameter(
            f"{path}: a name that ends in .png, .svg or .pdf", param_hint="--plot"
        )
    if not path.absolute().parent.is_dir():
        raise click.BadParameter(f"{path}: there is no such folder", param_hint="--plot")
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise click.ClickException("drawing needs matplotlib: pip install matplotlib") from error


def draw(path: pathlib.Path, function: Callable[..., None], *args: Any) -> None:
    """Call `function(*args, path)`. Raises click.ClickException where the file cannot be written."""
    try:
        function(*args, path)
    except (OSError, ValueError) as error:
        raise click.ClickException(f"{path}: {error}") from error
