# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""What the kernels compute, with NumPy and with Numba: a module for each."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

import click

LANGUAGES = ("numpy", "numba")


def missing(language: str) -> str | None:
    """Return what is not installed for a language, or None."""
    names = dict.fromkeys(("numpy", language))
    absent = [name for name in names if importlib.util.find_spec(name) is None]
    return f"{absent[0]} is not installed" if absent else None


def loops(kernel: str, language: str) -> Any:
    """Return the module of a kernel.

    Raises:
        click.ClickException: NumPy or Numba is not installed.
    """
    why = missing(language)
    if why is not None:
        raise click.ClickException(f"--language {language}: {why}: pip install {language}")
    return importlib.import_module(f"{__name__}.{kernel}_{language}")


def nothing(grid: Any, memory: Any, row: int, step: int) -> None:
    """Neither receive nor send: there is no neighbour."""
