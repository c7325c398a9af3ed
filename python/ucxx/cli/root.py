# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
"""`python -m ucxx`: the group of all commands, each of which is imported when it is used: some need no UCX."""

from __future__ import annotations

import importlib
from collections import UserDict

import click

import ucxx
from ucxx.cli import SETTINGS

# Each command's module.
_MODULES = {"info": "info", "doctor": "doctor", "topology": "topology", "benchmark": "benchmark", "shmem": "adapters"}


class _Commands(UserDict[str, click.Command]):
    """Commands by their names; `data` has the names only."""

    def __getitem__(self, name: str) -> click.Command:
        if name not in self.data:
            raise KeyError(name)
        found: click.Command = importlib.import_module(f"ucxx.cli.{_MODULES[name]}").command
        return found


def _say_version(context: click.Context, option: click.Parameter, is_wanted: bool) -> None:
    if is_wanted and not context.resilient_parsing:
        click.echo(f"{ucxx.__version__}, with UCX {ucxx.__ucx_version__}")
        context.exit()


@click.group(
    commands=_Commands(dict.fromkeys(_MODULES, click.Command(None))),
    context_settings=SETTINGS,
    epilog="Begin with doctor: it tries everything, and says what to mend.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_say_version,
    help="Show the version and exit.",
)
def command() -> None:
    """UCXX moves data between processes.

    These commands tell what is on this machine, whether it works, and how fast it is.
    """
